#include "mcp/mcp.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/columns.h"
#include "base/mem.h"
#include "mcp/header.h"
#include "mcp/listen.h"
#include "mcp/mcp_internal.h"
#include "mcp/mcp_task.h"
#include "mcp/session.h"

/* ---- revisions and capabilities */

static const char *const revisions[MCP_REVISION_COUNT] = {
    [MCP_2025_03_26] = "2025-03-26",
    [MCP_2025_06_18] = "2025-06-18",
    [MCP_2025_11_25] = "2025-11-25",
    [MCP_2026_07_28] = "2026-07-28",
};

const char *mcp_revision_name(enum mcp_revision r)
{
    return revisions[r];
}

bool mcp_revision_from_name(struct str name, enum mcp_revision *r)
{
    for (int i = 0; i < MCP_REVISION_COUNT; i++)
        if (str_eq(name, str_from(revisions[i]))) {
            *r = (enum mcp_revision)i;
            return true;
        }
    return false;
}

static const char *const level_names[MCP_LOG_LEVEL_COUNT] = {
    [MCP_LOG_DEBUG] = "debug",   [MCP_LOG_INFO] = "info",
    [MCP_LOG_NOTICE] = "notice", [MCP_LOG_WARNING] = "warning",
    [MCP_LOG_ERROR] = "error",   [MCP_LOG_CRITICAL] = "critical",
    [MCP_LOG_ALERT] = "alert",   [MCP_LOG_EMERGENCY] = "emergency",
};

const char *mcp_log_level_name(enum mcp_log_level level)
{
    return level_names[level];
}

bool mcp_log_level_from_name(struct str name, enum mcp_log_level *level)
{
    for (int i = 0; i < MCP_LOG_LEVEL_COUNT; i++)
        if (str_eq(name, str_from(level_names[i]))) {
            *level = (enum mcp_log_level)i;
            return true;
        }
    return false;
}

unsigned mcp_read_capabilities(const struct json *c, enum mcp_era era)
{
    const struct json *elicitation = json_get(c, STR("elicitation"));
    unsigned set = 0;
    if (json_is(json_get(c, STR("sampling")), JSON_OBJECT))
        set |= MCP_CAN_SAMPLE;
    if (json_is(json_get(c, STR("roots")), JSON_OBJECT))
        set |= MCP_CAN_LIST_ROOTS;
    if (json_is(elicitation, JSON_OBJECT)) {
        bool url = json_is(json_get(elicitation, STR("url")), JSON_OBJECT);
        /* An empty object means forms: older revisions had no url mode. */
        if (!url || json_is(json_get(elicitation, STR("form")), JSON_OBJECT))
            set |= MCP_CAN_ELICIT;
        if (url)
            set |= MCP_CAN_ELICIT_URL;
    }
    /* Some clients also send the extension in a legacy initialize, where it must not enable
     * tasks. */
    if (era == MCP_MODERN &&
        json_is(json_get(json_get(c, STR("extensions")), STR(MCP_EXT_TASKS)), JSON_OBJECT))
        set |= MCP_CAN_TASKS;
    return set;
}

void mcp_read_client(const struct json *info, char to[MCP_CLIENT_MAX + 1])
{
    struct str name = json_str(json_get(info, STR("name")));
    struct str version = json_str(json_get(info, STR("version")));
    size_t room = MCP_CLIENT_MAX + 1, n;
    columns_copy(to, version.n ? room * 2 / 3 : room, name);
    n = strlen(to);
    if (!version.n || !n)
        return;
    to[n++] = ' ';
    columns_copy(to + n, room - n, version);
}

static void put_list_capability(struct jsonw *w, const char *key, const struct mcp_impl *impl)
{
    jsonw_key(w, key);
    jsonw_object(w);
    if (impl->list_changed)
        jsonw_kbool(w, "listChanged", true);
}

void mcp_put_capabilities(struct jsonw *w, const struct mcp *mcp, enum mcp_era era,
                          enum mcp_revision r)
{
    const struct mcp_impl *impl = mcp->impl;
    jsonw_object(w);
    if (impl->call_tool) {
        put_list_capability(w, "tools", impl);
        jsonw_end(w);
    }
    if (impl->get_prompt) {
        put_list_capability(w, "prompts", impl);
        jsonw_end(w);
    }
    if (impl->read_resource) {
        put_list_capability(w, "resources", impl);
        if (impl->subscribe)
            jsonw_kbool(w, "subscribe", true);
        jsonw_end(w);
    }
    if (impl->complete)
        jsonw_key(w, "completions"), jsonw_raw(w, STR("{}"));
    if (impl->logging)
        jsonw_key(w, "logging"), jsonw_raw(w, STR("{}"));
    if (impl->tasks && era == MCP_MODERN) {
        jsonw_key(w, "extensions");
        jsonw_raw(w, STR("{\"" MCP_EXT_TASKS "\":{}}"));
    } else if (impl->tasks && r >= MCP_2025_11_25) {
        jsonw_key(w, "tasks");
        jsonw_raw(w, STR("{\"list\":{},\"cancel\":{},\"requests\":{\"tools\":{\"call\":{}}}}"));
    }
    jsonw_end(w);
}

/* ---- life */

static void put_server_info(struct mcp *mcp)
{
    const struct mcp_impl *impl = mcp->impl;
    struct jsonw w = jsonw_make(&mcp->server_info);
    jsonw_object(&w);
    jsonw_kcstr(&w, "name", impl->name);
    jsonw_kcstr(&w, "version", impl->version);
    if (impl->title)
        jsonw_kcstr(&w, "title", impl->title);
    if (impl->description)
        jsonw_kcstr(&w, "description", impl->description);
    if (impl->website_url)
        jsonw_kcstr(&w, "websiteUrl", impl->website_url);
    jsonw_end(&w);
}

struct mcp *mcp_new(struct loop *loop, const struct mcp_impl *impl, void *ctx)
{
    struct mcp *mcp = mem_zalloc(sizeof *mcp);
    mcp->loop = loop;
    mcp->impl = impl;
    mcp->ctx = ctx;
    id_bytes(mcp->seal_key, sizeof mcp->seal_key);
    list_init(&mcp->calls);
    list_init(&mcp->sessions);
    list_init(&mcp->listens);
    list_init(&mcp->tasks);
    put_server_info(mcp);
    return mcp;
}

void mcp_stop(struct mcp *mcp)
{
    if (mcp->stopping)
        return;
    mcp->stopping = true;
    mcp_listen_end_all(mcp);
    mcp_task_end_all(mcp);
    while (!list_is_empty(&mcp->sessions))
        mcp_session_end(LIST_FIRST(&mcp->sessions, struct mcp_session, link));
    /* A cancel runs the program, which may end any other call, so always take the first one. */
    for (size_t n = list_count(&mcp->calls); n && !list_is_empty(&mcp->calls); n--) {
        struct mcp_call *call = LIST_FIRST(&mcp->calls, struct mcp_call, link);
        list_remove(&call->link);
        list_add(&mcp->calls, &call->link);
        mcp_call_drop(call, 503, "The server is stopping");
    }
}

void mcp_free(struct mcp *mcp)
{
    if (!mcp)
        return;
    mcp_stop(mcp);
    /* Calls that the program never answered. */
    while (!list_is_empty(&mcp->calls))
        mcp_call_free(LIST_FIRST(&mcp->calls, struct mcp_call, link));
    map_done(&mcp->session_ids);
    map_done(&mcp->task_ids);
    map_done(&mcp->tool_names);
    arena_done(&mcp->tool_arena);
    buf_done(&mcp->server_info);
    buf_done(&mcp->spare);
    free(mcp->tools);
    free(mcp->prompts);
    free(mcp->resources);
    free(mcp->templates);
    free(mcp);
}

size_t mcp_open_calls(const struct mcp *mcp)
{
    return mcp->call_count;
}

size_t mcp_open_sessions(const struct mcp *mcp)
{
    return mcp->session_ids.count;
}

/* ---- lists */

static _Noreturn void die_bad_item(const char *kind, const char *name, const char *why)
{
    char text[512];
    snprintf(text, sizeof text, "%s %s: %s", kind, name ? name : "(no name)", why);
    mem_die(text);
}

static bool is_object_schema(const char *schema)
{
    struct arena a = {0};
    const struct json *doc = schema ? json_parse(&a, str_from(schema), NULL, NULL) : NULL;
    bool ok = json_is(doc, JSON_OBJECT);
    arena_done(&a);
    return ok;
}

static void check_tool(struct mcp *mcp, struct mcp_tool_entry *e)
{
    const struct mcp_tool *t = e->tool;
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                  "0123456789_-./";
    if (!t->name || !t->name[0] || strlen(t->name) > 64 || t->name[strspn(t->name, letters)])
        die_bad_item("tool", t->name, "a name must have 1 to 64 characters of A-Z a-z 0-9 _ - . /");
    if (!is_object_schema(t->input_schema))
        die_bad_item("tool", t->name, "the input schema is not a JSON object");
    if (t->output_schema && !is_object_schema(t->output_schema))
        die_bad_item("tool", t->name, "the output schema is not a JSON object");
    const char *mark_error =
        mcp_header_read(&mcp->tool_arena, str_from(t->input_schema), &e->headers, &e->header_count);
    if (mark_error)
        die_bad_item("tool", t->name, mark_error);
    if (map_set(&mcp->tool_names, str_from(t->name), e))
        die_bad_item("tool", t->name, "the name is taken");
}

void mcp_set_tools(struct mcp *mcp, const struct mcp_tool *const *tools, size_t count)
{
    struct mcp_tool_entry *entries = mem_zalloc(count * sizeof *entries);
    for (size_t i = 0; i < count; i++)
        entries[i].tool = tools[i];
    map_clear(&mcp->tool_names);
    arena_reset(&mcp->tool_arena);
    for (size_t i = 0; i < count; i++)
        check_tool(mcp, &entries[i]);
    free(mcp->tools);
    mcp->tools = entries;
    mcp->tool_count = count;
    mcp_notify_changed(mcp, MCP_NOTICE_TOOLS);
}

static void *copy_list(const void *list, size_t count)
{
    return mem_dup(list, count * sizeof(void *));
}

void mcp_set_prompts(struct mcp *mcp, const struct mcp_prompt *const *prompts, size_t count)
{
    free(mcp->prompts);
    mcp->prompts = copy_list(prompts, count);
    mcp->prompt_count = count;
    mcp_notify_changed(mcp, MCP_NOTICE_PROMPTS);
}

void mcp_set_resources(struct mcp *mcp, const struct mcp_resource *const *resources, size_t count)
{
    free(mcp->resources);
    mcp->resources = copy_list(resources, count);
    mcp->resource_count = count;
    mcp_notify_changed(mcp, MCP_NOTICE_RESOURCES);
}

void mcp_set_templates(struct mcp *mcp, const struct mcp_resource *const *templates, size_t count)
{
    free(mcp->templates);
    mcp->templates = copy_list(templates, count);
    mcp->template_count = count;
    mcp_notify_changed(mcp, MCP_NOTICE_RESOURCES);
}

/* ---- notices */

static void notify_sessions(struct mcp *mcp, struct str message, struct str only_subscribed)
{
    LIST_EACH_SAFE (&mcp->sessions, struct mcp_session, link, s)
        if (s->initialized && s->notify &&
            (!only_subscribed.n || map_get(&s->subscriptions, only_subscribed)))
            s->notify(s, message);
}

void mcp_notify_changed(struct mcp *mcp, enum mcp_notice what)
{
    const char *method = what == MCP_NOTICE_TOOLS     ? "notifications/tools/list_changed"
                         : what == MCP_NOTICE_PROMPTS ? "notifications/prompts/list_changed"
                                                      : "notifications/resources/list_changed";
    if (!mcp->impl->list_changed || mcp->stopping)
        return;
    struct buf out = {0};
    struct jsonw w = jsonw_make(&out);
    rpc_begin(&w, NULL);
    jsonw_kcstr(&w, "method", method);
    jsonw_end(&w);
    notify_sessions(mcp, buf_str(&out), (struct str){0});
    buf_done(&out);
    mcp_listen_notify(mcp, what, method);
}

void mcp_resource_updated(struct mcp *mcp, struct str uri)
{
    struct buf out = {0};
    struct jsonw w = jsonw_make(&out);
    rpc_notification(&w, "notifications/resources/updated");
    jsonw_kstr(&w, "uri", uri);
    jsonw_end(&w);
    jsonw_end(&w);
    notify_sessions(mcp, buf_str(&out), uri);
    buf_done(&out);
    mcp_listen_notify_resource(mcp, uri);
}
