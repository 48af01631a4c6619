#include "agent/provider_internal.h"
#include "base/jsonw.h"

static const struct provider_option options[] = {
    {.name = "temperature", .kind = OPTION_NUMBER},
    {.name = "max_tokens", .kind = OPTION_COUNT},
    {.name = "base_url", .kind = OPTION_TEXT},
    {.name = "reasoning_effort", .kind = OPTION_TEXT},
    {0},
};

static void put_option(struct jsonw *w, const struct provider_build *b, const char *name)
{
    const struct json *v = provider_find_option(b->call->candidate, name);
    if (!v)
        return;
    jsonw_key(w, name);
    jsonw_value(w, v);
}

/* chat.h describes the request. The key is in the environment. */
static bool build_launch(struct provider_build *b, struct error *err)
{
    const struct candidate *c = b->call->candidate;
    const char *url = provider_option_text(b, "base_url");
    struct buf input = {0};
    struct jsonw w = jsonw_make(&input);
    if (!c->model.n)
        return error_set(err, ERR_CONFIG_VALIDATION,
                         "openai-chat: it has no default model: set the candidate's model");
    if (!url)
        url = provider_env_get(b, "OPENAI_BASE_URL");
    b->out->is_request = true;
    provider_add_arg(b, "agent-chat");
    jsonw_object(&w);
    jsonw_kstr(&w, "model", c->model);
    if (c->system_prompt.n)
        jsonw_kstr(&w, "system", c->system_prompt);
    jsonw_kstr(&w, "prompt", b->call->prompt);
    if (url)
        jsonw_kcstr(&w, "base_url", url);
    put_option(&w, b, "temperature");
    put_option(&w, b, "max_tokens");
    put_option(&w, b, "reasoning_effort");
    jsonw_end(&w);
    b->out->input = arena_str(&b->out->arena, buf_str(&input));
    buf_done(&input);
    return true;
}

const struct provider_impl provider_openai = {.options = options, .build = build_launch};
