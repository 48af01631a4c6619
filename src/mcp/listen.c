#include "mcp/listen.h"

#include <stdlib.h>

#include "base/mem.h"
#include "mcp/mcp_task.h"

static void listen_free(struct mcp_listen *l)
{
    list_remove(&l->link);
    map_done(&l->uris);
    map_done(&l->tasks);
    free(l);
}

static void on_cancelled(void *ctx)
{
    struct mcp_listen *l = ctx;
    struct mcp_call *call = l->call;
    listen_free(l);
    mcp_call_free(call);
}

static void put_subscription(struct jsonw *w, const struct mcp_call *call)
{
    jsonw_key(w, "_meta");
    jsonw_object(w);
    jsonw_key(w, MCP_KEY_SUBSCRIPTION);
    jsonw_value(w, call->message.id);
    jsonw_end(w);
}

static void put_names(struct jsonw *w, const char *key, const struct map *names)
{
    if (!names->count)
        return;
    jsonw_key(w, key);
    jsonw_array(w);
    MAP_EACH (names, i)
        jsonw_str(w, map_key(names, i));
    jsonw_end(w);
}

static void send_acknowledgement(struct mcp_listen *l)
{
    struct buf out = {0};
    struct jsonw w = jsonw_make(&out);
    rpc_notification(&w, "notifications/subscriptions/acknowledged");
    put_subscription(&w, l->call);
    jsonw_key(&w, "notifications");
    jsonw_object(&w);
    if (l->notices & MCP_NOTICE_TOOLS)
        jsonw_kbool(&w, "toolsListChanged", true);
    if (l->notices & MCP_NOTICE_PROMPTS)
        jsonw_kbool(&w, "promptsListChanged", true);
    if (l->notices & MCP_NOTICE_RESOURCES)
        jsonw_kbool(&w, "resourcesListChanged", true);
    put_names(&w, "resourceSubscriptions", &l->uris);
    put_names(&w, "taskIds", &l->tasks);
    jsonw_end(&w);
    jsonw_end(&w);
    jsonw_end(&w);
    l->call->sink->impl->send(l->call->sink, buf_str(&out), false);
    buf_done(&out);
}

/* Add the names in an array to a set. Return false if it is no array of strings, or too long. */
static bool read_names(const struct json *array, struct map *set)
{
    if (array && !json_is(array, JSON_ARRAY))
        return false;
    JSON_ITEMS (array, item) {
        if (!json_is(item, JSON_STRING) || set->count >= MCP_MAX_SUBSCRIPTIONS)
            return false;
        map_set(set, json_str(item), set);
    }
    return true;
}

/* Return the requested notifications that the server offers. */
static int read_notices(const struct mcp *mcp, const struct json *wish)
{
    int notices = 0;
    if (!mcp->impl->list_changed)
        return 0;
    if (json_bool(json_get(wish, STR("toolsListChanged"))) && mcp->impl->call_tool)
        notices |= MCP_NOTICE_TOOLS;
    if (json_bool(json_get(wish, STR("promptsListChanged"))) && mcp->impl->get_prompt)
        notices |= MCP_NOTICE_PROMPTS;
    if (json_bool(json_get(wish, STR("resourcesListChanged"))) && mcp->impl->read_resource)
        notices |= MCP_NOTICE_RESOURCES;
    return notices;
}

void mcp_listen_open(struct mcp_call *call)
{
    const struct json *wish = json_get(call->message.params, STR("notifications"));
    if (!json_is(wish, JSON_OBJECT)) {
        mcp_reply_error(call, RPC_INVALID_PARAMS, "notifications must be an object, not %s",
                        json_type_name(wish));
        return;
    }
    struct mcp_listen *l = mem_zalloc(sizeof *l);
    l->call = call;
    l->notices = read_notices(call->mcp, wish);
    bool ok = read_names(json_get(wish, STR("resourceSubscriptions")), &l->uris) &&
              read_names(json_get(wish, STR("taskIds")), &l->tasks);
    if (!ok) {
        listen_free(l);
        mcp_reply_error(call, RPC_INVALID_PARAMS,
                        "resourceSubscriptions and taskIds must be arrays of at most %d strings",
                        MCP_MAX_SUBSCRIPTIONS);
        return;
    }
    if (!call->mcp->impl->subscribe)
        map_clear(&l->uris);
    if (!mcp_call_client_can(call, MCP_CAN_TASKS))
        map_clear(&l->tasks);
    list_add(&call->mcp->listens, &l->link);
    mcp_call_on_cancel(call, on_cancelled, l);
    send_acknowledgement(l);
}

static void send_notice(struct mcp_listen *l, const char *method, const char *key, struct str value)
{
    struct buf out = {0};
    struct jsonw w = jsonw_make(&out);
    rpc_notification(&w, method);
    put_subscription(&w, l->call);
    if (key)
        jsonw_kstr(&w, key, value);
    jsonw_end(&w);
    jsonw_end(&w);
    l->call->sink->impl->send(l->call->sink, buf_str(&out), false);
    buf_done(&out);
}

void mcp_listen_notify(struct mcp *mcp, enum mcp_notice what, const char *method)
{
    LIST_EACH_SAFE (&mcp->listens, struct mcp_listen, link, l)
        if (l->notices & (int)what)
            send_notice(l, method, NULL, (struct str){0});
}

void mcp_listen_notify_resource(struct mcp *mcp, struct str uri)
{
    LIST_EACH_SAFE (&mcp->listens, struct mcp_listen, link, l)
        if (map_get(&l->uris, uri))
            send_notice(l, "notifications/resources/updated", "uri", uri);
}

void mcp_listen_notify_task(struct mcp *mcp, struct str id, struct str task)
{
    LIST_EACH_SAFE (&mcp->listens, struct mcp_listen, link, l) {
        if (!map_get(&l->tasks, id))
            continue;
        /* The members of the task, after the subscription id. */
        struct buf params = {0}, out = {0};
        struct jsonw w = jsonw_make(&params);
        jsonw_object(&w);
        put_subscription(&w, l->call);
        jsonw_end(&w);
        params.n--; /* the closing brace */
        buf_add_char(&params, ',');
        buf_add(&params, str_skip(task, 1));
        w = jsonw_make(&out);
        rpc_begin(&w, NULL);
        jsonw_kcstr(&w, "method", "notifications/tasks");
        jsonw_key(&w, "params");
        jsonw_raw(&w, buf_str(&params));
        jsonw_end(&w);
        l->call->sink->impl->send(l->call->sink, buf_str(&out), false);
        buf_done(&params);
        buf_done(&out);
    }
}

void mcp_listen_end_all(struct mcp *mcp)
{
    while (!list_is_empty(&mcp->listens)) {
        struct mcp_listen *l = LIST_FIRST(&mcp->listens, struct mcp_listen, link);
        struct mcp_call *call = l->call;
        listen_free(l);
        mcp_call_on_cancel(call, NULL, NULL);
        struct jsonw w = jsonw_make(&call->out);
        rpc_begin(&w, call->message.id);
        jsonw_key(&w, "result");
        jsonw_object(&w);
        jsonw_kcstr(&w, "resultType", "complete");
        put_subscription(&w, call);
        jsonw_end(&w);
        jsonw_end(&w);
        mcp_call_finish(call, 200);
    }
}
