/* The catalog for people: docs/tools.md, a table for the terminal, JSON for programs. */
#include "base/jsonw.h"
#include "base/quote.h"
#include "bridge/catalog_row.h"

#define TABLE_COLUMNS 100u

static const char *yes_no(bool b)
{
    return b ? "yes" : "no";
}

/* "30 s", "5 min", "1500 ms" */
static void put_ms(struct buf *out, uint64_t ms)
{
    unsigned long long n = ms;
    if (n % 60000 == 0)
        buf_printf(out, "%llu min", n / 60000);
    else if (n % 1000 == 0)
        buf_printf(out, "%llu s", n / 1000);
    else
        buf_printf(out, "%llu ms", n);
}

static void put_tool_json(struct jsonw *w, const struct tool *t)
{
    const struct tool_hints *a = &t->hints;
    jsonw_object(w);
    jsonw_kcstr(w, "name", t->name);
    jsonw_kcstr(w, "title", t->title);
    jsonw_kcstr(w, "description", t->description);
    jsonw_kcstr(w, "execution_mode", catalog_mode_name(t->mode));
    jsonw_kbool(w, "supports_cancel", t->supports_cancel);
    jsonw_kint(w, "default_timeout_ms", (int64_t)t->default_timeout_ms);
    jsonw_kint(w, "max_timeout_ms", (int64_t)t->max_timeout_ms);
    jsonw_kbool(w, "requires_client_request_id", t->requires_client_request_id);
    jsonw_kbool(w, "execution_error_retryable", t->execution_error_retryable);
    jsonw_kcstr(w, "answered_by", t->control ? "server" : "editor");
    jsonw_kbool(w, "read_only", a->read_only);
    jsonw_kbool(w, "destructive", a->destructive);
    jsonw_kbool(w, "idempotent", a->idempotent);
    jsonw_kbool(w, "open_world", a->open_world);
    jsonw_kcstr(w, "task", t->may_be_task ? "optional" : "forbidden");
    jsonw_key(w, "input_schema");
    jsonw_value(w, t->input);
    if (t->output) {
        jsonw_key(w, "output_schema");
        jsonw_value(w, t->output);
    }
    jsonw_end(w);
}

void catalog_show_json(const struct catalog *c, struct buf *out)
{
    struct buf text = {0};
    struct arena a = {0};
    struct jsonw w = jsonw_make(&text);
    jsonw_array(&w);
    for (size_t i = 0; i < c->count; i++)
        put_tool_json(&w, &c->entries[i].tool);
    jsonw_end(&w);
    jsonw_indent(out, json_parse(&a, buf_str(&text), NULL, NULL));
    buf_add_char(out, '\n');
    arena_done(&a);
    buf_done(&text);
}

enum column {
    TOOL,
    MODE,
    TIME,
    CANCEL,
    WHAT,
    COLUMN_COUNT
};

/* The cells of one line; the texts are ASCII and of our own. NULL: the heads. */
static void put_cells(struct buf cells[COLUMN_COUNT], const struct catalog_entry *e)
{
    static const char *const heads[] = {"TOOL", "MODE", "TIME / MOST", "CANCEL", "WHAT IT DOES"};
    _Static_assert(sizeof heads / sizeof *heads == COLUMN_COUNT, "one head for each column");
    for (size_t i = 0; i < COLUMN_COUNT; i++)
        buf_clear(&cells[i]);
    for (size_t i = 0; !e && i < COLUMN_COUNT; i++)
        buf_add(&cells[i], str_from(heads[i]));
    if (!e)
        return;
    buf_add(&cells[TOOL], str_from(e->row->name));
    buf_add(&cells[MODE], str_from(catalog_mode_name(e->tool.mode)));
    put_ms(&cells[TIME], e->tool.default_timeout_ms);
    buf_add(&cells[TIME], STR(" / "));
    put_ms(&cells[TIME], e->tool.max_timeout_ms);
    buf_add(&cells[CANCEL], str_from(yes_no(e->tool.supports_cancel)));
    buf_add(&cells[WHAT], str_from(e->row->summary));
}

void catalog_show_table(const struct catalog *c, struct buf *out)
{
    struct buf cells[COLUMN_COUNT] = {0};
    size_t width[COLUMN_COUNT] = {0}, used = 0;
    for (size_t i = 0; i <= c->count; i++) {
        put_cells(cells, i ? &c->entries[i - 1] : NULL);
        for (size_t k = 0; k < WHAT; k++)
            width[k] = cells[k].n > width[k] ? cells[k].n : width[k];
    }
    for (size_t k = 0; k < WHAT; k++)
        used += width[k] + 2;
    for (size_t i = 0; i <= c->count; i++) {
        put_cells(cells, i ? &c->entries[i - 1] : NULL);
        for (size_t k = 0; k < WHAT; k++)
            buf_printf(out, "%-*s  ", (int)width[k], cells[k].p);
        buf_add(out,
                str_head(buf_str(&cells[WHAT]), used < TABLE_COLUMNS ? TABLE_COLUMNS - used : 0));
        buf_add_char(out, '\n');
    }
    for (size_t k = 0; k < COLUMN_COUNT; k++)
        buf_done(&cells[k]);
}

/* Markdown: a | would end the cell. */
static void put_text(struct buf *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '|')
            buf_add_char(out, '\\');
        buf_add_char(out, *text);
    }
}

static bool has_null(const struct json *list)
{
    JSON_ITEMS (list, item)
        if (json_is(item, JSON_NULL))
            return true;
    return false;
}

/* "integer", "array of string", "object or null" */
static void put_kind(struct buf *out, const struct json *schema)
{
    const struct json *type = json_get(schema, STR("type"));
    const struct json *items = json_get(schema, STR("items"));
    const char *between = "";
    if (json_is(type, JSON_STRING)) {
        buf_add(out, json_str(type));
        if (items) {
            buf_add(out, STR(" of "));
            put_kind(out, items);
        }
    }
    JSON_ITEMS (type, one) {
        buf_printf(out, "%s%.*s", between, STR_ARG(json_str(one)));
        between = " or ";
    }
    JSON_ITEMS (json_get(schema, STR("anyOf")), one) {
        buf_add(out, str_from(between));
        put_kind(out, one);
        between = " or ";
    }
    if (!type && (json_get(schema, STR("enum")) || json_get(schema, STR("const"))))
        buf_add(out,
                has_null(json_get(schema, STR("enum"))) ? STR("string or null") : STR("string"));
    if (json_get(schema, STR("$ref")))
        buf_add(out, STR("object"));
}

static void put_bounds(struct buf *out, const struct json *low, const struct json *high,
                       const char *unit)
{
    struct str a = json_number_text(low), b = json_number_text(high);
    if (a.n && b.n)
        buf_printf(out, "%.*s to %.*s%s", STR_ARG(a), STR_ARG(b), unit);
    else if (a.n || b.n)
        buf_printf(out, "at %s %.*s%s", a.n ? "least" : "most", STR_ARG(a.n ? a : b), unit);
}

static void put_allowed(struct buf *out, const struct json *schema)
{
    const struct json *list = json_get(schema, STR("enum"));
    const struct json *items = json_get(schema, STR("items"));
    const char *between = "";
    JSON_ITEMS (list ? list : json_get(items, STR("enum")), value) {
        buf_printf(out, "%s`", between);
        quote_value(out, value, SIZE_MAX);
        buf_add_char(out, '`');
        between = ", ";
    }
    put_bounds(out, json_get(schema, STR("minimum")), json_get(schema, STR("maximum")), "");
    put_bounds(out, json_get(schema, STR("minLength")), json_get(schema, STR("maxLength")),
               " characters");
    JSON_ITEMS (json_get(schema, STR("anyOf")), one) /* of which one is null, and allows no more */
        put_allowed(out, one);
}

static void put_default(struct buf *out, const struct json *value)
{
    if (!value)
        return;
    buf_add_char(out, '`');
    quote_value(out, value, SIZE_MAX);
    buf_add_char(out, '`');
}

static void put_arguments(struct buf *out, const struct catalog_row *row)
{
    if (!row->input.count) {
        buf_add(out, STR("No arguments of its own.\n\n"));
        return;
    }
    buf_add(out, STR("| argument | type | default | allowed | |\n|---|---|---|---|---|\n"));
    for (size_t i = 0; i < row->input.count; i++) {
        const struct catalog_field *f = &row->input.fields[i];
        struct arena a = {0};
        const struct json *schema = json_parse(&a, str_from(f->schema), NULL, NULL);
        buf_printf(out, "| `%s` | ", f->name);
        put_kind(out, schema);
        buf_add(out, STR(" | "));
        if (f->presence == REQUIRED)
            buf_add(out, STR("**required**"));
        put_default(out, json_get(schema, STR("default")));
        buf_add(out, STR(" | "));
        put_allowed(out, schema);
        buf_add(out, STR(" | "));
        put_text(out, f->about);
        buf_add(out, STR(" |\n"));
        arena_done(&a);
    }
    buf_add_char(out, '\n');
}

static void put_answer(struct buf *out, const struct catalog_row *row)
{
    buf_add(out, STR("| answer | type | allowed | |\n|---|---|---|---|\n"));
    for (size_t i = 0; i < row->output.count; i++) {
        const struct catalog_field *f = &row->output.fields[i];
        struct arena a = {0};
        const struct json *schema = json_parse(&a, str_from(f->schema), NULL, NULL);
        buf_printf(out, "| `%s`%s | ", f->name, f->presence == REQUIRED ? "" : "?");
        put_kind(out, schema);
        buf_add(out, STR(" | "));
        put_allowed(out, schema);
        buf_add(out, STR(" | "));
        put_text(out, f->about);
        buf_add(out, STR(" |\n"));
        arena_done(&a);
    }
    buf_add_char(out, '\n');
}

static void put_example(struct buf *out, const struct catalog_row *row)
{
    struct arena a = {0};
    const struct json *arguments = json_parse(&a, str_from(row->example), NULL, NULL);
    const struct json *answer = json_parse(&a, str_from(row->answer), NULL, NULL);
    struct jsonw w = jsonw_make(out);
    buf_printf(out, "```sh\nmultiverse call %s", row->name);
    if (json_count(arguments)) {
        buf_add(out, STR(" '"));
        jsonw_value(&w, arguments);
        buf_add_char(out, '\'');
    }
    buf_add(out, STR("\n```\n\n```json\n"));
    jsonw_indent(out, answer);
    buf_add(out, STR("\n```\n"));
    arena_done(&a);
}

static void put_tool(struct buf *out, const struct catalog_entry *e)
{
    const struct tool_hints *a = &e->row->hints;
    buf_printf(out, "\n## %s\n\n%s\n\n", e->row->name, e->row->description);
    buf_printf(out, "%s, %s, %s, answered by the %s.\n\n",
               e->row->mode == TOOL_JOB ? "A job" : "Synchronous",
               a->read_only     ? "changes nothing"
               : a->destructive ? "may overwrite or remove"
                                : "changes something",
               a->idempotent ? "harmless to repeat" : "does it again when repeated",
               e->row->control ? "server, editor or not" : "editor");
    put_arguments(out, e->row);
    put_answer(out, e->row);
    put_example(out, e->row);
}

static const char head[] =
    "# Tools\n\n"
    "<!-- Written by `meson compile -C build tools-md` from src/bridge/catalog_*.c: change those. "
    "-->\n\n"
    "Every tool of the server, with its arguments and answers. `multiverse tools` shows the same "
    "on "
    "a terminal, `tools/list` gives it to MCP clients. A client sees the tools that the connected "
    "editor has.\n\n"
    "| tool | | mode | default time | longest time | cancel | own id | retry after an error |\n"
    "|---|---|---|---|---|---|---|---|\n";

static const char common[] =
    "\n*mode*: a sync tool is answered when it is done; a job is answered with its `job_id` and "
    "goes on. *cancel*: whether the editor can stop it in the middle. *own id*: whether "
    "`client_request_id` is required. *retry after an error*: whether an error of the editor is "
    "worth a second try as it is.\n\n"
    "Every tool also takes:\n\n"
    "| argument | type | allowed | |\n|---|---|---|---|\n"
    "| `timeout_ms` | integer | 1 to the longest time | Time limit in milliseconds for the work of "
    "the editor; the default time if omitted. |\n"
    "| `client_request_id` | string | 1 to 128 characters | An id of your own. For a tool that "
    "changes something, a second call with the same id soon after gets the first answer and does "
    "nothing again; for the others it is only noted in the log. |\n\n"
    "Arguments that are not listed are refused. An error is "
    "`{code, message, retryable, details}`: see [the bridge, section 8](spec/10-bridge.md). `?` "
    "marks optional members of an answer.\n";

void catalog_show_markdown(const struct catalog *c, struct buf *out)
{
    buf_add(out, str_from(head));
    for (size_t i = 0; i < c->count; i++) {
        const struct tool *t = &c->entries[i].tool;
        buf_printf(out, "| [%s](#%s) | %s | %s | ", t->name, t->name, c->entries[i].row->summary,
                   catalog_mode_name(t->mode));
        put_ms(out, t->default_timeout_ms);
        buf_add(out, STR(" | "));
        put_ms(out, t->max_timeout_ms);
        buf_printf(out, " | %s | %s | %s |\n", yes_no(t->supports_cancel),
                   yes_no(t->requires_client_request_id), yes_no(t->execution_error_retryable));
    }
    buf_add(out, str_from(common));
    for (size_t i = 0; i < c->count; i++)
        put_tool(out, &c->entries[i]);
}
