#include "agent/provider_internal.h"

static const struct provider_option options[] = {
    {.name = "force", .kind = OPTION_FLAG},
    {0},
};

/* Cursor reads the prompt from standard input if -p has no argument. It reads MCP servers only from
 * files of the user and the repo, which we must not change, so it does not get our server. */
static bool build_launch(struct provider_build *b, struct error *err)
{
    (void)err;
    const char *model = provider_model(b);
    const struct json *force = provider_find_option(b->call->candidate, "force");
    provider_add_args(b, (const char *[]){"-p", "--output-format", "stream-json", "--trust", NULL});
    if (b->call->mode == PROVIDER_READ)
        provider_add_args(b, (const char *[]){"--mode", "ask", NULL});
    if (model)
        provider_add_args(b, (const char *[]){"--model", model, NULL});
    if (force ? json_bool(force) : b->call->mode == PROVIDER_WRITE)
        provider_add_arg(b, "--force");
    provider_add_home(b, provider_home_path(b, NULL, ".cursor"));
    provider_add_home(b, provider_home_path(b, NULL, ".config/cursor"));
    return true;
}

const struct provider_impl provider_cursor = {.options = options, .build = build_launch};
