#include "base/rfc3339.h"
#include "editor/console_log.h"
#include "editor/editor_tool.h"
#include "editor/pattern.h"
#include "editor/tool_page.h"

struct shown_entry { /* one entry of the answer, or several equal neighbours */
    const struct console_entry *entry;
    uint64_t count;
};

struct console_query {
    struct editor_call *c;
    struct shown_entry *list; /* newest first */
    size_t count;
    uint64_t summary[CONSOLE_TYPE_COUNT];
};

/* "5fd3a1b2-42" is the serial 42 of this console. The cursor of an earlier run is older than all
 * entries. */
static bool read_cursor(struct editor_call *c, uint64_t *after)
{
    const struct json *since = json_get(c->args, STR("since"));
    struct str rest = json_str(since), id;
    *after = 0;
    if (!since)
        return true;
    if (!str_cut(&rest, '-', &id) || id.n != strlen(console_log_id(c->console)) ||
        !str_to_u64(rest, after))
        return editor_error_set(c->err, "ERR_INVALID_PARAMS",
                                "since must be the cursor of an earlier answer of read_console");
    if (!str_eq(id, str_from(console_log_id(c->console))))
        *after = 0;
    return true;
}

static bool is_asked(const struct json *types, enum console_type type)
{
    if (!json_is(types, JSON_ARRAY))
        return true;
    JSON_ITEMS (types, t)
        if (str_eq(json_str(t), str_from(console_log_type_name(type))))
            return true;
    return false;
}

static void add_entry(struct console_query *r, const struct console_entry *e, bool deduplicate)
{
    struct shown_entry *last = r->count ? &r->list[r->count - 1] : NULL;
    if (deduplicate && last && last->entry->type == e->type &&
        str_eq(last->entry->message, e->message))
        last->count++;
    else
        r->list[r->count++] = (struct shown_entry){e, 1};
}

static bool collect_entries(struct console_query *r, struct pattern *pattern, uint64_t after)
{
    struct editor_call *c = r->c;
    const struct json *types = json_get(c->args, STR("log_type"));
    bool deduplicate = tool_arg_bool(c->args, "deduplicate", true);
    size_t n = console_log_count(c->console);
    r->list = arena_alloc(c->arena, (n + 1) * sizeof *r->list);
    while (n-- > 0) {
        const struct console_entry *e = console_log_at(c->console, n);
        if (e->serial <= after)
            break;
        enum pattern_result matches = pattern ? pattern_match(pattern, e->message) : PATTERN_YES;
        if (matches == PATTERN_TOO_SLOW)
            return pattern_refuse_slow(pattern, c->err);
        if (matches == PATTERN_NO)
            continue;
        r->summary[e->type]++;
        if (is_asked(types, e->type))
            add_entry(r, e, deduplicate);
    }
    return true;
}

static struct str first_lines(struct str text, uint64_t lines)
{
    size_t n = 0;
    while (n < text.n && (text.p[n] != '\n' || --lines))
        n++;
    return str_head(text, n);
}

static void put_entry(struct jsonw *w, const struct shown_entry *s, uint64_t trace_lines)
{
    const struct console_entry *e = s->entry;
    char time[RFC3339_LEN + 1];
    rfc3339_format(e->time_ms, time);
    jsonw_object(w);
    jsonw_kcstr(w, "type", console_log_type_name(e->type));
    jsonw_kstr(w, "message", e->message);
    if (trace_lines && e->stack_trace.n)
        jsonw_kstr(w, "stack_trace", first_lines(e->stack_trace, trace_lines));
    if (s->count > 1)
        jsonw_kint(w, "count", (int64_t)s->count);
    jsonw_kcstr(w, "time", time);
    if (e->file.n)
        jsonw_kstr(w, "file", e->file);
    if (e->file.n && e->line)
        jsonw_kint(w, "line", (int64_t)e->line);
    jsonw_end(w);
}

static void put_entries(struct console_query *r)
{
    struct editor_call *c = r->c;
    struct jsonw *w = c->out;
    uint64_t max = tool_arg_u64(c->args, "max_entries", 10);
    uint64_t trace_lines = tool_arg_u64(c->args, "stack_trace_lines", 1);
    struct tool_page page = tool_page(c->args, max, r->count);
    jsonw_object(w);
    jsonw_key(w, "entries");
    jsonw_array(w);
    for (size_t i = page.from; i < page.to; i++)
        put_entry(w, &r->list[i], trace_lines);
    jsonw_end(w);
    tool_page_put(w, &page);
    jsonw_kstr(w, "cursor",
               arena_printf(c->arena, "%s-%llu", console_log_id(c->console),
                            (unsigned long long)console_log_serial(c->console)));
    jsonw_key(w, "type_summary");
    jsonw_object(w);
    for (enum console_type t = 0; t < CONSOLE_TYPE_COUNT; t++)
        jsonw_kint(w, console_log_type_name(t), (int64_t)r->summary[t]);
    jsonw_end(w);
    jsonw_end(w);
}

static bool read_console(struct editor_call *c)
{
    struct console_query r = {.c = c};
    struct str text = tool_arg_str(c->args, "message_pattern");
    struct pattern *pattern = NULL;
    uint64_t after;
    bool ok = read_cursor(c, &after) &&
              (!text.n || (pattern = pattern_new("message_pattern", text, c->err))) &&
              collect_entries(&r, pattern, after);
    if (ok)
        put_entries(&r);
    pattern_free(pattern);
    return ok;
}

const struct editor_tool tool_read_console = {"read_console", read_console};
