#include "bridge/schema.h"

#include "base/buf.h"
#include "base/mem.h"
#include "bridge/schema_say.h"

#define MAX_TURNS   16u  /* schemas in one another that all speak of the same value */
#define MAX_ABOUT   240u /* bytes of a description that are told */
#define MAX_MESSAGE 2048u

struct check {
    const struct json *root;
    struct error *err;        /* NULL: only the answer is wanted */
    const struct json *fault; /* the value with the last fault; what is missing is behind it all */
    size_t turns;             /* anyOf in one another around the value at hand */
};

static const struct json no_arguments = {.type = JSON_OBJECT, .as.skip = 1};

static bool check_value(struct check *c, const struct json *schema, const struct json *v,
                        const struct schema_place *at);

static bool tell(struct check *c, struct buf *text)
{
    error_set(c->err, ERR_INVALID_PARAMS, "%.*s", STR_ARG(buf_str(text)));
    buf_done(text);
    return false;
}

static bool refuse(struct check *c, const struct json *schema, const struct json *v,
                   const struct schema_place *at)
{
    struct buf text = buf_make(MAX_MESSAGE);
    c->fault = v;
    if (!c->err)
        return false;
    schema_say_place(&text, at);
    if (json_is(schema, JSON_BOOL)) {
        buf_add(&text, STR(" must be left out"));
        return tell(c, &text);
    }
    buf_add(&text, STR(" must be "));
    schema_say_allowed(&text, c->root, schema);
    buf_add(&text, STR(", not "));
    schema_say_came(&text, schema, v);
    return tell(c, &text);
}

static bool refuse_unknown(struct check *c, const struct json *properties, const struct json *key,
                           const struct schema_place *at)
{
    struct buf text = buf_make(MAX_MESSAGE);
    c->fault = key;
    if (!c->err)
        return false;
    schema_say_place(&text, at);
    buf_add(&text, at->up ? STR(" is not known") : STR(" is not an argument of this tool"));
    schema_say_known(&text, properties, json_str(key));
    return tell(c, &text);
}

/* "The path": a first word that is only written large because a sentence begins there. */
static bool begins_large(struct str s)
{
    struct str word;
    str_cut(&s, ' ', &word);
    if (word.n < 2 || word.p[0] < 'A' || word.p[0] > 'Z')
        return false;
    for (size_t i = 1; i < word.n; i++)
        if (word.p[i] < 'a' || word.p[i] > 'z')
            return false;
    return true;
}

/* The description without its full stop, and beginning small, as it stands behind a colon. */
static void put_about(struct buf *out, struct str about)
{
    if (about.n > MAX_ABOUT) {
        size_t n = MAX_ABOUT;
        while (n && about.p[n] != ' ')
            n--;
        about = str_head(about, n);
    }
    if (about.n && about.p[about.n - 1] == '.')
        about.n--;
    if (begins_large(about)) {
        buf_add_char(out, (char)(about.p[0] - 'A' + 'a'));
        about = str_skip(about, 1);
    }
    buf_add(out, about);
}

static bool refuse_missing(struct check *c, const struct json *schema, const struct json *v,
                           const struct schema_place *at)
{
    struct buf text = buf_make(MAX_MESSAGE);
    const struct json *property = json_get(json_get(schema, STR("properties")), at->key);
    struct str about = json_str(json_get(property, STR("description")));
    c->fault = json_next(v);
    if (!c->err)
        return false;
    schema_say_place(&text, at);
    buf_add(&text, STR(" is missing"));
    if (about.n) {
        buf_add(&text, STR(": "));
        put_about(&text, about);
    } else if (property) {
        buf_add(&text, STR(": it must be "));
        schema_say_allowed(&text, c->root, property);
    }
    return tell(c, &text);
}

static bool has_type(const struct json *schema, const struct json *v)
{
    const struct json *type = json_get(schema, STR("type"));
    if (!json_is(type, JSON_ARRAY))
        return !type || schema_is_type(json_str(type), v);
    JSON_ITEMS (type, one)
        if (schema_is_type(json_str(one), v))
            return true;
    return false;
}

static bool is_listed(const struct json *schema, const struct json *v)
{
    const struct json *list = json_get(schema, STR("enum")), *one = json_get(schema, STR("const"));
    if (one && !json_equal(one, v))
        return false;
    JSON_ITEMS (list, item)
        if (json_equal(item, v))
            return true;
    return !list;
}

/* Below 0, 0, above 0: exact for integers, else by double. What is too large for a double is
 * beyond every bound. */
static int compare(const struct json *a, const struct json *b)
{
    int64_t ia, ib;
    uint64_t ua, ub;
    double da, db;
    if (json_i64(a, &ia) && json_i64(b, &ib))
        return ia < ib ? -1 : ia > ib;
    if (json_u64(a, &ua) && json_u64(b, &ub))
        return ua < ub ? -1 : ua > ub;
    if (!json_double(a, &da))
        return json_number_text(a).p[0] == '-' ? -1 : 1;
    return json_double(b, &db) ? da < db ? -1 : da > db : 0;
}

static bool is_within(const struct json *schema, const struct json *v)
{
    const struct json *low = json_get(schema, STR("minimum"));
    const struct json *high = json_get(schema, STR("maximum"));
    return (!low || compare(v, low) >= 0) && (!high || compare(v, high) <= 0);
}

static bool is_counted(const struct json *low, const struct json *high, size_t n)
{
    uint64_t bound;
    return (!json_u64(low, &bound) || n >= bound) && (!json_u64(high, &bound) || n <= bound);
}

/* What can be said of a value without looking into it. */
static bool is_allowed(const struct json *schema, const struct json *v)
{
    if (!has_type(schema, v) || !is_listed(schema, v))
        return false;
    if (json_is(v, JSON_NUMBER))
        return is_within(schema, v);
    if (json_is(v, JSON_STRING))
        return is_counted(json_get(schema, STR("minLength")), json_get(schema, STR("maxLength")),
                          schema_length(json_str(v)));
    if (json_is(v, JSON_ARRAY))
        return is_counted(json_get(schema, STR("minItems")), json_get(schema, STR("maxItems")),
                          json_count(v));
    return true;
}

static bool check_inside(struct check *c, const struct json *schema, const struct json *v,
                         const struct schema_place *at)
{
    size_t turns = c->turns;
    c->turns = 0;
    bool ok = check_value(c, schema, v, at);
    c->turns = turns;
    return ok;
}

static bool check_members(struct check *c, const struct json *schema, const struct json *v,
                          const struct schema_place *at)
{
    const struct json *properties = json_get(schema, STR("properties"));
    const struct json *others = json_get(schema, STR("additionalProperties"));
    JSON_EACH (v, key) {
        struct schema_place here = {.up = at, .key = json_str(key)};
        const struct json *property = json_get(properties, here.key);
        if (!property && json_is(others, JSON_BOOL) && !json_bool(others))
            return refuse_unknown(c, properties, key, &here);
        property = property ? property : others;
        if (property && !check_inside(c, property, key + 1, &here))
            return false;
    }
    JSON_ITEMS (json_get(schema, STR("required")), name) {
        struct schema_place here = {.up = at, .key = json_str(name)};
        if (!json_get(v, here.key))
            return refuse_missing(c, schema, v, &here);
    }
    return true;
}

static bool check_items(struct check *c, const struct json *schema, const struct json *v,
                        const struct schema_place *at)
{
    const struct json *items = json_get(schema, STR("items"));
    struct schema_place here = {.up = at, .is_item = true};
    if (!items)
        return true;
    JSON_ITEMS (v, item) {
        if (!check_inside(c, items, item, &here))
            return false;
        here.index++;
    }
    return true;
}

/* If none fits, the one that came furthest was meant, and its fault is told; if all of them refuse
 * the value as such, what they allow together. */
static bool check_any(struct check *c, const struct json *schema, const struct json *v,
                      const struct schema_place *at)
{
    struct error *err = c->err;
    const struct json *furthest = v, *meant = NULL;
    c->err = NULL;
    JSON_ITEMS (json_get(schema, STR("anyOf")), one) {
        if (check_value(c, one, v, at)) {
            c->err = err;
            return true;
        }
        if (c->fault > furthest) {
            furthest = c->fault;
            meant = one;
        }
    }
    c->err = err;
    c->fault = furthest;
    if (!err)
        return false;
    return meant ? check_value(c, meant, v, at) : refuse(c, schema, v, at);
}

static bool check_value(struct check *c, const struct json *schema, const struct json *v,
                        const struct schema_place *at)
{
    bool ok = true;
    schema = schema_resolve(c->root, schema);
    if (json_is(schema, JSON_BOOL))
        return json_bool(schema) || refuse(c, schema, v, at);
    if (!is_allowed(schema, v))
        return refuse(c, schema, v, at);
    if (++c->turns > MAX_TURNS)
        mem_die("a schema whose anyOf leads back to itself");
    if (json_is(v, JSON_OBJECT))
        ok = check_members(c, schema, v, at);
    else if (json_is(v, JSON_ARRAY))
        ok = check_items(c, schema, v, at);
    if (ok && json_get(schema, STR("anyOf")))
        ok = check_any(c, schema, v, at);
    c->turns--;
    return ok;
}

bool schema_check(const struct json *schema, const struct json *value, struct error *err)
{
    struct check c = {.root = schema, .err = err};
    return check_value(&c, schema, value ? value : &no_arguments, NULL);
}
