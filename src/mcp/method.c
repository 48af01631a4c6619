#include "mcp/method.h"

#include "base/utf8.h"
#include "mcp/legacy.h"
#include "mcp/listen.h"
#include "mcp/mcp_list.h"
#include "mcp/mcp_task.h"
#include "mcp/modern.h"

/* ---- optional capabilities */

static bool has_tools(const struct mcp *mcp)
{
    return mcp->impl->call_tool != NULL;
}

static bool has_prompts(const struct mcp *mcp)
{
    return mcp->impl->get_prompt != NULL;
}

static bool has_resources(const struct mcp *mcp)
{
    return mcp->impl->read_resource != NULL;
}

static bool has_completions(const struct mcp *mcp)
{
    return mcp->impl->complete != NULL;
}

static bool has_logging(const struct mcp *mcp)
{
    return mcp->impl->logging;
}

static bool has_subscribe(const struct mcp *mcp)
{
    return mcp->impl->subscribe;
}

static bool has_tasks(const struct mcp *mcp)
{
    return mcp->impl->tasks;
}

static bool has_notices(const struct mcp *mcp)
{
    return mcp->impl->list_changed || mcp->impl->subscribe || mcp->impl->tasks;
}

/* ---- methods that the program answers */

static bool read_name(struct mcp_call *call, const char *param, struct str *name)
{
    const struct json *v = json_get(call->message.params, str_from(param));
    *name = json_str(v);
    if (json_is(v, JSON_STRING))
        return true;
    mcp_reply_error(call, RPC_INVALID_PARAMS, "%s must be a string, not %s", param,
                    json_type_name(v));
    return false;
}

static bool read_arguments(struct mcp_call *call)
{
    call->arguments = json_get(call->message.params, STR("arguments"));
    if (!call->arguments || json_is(call->arguments, JSON_OBJECT))
        return true;
    mcp_reply_error(call, RPC_INVALID_PARAMS, "arguments must be an object, not %s",
                    json_type_name(call->arguments));
    return false;
}

static void handle_call_tool(struct mcp_call *call)
{
    struct str name;
    if (!read_name(call, "name", &name) || !read_arguments(call))
        return;
    const struct mcp_tool_entry *entry = map_get(&call->mcp->tool_names, name);
    call->tool = entry ? entry->tool : NULL;
    if (!call->tool) {
        mcp_reply_error(call, RPC_INVALID_PARAMS, "There is no tool %.*s: see tools/list",
                        STR_ARG(utf8_head(name, 100)));
        return;
    }
    if (mcp_ask_unseal_state(call) && mcp_task_admit(call))
        mcp_call_run(call);
}

static const struct mcp_prompt *find_prompt(const struct mcp *mcp, struct str name)
{
    for (size_t i = 0; i < mcp->prompt_count; i++)
        if (str_eq(str_from(mcp->prompts[i]->name), name))
            return mcp->prompts[i];
    return NULL;
}

static bool check_prompt_arguments(struct mcp_call *call)
{
    for (size_t i = 0; i < call->prompt->argument_count; i++) {
        const struct mcp_argument *a = &call->prompt->arguments[i];
        const struct json *v = json_get(call->arguments, str_from(a->name));
        if ((!v && a->required) || (v && !json_is(v, JSON_STRING))) {
            mcp_reply_error(call, RPC_INVALID_PARAMS,
                            "%s: the argument %s must be a string, not %s", call->prompt->name,
                            a->name, json_type_name(v));
            return false;
        }
    }
    return true;
}

static void handle_get_prompt(struct mcp_call *call)
{
    struct str name;
    if (!read_name(call, "name", &name) || !read_arguments(call))
        return;
    call->prompt = find_prompt(call->mcp, name);
    if (!call->prompt) {
        mcp_reply_error(call, RPC_INVALID_PARAMS, "There is no prompt %.*s: see prompts/list",
                        STR_ARG(utf8_head(name, 100)));
        return;
    }
    if (check_prompt_arguments(call) && mcp_ask_unseal_state(call))
        mcp_call_run(call);
}

static void handle_read_resource(struct mcp_call *call)
{
    struct str uri;
    if (read_name(call, "uri", &uri) && mcp_ask_unseal_state(call))
        mcp_call_run(call);
}

static void handle_completion(struct mcp_call *call)
{
    const struct json *params = call->message.params;
    const struct json *ref = json_get(params, STR("ref"));
    const struct json *argument = json_get(params, STR("argument"));
    struct str type = json_str(json_get(ref, STR("type")));
    struct mcp_completion ask = {
        .argument = json_str(json_get(argument, STR("name"))),
        .value = json_str(json_get(argument, STR("value"))),
    };
    if (!ask.argument.p || !ask.value.p) {
        mcp_reply_error(call, RPC_INVALID_PARAMS,
                        "argument must have a name and a value, both strings");
        return;
    }
    if (str_eq(type, STR("ref/prompt"))) {
        ask.prompt = find_prompt(call->mcp, json_str(json_get(ref, STR("name"))));
    } else if (str_eq(type, STR("ref/resource"))) {
        ask.uri = json_str(json_get(ref, STR("uri")));
    }
    if (!ask.prompt && !ask.uri.n) {
        mcp_reply_error(call, RPC_INVALID_PARAMS,
                        "ref must be {type: \"ref/prompt\", name} of a prompt in prompts/list or "
                        "{type: \"ref/resource\", uri}");
        return;
    }
    call->mcp->impl->complete(call, &ask, call->mcp->ctx);
}

/* ---- the table */

#define BOTH (MCP_LEGACY | MCP_MODERN)

static const struct mcp_method methods[] = {
    {"tools/call", BOTH, handle_call_tool, has_tools, "name", false},
    {"tools/list", BOTH, mcp_list_tools, has_tools, NULL, true},
    {"prompts/get", BOTH, handle_get_prompt, has_prompts, "name", false},
    {"prompts/list", BOTH, mcp_list_prompts, has_prompts, NULL, true},
    {"resources/read", BOTH, handle_read_resource, has_resources, "uri", true},
    {"resources/list", BOTH, mcp_list_resources, has_resources, NULL, true},
    {"resources/templates/list", BOTH, mcp_list_templates, has_resources, NULL, true},
    {"completion/complete", BOTH, handle_completion, has_completions, NULL, false},
    {"initialize", MCP_LEGACY, mcp_legacy_initialize, NULL, NULL, false},
    {"ping", MCP_LEGACY, mcp_legacy_ping, NULL, NULL, false},
    {"logging/setLevel", MCP_LEGACY, mcp_legacy_set_level, has_logging, NULL, false},
    {"resources/subscribe", MCP_LEGACY, mcp_legacy_subscribe, has_subscribe, NULL, false},
    {"resources/unsubscribe", MCP_LEGACY, mcp_legacy_unsubscribe, has_subscribe, NULL, false},
    {"server/discover", MCP_MODERN, mcp_modern_discover, NULL, NULL, true},
    {"subscriptions/listen", MCP_MODERN, mcp_listen_open, has_notices, NULL, false},
    {"tasks/get", BOTH, mcp_task_get, has_tasks, "taskId", false},
    {"tasks/cancel", BOTH, mcp_task_cancel, has_tasks, "taskId", false},
    {"tasks/update", MCP_MODERN, mcp_task_update, has_tasks, "taskId", false},
    {"tasks/result", MCP_LEGACY, mcp_task_result, has_tasks, NULL, false},
    {"tasks/list", MCP_LEGACY, mcp_task_list, has_tasks, NULL, false},
};

const struct mcp_method *mcp_method_find(const struct mcp *mcp, struct str name, enum mcp_era era)
{
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        const struct mcp_method *m = &methods[i];
        if ((m->eras & (int)era) && str_eq(str_from(m->name), name))
            return !m->is_offered || m->is_offered(mcp) ? m : NULL;
    }
    return NULL;
}

static void refuse_unknown(struct mcp_call *call)
{
    struct str name = utf8_head(call->message.method, 100);
    enum mcp_era other = call->era == MCP_MODERN ? MCP_LEGACY : MCP_MODERN;
    if (mcp_method_find(call->mcp, call->message.method, other))
        mcp_reply_error(call, RPC_METHOD_NOT_FOUND,
                        "There is no method %.*s in revision %s, only in %s", STR_ARG(name),
                        mcp_call_version(call),
                        mcp_revision_name(other == MCP_MODERN ? MCP_2026_07_28 : MCP_LAST_LEGACY));
    else
        mcp_reply_error(call, RPC_METHOD_NOT_FOUND, "There is no method %.*s here", STR_ARG(name));
}

void mcp_method_run(struct mcp_call *call)
{
    const struct json *token = json_get(call->meta, STR("progressToken"));
    int64_t n;
    call->method = mcp_method_find(call->mcp, call->message.method, call->era);
    if (!call->method) {
        refuse_unknown(call);
        return;
    }
    if (call->bytes > MCP_LARGE && call->mcp->open_bytes > MCP_MAX_OPEN) {
        mcp_reply_error(
            call, RPC_INTERNAL_ERROR,
            "%u MiB of requests are open already: wait for answers before sending a large one",
            (unsigned)MCP_MAX_OPEN >> 20);
        return;
    }
    /* Ignore a token that is longer than an id may be. */
    if ((json_is(token, JSON_STRING) && json_str(token).n <= RPC_MAX_ID) || json_i64(token, &n))
        call->progress_token = token;
    call->method->run(call);
}
