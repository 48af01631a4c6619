#include "cli/call_args.h"

#include "base/arena.h"
#include "base/jsonw.h"
#include "base/utf8.h"

/* A member of the object that is built; the members of an object are a list. */
struct arg_node {
    struct str key;
    struct str json; /* the value as text; p NULL: an object, its members below */
    struct arg_node *first, *next;
};

/* ---- what the schema allows */

#define ANY_TYPE ((1u << JSON_TYPE_COUNT) - 1)

static unsigned type_bit(struct str name)
{
    static const struct {
        struct str name;
        enum json_type type;
    } types[] = {
        {STR_INIT("null"), JSON_NULL},      {STR_INIT("boolean"), JSON_BOOL},
        {STR_INIT("integer"), JSON_NUMBER}, {STR_INIT("number"), JSON_NUMBER},
        {STR_INIT("string"), JSON_STRING},  {STR_INIT("array"), JSON_ARRAY},
        {STR_INIT("object"), JSON_OBJECT},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (str_eq(name, types[i].name))
            return 1u << types[i].type;
    return 0;
}

/* One bit for each type of value that the schema allows. */
static unsigned allowed_types(const struct json *schema)
{
    const struct json *type = json_get(schema, STR("type"));
    const struct json *values = json_get(schema, STR("enum"));
    unsigned set = 0;
    if (json_is(type, JSON_STRING))
        return type_bit(json_str(type));
    JSON_ITEMS (type, t)
        set |= type_bit(json_str(t));
    if (set)
        return set;
    JSON_ITEMS (values, v)
        set |= 1u << json_type(v);
    if (set)
        return set;
    JSON_ITEMS (json_get(schema, STR("anyOf")), one) {
        const struct json *t = json_get(one, STR("type"));
        if (!json_is(t, JSON_STRING))
            return ANY_TYPE;
        set |= type_bit(json_str(t));
    }
    return set ? set : ANY_TYPE;
}

static const struct json *schema_of(const struct json *schema, struct str name)
{
    const struct json *own = json_get(json_get(schema, STR("properties")), name);
    const struct json *others = json_get(schema, STR("additionalProperties"));
    return own ? own : json_is(others, JSON_OBJECT) ? others : NULL;
}

/* ---- one pair */

static struct str as_text(struct arena *a, struct str value)
{
    struct buf b = {0};
    struct jsonw w = jsonw_make(&b);
    jsonw_str(&w, value);
    struct str kept = arena_str(a, buf_str(&b));
    buf_done(&b);
    return kept;
}

static struct str as_json(struct arena *a, const struct json *schema, struct str value)
{
    unsigned allowed = allowed_types(schema), text = 1u << JSON_STRING;
    if (allowed == text)
        return as_text(a, value);
    const struct json *v = json_parse(a, value, NULL, NULL);
    return v && (allowed & (1u << json_type(v))) ? value : as_text(a, value);
}

static struct arg_node *find_or_add(struct arena *a, struct arg_node *parent, struct str key,
                                    bool *is_new)
{
    struct arg_node **at = &parent->first;
    while (*at && !str_eq((*at)->key, key))
        at = &(*at)->next;
    *is_new = !*at;
    if (*is_new) {
        *at = arena_zalloc(a, sizeof **at);
        (*at)->key = key;
    }
    return *at;
}

/* Create the node for a key like "a.b.c" and return it; *schema becomes that of its value. */
static struct arg_node *make_node(struct arena *a, struct arg_node *root, struct str key,
                                  const struct json **schema, struct error *err)
{
    struct str rest = key, name;
    struct arg_node *at = root;
    bool more = true, is_new = true;
    for (size_t depth = 0; more; depth++) {
        more = str_cut(&rest, '.', &name);
        if (name.n == 0 || depth == CALL_ARGS_MAX_DEPTH) {
            error_set(err, ERR_INVALID_PARAMS,
                      name.n ? "the key \"%.*s\" has too many dots"
                             : "the key \"%.*s\" has an empty name in it",
                      STR_ARG(key));
            return NULL;
        }
        at = find_or_add(a, at, name, &is_new);
        *schema = schema_of(*schema, name);
        if (!is_new && (!more || at->json.p)) {
            error_set(err, ERR_INVALID_PARAMS, "the argument %.*s is given twice", STR_ARG(key));
            return NULL;
        }
    }
    return at;
}

static bool add_pair(struct arena *a, struct arg_node *root, const struct json *schema,
                     struct str pair, struct error *err)
{
    struct str value = pair, key;
    if (!utf8_is_valid(pair))
        return error_set(err, ERR_INVALID_PARAMS, "the arguments must be UTF-8");
    if (!str_cut(&value, '=', &key) || key.n == 0 || str_eq(key, STR(":")))
        return error_set(err, ERR_INVALID_PARAMS,
                         "\"%.*s\" is not KEY=VALUE; arguments are pairs, or one JSON object, "
                         "@FILE or -",
                         STR_ARG(utf8_head(pair, 60)));
    if (!value.p)
        value = STR("");
    bool is_forced = key.p[key.n - 1] == ':';
    if (is_forced)
        key = str_head(key, key.n - 1);
    struct json_error bad;
    if (is_forced && !json_parse(a, value, NULL, &bad))
        return error_set(err, ERR_INVALID_PARAMS,
                         "the value of %.*s is not JSON at character %zu: %s", STR_ARG(key),
                         bad.offset + 1, bad.reason);
    struct arg_node *arg_node = make_node(a, root, key, &schema, err);
    if (!arg_node)
        return false;
    arg_node->json = is_forced ? value : as_json(a, schema, value);
    return true;
}

/* The depth is bounded by CALL_ARGS_MAX_DEPTH. */
static void put_members(struct jsonw *w, const struct arg_node *n)
{
    jsonw_object(w);
    for (const struct arg_node *m = n->first; m; m = m->next) {
        jsonw_key_str(w, m->key);
        if (m->json.p)
            jsonw_raw(w, m->json);
        else
            put_members(w, m);
    }
    jsonw_end(w);
}

bool call_args_put(struct buf *out, const struct json *schema, char *const *args, size_t count,
                   struct error *err)
{
    struct arena a = {0};
    struct arg_node root = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++)
        ok = add_pair(&a, &root, schema, str_from(args[i]), err);
    if (ok) {
        struct jsonw w = jsonw_make(out);
        put_members(&w, &root);
    }
    arena_done(&a);
    return ok;
}
