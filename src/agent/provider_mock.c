#include "agent/provider_internal.h"
#include "base/jsonw.h"
#include "base/sha256.h"

/* mock.h describes the script. */
static const struct provider_option options[] = {
    {.name = "script", .kind = OPTION_ANY},
    {.name = "state", .kind = OPTION_TEXT},
    {0},
};

/* Candidates with another model or script get another state file. */
static const char *state_path(struct provider_build *b, const struct json *script)
{
    const char *given = provider_option_text(b, "state");
    if (given)
        return given;
    struct buf text = {0};
    struct jsonw w = jsonw_make(&text);
    jsonw_array(&w);
    jsonw_str(&w, b->call->candidate->model);
    jsonw_value(&w, script);
    jsonw_end(&w);
    uint8_t hash[SHA256_LEN];
    sha256(buf_str(&text), hash);
    buf_done(&text);
    return arena_printf(&b->out->arena, "%s/mock-%02x%02x%02x%02x%02x%02x.json", b->call->dir,
                        hash[0], hash[1], hash[2], hash[3], hash[4], hash[5])
        .p;
}

static bool build_launch(struct provider_build *b, struct error *err)
{
    const struct provider_call *call = b->call;
    const struct json *script = provider_find_option(call->candidate, "script");
    struct buf input = {0};
    struct jsonw w = jsonw_make(&input);
    const char *token_file = NULL;
    if (call->mcp.url && call->mcp.token) {
        provider_add_secret(b, str_from(call->mcp.token));
        if (!provider_write_file(b, "token", str_from(call->mcp.token), &token_file, err))
            return false;
    }
    provider_add_arg(b, "agent-mock");
    jsonw_object(&w);
    jsonw_kstr(&w, "prompt", b->out->input);
    jsonw_kstr(&w, "model", call->candidate->model);
    if (script) {
        jsonw_key(&w, "script");
        jsonw_value(&w, script);
        jsonw_kcstr(&w, "state", state_path(b, script));
    }
    if (call->mcp.url) {
        jsonw_kcstr(&w, "self", call->self);
        jsonw_kcstr(&w, "url", call->mcp.url);
    }
    if (token_file)
        jsonw_kcstr(&w, "token_file", token_file);
    jsonw_end(&w);
    b->out->input = arena_str(&b->out->arena, buf_str(&input));
    buf_done(&input);
    return true;
}

const struct provider_impl provider_mock = {.options = options, .build = build_launch};
