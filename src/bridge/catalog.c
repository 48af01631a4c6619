#include "bridge/catalog.h"

#include <assert.h>
#include <stdlib.h>

#include "base/jsonw.h"
#include "base/mem.h"
#include "base/quote.h"
#include "bridge/catalog_row.h"
#include "bridge/schema.h"

/* All of them, in the order in which clients see them. */
static const struct catalog_row *const rows[] = {
    &catalog_get_editor_state,
    &catalog_read_console,
    &catalog_run_tests,
    &catalog_get_job_status,
    &catalog_cancel_job,
    &catalog_get_scene_hierarchy,
    &catalog_get_component_info,
    &catalog_manage_component,
    &catalog_find_assets,
    &catalog_find_component_types,
    &catalog_list_scenes,
    &catalog_open_scene,
    &catalog_save_scene,
    &catalog_undo,
    &catalog_redo,
    &catalog_control_play_mode,
};

_Noreturn static void die_in_row(const struct catalog_row *row, const char *what, struct str at)
{
    struct buf text = {0};
    buf_printf(&text, "the row of the tool %s: %s at ", row->name, what);
    quote_add(&text, at, QUOTE_MAX);
    mem_die(text.p);
}

static const struct json *read_part(struct arena *a, const struct catalog_row *row,
                                    const char *text)
{
    struct json_error err = {.reason = "it is not an object"};
    const struct json *v = json_parse(a, str_from(text), NULL, &err);
    if (!json_is(v, JSON_OBJECT))
        die_in_row(row, err.reason, str_skip(str_from(text), err.offset));
    return v;
}

static void put_members(struct jsonw *w, const struct json *object)
{
    JSON_EACH (object, key) {
        jsonw_key_str(w, json_str(key));
        jsonw_value(w, key + 1);
    }
}

/* "name":{...,"description":"..."} */
static void put_field(struct jsonw *w, const struct json *schema, const struct catalog_field *f)
{
    jsonw_key(w, f->name);
    jsonw_object(w);
    put_members(w, schema);
    jsonw_kcstr(w, "description", f->about);
    jsonw_end(w);
}

static void put_timeout(struct jsonw *w, const struct tool *tool)
{
    jsonw_key(w, "timeout_ms");
    jsonw_object(w);
    jsonw_kcstr(w, "type", "integer");
    jsonw_kint(w, "minimum", 1);
    jsonw_kint(w, "maximum", (int64_t)tool->max_timeout_ms);
    jsonw_kint(w, "default", (int64_t)tool->default_timeout_ms);
    jsonw_kcstr(w, "description",
                tool->control ? "Time limit in milliseconds. Rarely needed: the server answers "
                                "this tool itself."
                              : "Time limit in milliseconds for the work of the editor; waiting "
                                "for its turn does not count.");
    jsonw_end(w);
}

static void put_client_request_id(struct jsonw *w, const struct tool *tool)
{
    jsonw_key(w, "client_request_id");
    jsonw_object(w);
    jsonw_kcstr(w, "type", "string");
    jsonw_kint(w, "minLength", 1);
    jsonw_kint(w, "maxLength", CATALOG_CLIENT_REQUEST_ID_MAX);
    jsonw_kcstr(w, "description",
                tool->traits.changes ? "Your own id for this call. A second call with the same id "
                                       "soon after gets the first answer and does nothing again: "
                                       "use it to repeat a call safely."
                                     : "Your own id for this call, to find it in the log.");
    jsonw_end(w);
}

static void put_required(struct jsonw *w, const struct catalog_object *object, bool request_id)
{
    jsonw_key(w, "required");
    jsonw_array(w);
    for (size_t i = 0; i < object->count; i++)
        if (object->fields[i].presence == REQUIRED)
            jsonw_cstr(w, object->fields[i].name);
    if (request_id)
        jsonw_cstr(w, "client_request_id");
    jsonw_end(w);
}

static bool has_required(const struct catalog_object *object)
{
    for (size_t i = 0; i < object->count; i++)
        if (object->fields[i].presence == REQUIRED)
            return true;
    return false;
}

static void put_fields(struct jsonw *w, const struct catalog_row *row,
                       const struct catalog_object *object)
{
    struct arena scratch = {0};
    for (size_t i = 0; i < object->count; i++)
        put_field(w, read_part(&scratch, row, object->fields[i].schema), &object->fields[i]);
    arena_done(&scratch);
}

/* The schema of the answer as clients get it: what the fields are, and nothing that must be there
 * or must not. An error has its object in the same place, and some clients (the first generation of
 * the TypeScript SDK) hold that, too, against the schema. */
static const char *make_published(struct catalog *c, const struct catalog_row *row,
                                  const struct catalog_object *object)
{
    struct buf text = {0};
    struct arena scratch = {0};
    struct jsonw w = jsonw_make(&text);
    const struct json *more = object->more ? read_part(&scratch, row, object->more) : NULL;
    const struct json *defs = json_get(more, STR("$defs"));
    jsonw_object(&w);
    jsonw_kcstr(&w, "type", "object");
    jsonw_key(&w, "properties");
    jsonw_object(&w);
    put_fields(&w, row, object);
    jsonw_end(&w);
    if (defs) {
        jsonw_key(&w, "$defs");
        jsonw_value(&w, defs);
    }
    jsonw_end(&w);
    const char *made = arena_cstr(&c->arena, buf_str(&text));
    arena_done(&scratch);
    buf_done(&text);
    return made;
}

/* The schema of the arguments (common: of a tool, whose common ones are added) or of the answer. */
static const char *make_schema(struct catalog *c, const struct catalog_row *row,
                               const struct catalog_object *object, const struct tool *common)
{
    struct buf text = {0};
    struct arena scratch = {0};
    struct jsonw w = jsonw_make(&text);
    bool request_id = common && common->requires_client_request_id;
    jsonw_object(&w);
    jsonw_kcstr(&w, "type", "object");
    jsonw_key(&w, "properties");
    jsonw_object(&w);
    put_fields(&w, row, object);
    if (common) {
        put_timeout(&w, common);
        put_client_request_id(&w, common);
    }
    jsonw_end(&w);
    if (has_required(object) || request_id)
        put_required(&w, object, request_id);
    const struct json *more = object->more ? read_part(&scratch, row, object->more) : NULL;
    put_members(&w, more);
    jsonw_key(&w, "additionalProperties");
    jsonw_bool(&w, false);
    jsonw_end(&w);
    const char *made = arena_cstr(&c->arena, buf_str(&text));
    arena_done(&scratch);
    buf_done(&text);
    return made;
}

static uint64_t find_ms(const struct catalog_row *row, const struct catalog_ms *time,
                        const struct limits *limits)
{
    uint64_t ms = time->ms;
    if (!ms && !time->limit)
        die_in_row(row, "no time", STR("default_timeout or max_timeout"));
    if (!ms)
        memcpy(&ms, (const char *)limits + time->limit, sizeof ms);
    return ms;
}

static struct tool make_tool(struct catalog *c, const struct catalog_row *row,
                             const struct limits *limits)
{
    struct tool t = {
        .name = row->name,
        .title = row->title,
        .description = row->description,
        .hints = row->hints,
        .may_be_task = row->may_be_task,
        .mode = row->mode,
        .control = row->control,
        .supports_cancel = row->supports_cancel,
        .subject = row->subject,
        .requires_client_request_id = row->requires_client_request_id,
        .execution_error_retryable = row->execution_error_retryable,
        .default_timeout_ms = find_ms(row, &row->default_timeout, limits),
        .max_timeout_ms = find_ms(row, &row->max_timeout, limits),
        .traits = row->traits,
    };
    /* The limits may be set so that they do not fit a row whose maximum is a number. */
    if (t.default_timeout_ms > t.max_timeout_ms)
        t.default_timeout_ms = t.max_timeout_ms;
    t.input_schema = make_schema(c, row, &row->input, &t);
    t.input = read_part(&c->arena, row, t.input_schema);
    if (row->output.count) {
        t.output_schema = make_published(c, row, &row->output);
        t.output = read_part(&c->arena, row, make_schema(c, row, &row->output, NULL));
    }
    return t;
}

struct catalog *catalog_new(const struct limits *limits)
{
    struct catalog *c = mem_zalloc(sizeof *c);
    c->count = sizeof rows / sizeof *rows;
    c->entries = arena_zalloc(&c->arena, c->count * sizeof *c->entries);
    for (size_t i = 0; i < c->count; i++)
        c->entries[i] = (struct catalog_entry){make_tool(c, rows[i], limits), rows[i]};
    return c;
}

void catalog_free(struct catalog *c)
{
    if (!c)
        return;
    arena_done(&c->arena);
    free(c);
}

size_t catalog_count(const struct catalog *c)
{
    return c->count;
}

const struct tool *catalog_at(const struct catalog *c, size_t i)
{
    assert(i < c->count);
    return &c->entries[i].tool;
}

const struct tool *catalog_find(const struct catalog *c, struct str name)
{
    for (size_t i = 0; i < c->count; i++)
        if (str_eq(name, str_from(c->entries[i].tool.name)))
            return &c->entries[i].tool;
    return NULL;
}

static bool check_needs(const struct catalog_row *row, const struct json *arguments,
                        struct error *err)
{
    for (size_t i = 0; i < row->need_count; i++) {
        const struct catalog_need *n = &row->needs[i];
        struct str value = json_str(json_get(arguments, str_from(n->argument)));
        if (str_eq(value, str_from(n->value)) && !json_get(arguments, str_from(n->needs)))
            return error_set(err, ERR_INVALID_PARAMS, "%s is missing: %s \"%s\" needs it", n->needs,
                             n->argument, n->value);
    }
    return true;
}

bool catalog_check(const struct tool *tool, const struct json *arguments, struct tool_args *args,
                   struct error *err)
{
    const struct catalog_entry *entry = (const struct catalog_entry *)tool;
    const struct json *id = json_get(arguments, STR("client_request_id"));
    const struct json *timeout = json_get(arguments, STR("timeout_ms"));
    if (tool->requires_client_request_id && !id && (!arguments || json_is(arguments, JSON_OBJECT)))
        return error_set(err, ERR_INVALID_REQUEST,
                         "client_request_id is missing: %s changes something, so give each call an "
                         "id of your own (1 to %u characters)",
                         tool->name, CATALOG_CLIENT_REQUEST_ID_MAX);
    if (!schema_check(tool->input, arguments, err) || !check_needs(entry->row, arguments, err))
        return false;
    *args = (struct tool_args){.timeout_ms = tool->default_timeout_ms,
                               .has_timeout = timeout,
                               .client_request_id = json_str(id)};
    json_u64(timeout, &args->timeout_ms);
    return true;
}

const char *catalog_mode_name(enum tool_mode mode)
{
    return mode == TOOL_JOB ? "job" : "sync";
}

bool catalog_wants_job(const struct tool_traits *traits)
{
    return traits->over_5s || traits->needs_cancel || traits->whole_project || traits->reloads;
}
