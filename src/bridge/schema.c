#include "bridge/schema.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "base/quote.h"

#define MAX_NESTED  16u  /* anyOf within each other for the same value */
#define MAX_PATH    120u /* bytes of a path in a message, */
#define MAX_ABOUT   240u /* and of a description */
#define MAX_MESSAGE 2048u

struct schema_check {
    const struct json *root;
    struct error *err; /* NULL: only the result is wanted */
    const struct json
        *fault; /* the last value that does not fit; of a missing member, the end of its object */
    size_t nested; /* anyOf around the present value */
};

struct schema_place { /* of a value: a chain up to the root, which is NULL */
    const struct schema_place *up;
    struct str key; /* in an object */
    size_t index;   /* in an array */
    bool is_item;
};

/* ---- texts of messages */

#define MAX_REFS 16u /* in a row, without a step into the value */

static const struct json *resolve_ref(const struct json *root, const struct json *schema)
{
    const struct str defs = STR("#/$defs/");
    for (size_t i = 0; i < MAX_REFS; i++) {
        struct str ref = json_str(json_get(schema, STR("$ref")));
        if (!ref.p)
            return schema;
        if (str_eq(ref, STR("#")))
            schema = root;
        else if (str_starts(ref, defs))
            schema = json_get(json_get(root, STR("$defs")), str_skip(ref, defs.n));
        else
            schema = NULL;
        if (!schema)
            mem_die("a schema whose $ref leads nowhere");
    }
    mem_die("a schema whose $ref leads back to itself");
}

static bool is_of_type(struct str type, const struct json *v)
{
    static const struct str names[JSON_TYPE_COUNT] = {
        [JSON_NULL] = STR_INIT("null"),     [JSON_BOOL] = STR_INIT("boolean"),
        [JSON_NUMBER] = STR_INIT("number"), [JSON_STRING] = STR_INIT("string"),
        [JSON_ARRAY] = STR_INIT("array"),   [JSON_OBJECT] = STR_INIT("object"),
    };
    int64_t i;
    uint64_t u;
    if (str_eq(type, STR("integer")))
        return json_i64(v, &i) || json_u64(v, &u);
    return str_eq(type, names[json_type(v)]);
}

static size_t count_characters(struct str s)
{
    size_t n = 0;
    for (size_t i = 0; i < s.n; i++)
        n += ((unsigned char)s.p[i] & 0xc0) != 0x80;
    return n;
}

static bool is_plain_key(struct str key)
{
    for (size_t i = 0; i < key.n; i++) {
        char c = key.p[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
        if (!letter && (i == 0 || ((c < '0' || c > '9') && c != '-')))
            return false;
    }
    return key.n > 0 && key.n <= QUOTE_MAX;
}

/* Recursion is bounded by the depth of the value. */
static void put_path(struct buf *out, const struct schema_place *place)
{
    if (!place)
        return;
    put_path(out, place->up);
    if (place->is_item) {
        buf_printf(out, "[%zu]", place->index);
    } else if (is_plain_key(place->key)) {
        buf_printf(out, "%s%.*s", place->up ? "." : "", STR_ARG(place->key));
    } else {
        buf_add(out, place->up ? STR("[") : STR(""));
        quote_add(out, place->key, QUOTE_MAX);
        buf_add(out, place->up ? STR("]") : STR(""));
    }
}

/* Cut a long path at its beginning: the error is at its end. */
static void put_place(struct buf *out, const struct schema_place *place)
{
    struct buf path = {0};
    put_path(&path, place);
    struct str shown = buf_str(&path);
    if (shown.n > MAX_PATH) {
        shown = str_skip(shown, shown.n - MAX_PATH);
        size_t key = str_find_char(shown, '.') + 1;
        shown = str_skip(shown, key < shown.n ? key : 0);
        while (shown.n && ((unsigned char)shown.p[0] & 0xc0) == 0x80)
            shown = str_skip(shown, 1);
        buf_add(out, STR("..."));
    }
    buf_add(out, place ? shown : STR("the arguments"));
    buf_done(&path);
}

/* " from 0 to 50", " of 1 to 128 characters", " of at least 1". */
static void put_range(struct buf *out, const struct json *low, const struct json *high,
                      const char *unit)
{
    struct str a = json_number_text(low), b = json_number_text(high);
    const char *before = *unit ? " of" : " from";
    if (a.n && b.n)
        buf_printf(out, "%s %.*s to %.*s", before, STR_ARG(a), STR_ARG(b));
    else if (a.n)
        buf_printf(out, " of at least %.*s", STR_ARG(a));
    else if (b.n)
        buf_printf(out, " of at most %.*s", STR_ARG(b));
    if (*unit && (a.n || b.n))
        buf_printf(out, " %s%s", unit, str_eq(b.n ? b : a, STR("1")) ? "" : "s");
}

static void put_type(struct buf *out, const struct json *schema, struct str type)
{
    if (str_eq(type, STR("integer")) || str_eq(type, STR("number"))) {
        buf_add(out, type.p[0] == 'i' ? STR("an integer") : STR("a number"));
        put_range(out, json_get(schema, STR("minimum")), json_get(schema, STR("maximum")), "");
    } else if (str_eq(type, STR("string"))) {
        buf_add(out, STR("a string"));
        put_range(out, json_get(schema, STR("minLength")), json_get(schema, STR("maxLength")),
                  "character");
    } else if (str_eq(type, STR("array"))) {
        buf_add(out, STR("an array"));
        put_range(out, json_get(schema, STR("minItems")), json_get(schema, STR("maxItems")),
                  "item");
    } else if (str_eq(type, STR("object"))) {
        buf_add(out, STR("an object"));
    } else {
        buf_add(out, str_eq(type, STR("boolean")) ? STR("true or false") : type);
    }
}

static void put_enum(struct buf *out, const struct json *values)
{
    bool first = true;
    if (json_count(values) > 1)
        buf_add(out, STR("one of "));
    JSON_ITEMS (values, value) {
        buf_add(out, first ? STR("") : STR(", "));
        quote_value(out, value, SIZE_MAX);
        first = false;
    }
}

/* Recursion is bounded by the schema: a cycle of $ref and anyOf alone aborts when a value is
 * checked. */
static void put_allowed(struct buf *out, const struct json *root, const struct json *schema)
{
    schema = resolve_ref(root, schema);
    const struct json *type = json_get(schema, STR("type"));
    const struct json *any = json_get(schema, STR("anyOf"));
    const struct json *list = json_get(schema, STR("enum"));
    const struct json *value = json_get(schema, STR("const"));
    bool first = true;
    if (list) {
        put_enum(out, list);
    } else if (value) {
        quote_value(out, value, SIZE_MAX);
    } else if (json_is(type, JSON_STRING)) {
        put_type(out, schema, json_str(type));
    } else if (type) {
        JSON_ITEMS (type, one) {
            buf_add(out, first ? STR("") : STR(" or "));
            put_type(out, schema, json_str(one));
            first = false;
        }
    } else if (any) {
        JSON_ITEMS (any, one) {
            buf_add(out, first ? STR("") : STR(" or "));
            put_allowed(out, root, one);
            first = false;
        }
    } else {
        buf_add(out, STR("something else"));
    }
}

static bool wants_only(const struct json *schema, enum json_type type)
{
    static const struct str names[JSON_TYPE_COUNT] = {[JSON_ARRAY] = STR_INIT("array"),
                                                      [JSON_OBJECT] = STR_INIT("object"),
                                                      [JSON_STRING] = STR_INIT("string")};
    return str_eq(json_str(json_get(schema, STR("type"))), names[type]) &&
           !json_get(schema, STR("enum"));
}

/* Show the size of a value that is too long or too short, the type of one that should be an array
 * or object, and the value itself otherwise. */
static void put_given(struct buf *out, const struct json *schema, const struct json *v)
{
    size_t n = count_characters(json_str(v));
    if (json_is(v, JSON_STRING) && n > QUOTE_MAX && wants_only(schema, JSON_STRING))
        buf_printf(out, "one of %zu", n);
    else if (json_is(v, JSON_ARRAY) && wants_only(schema, JSON_ARRAY))
        buf_printf(out, "one of %zu", json_count(v));
    else if (wants_only(schema, JSON_ARRAY) || wants_only(schema, JSON_OBJECT))
        buf_add(out, str_from(json_type_name(v)));
    else
        quote_value(out, v, QUOTE_MAX);
}

static void put_known_names(struct buf *out, const struct json *properties, struct str unknown)
{
    struct nearest near = nearest_make(unknown);
    const char *before = "; allowed are ";
    JSON_EACH (properties, name)
        nearest_offer(&near, json_str(name));
    if (near.best.n) {
        buf_printf(out, "; did you mean %.*s?", STR_ARG(near.best));
        return;
    }
    JSON_EACH (properties, name) {
        buf_printf(out, "%s%.*s", before, STR_ARG(json_str(name)));
        before = ", ";
    }
}

/* ---- checks */

static const struct json no_arguments = {.type = JSON_OBJECT, .as.skip = 1};

static bool check_value(struct schema_check *c, const struct json *schema, const struct json *v,
                        const struct schema_place *at);

static bool set_message(struct schema_check *c, struct buf *text)
{
    error_set(c->err, ERR_INVALID_PARAMS, "%.*s", STR_ARG(buf_str(text)));
    buf_done(text);
    return false;
}

static bool refuse_value(struct schema_check *c, const struct json *schema, const struct json *v,
                         const struct schema_place *at)
{
    struct buf text = buf_make(MAX_MESSAGE);
    c->fault = v;
    if (!c->err)
        return false;
    put_place(&text, at);
    if (json_is(schema, JSON_BOOL)) {
        buf_add(&text, STR(" must be left out"));
        return set_message(c, &text);
    }
    buf_add(&text, STR(" must be "));
    put_allowed(&text, c->root, schema);
    buf_add(&text, STR(", not "));
    put_given(&text, schema, v);
    return set_message(c, &text);
}

static bool refuse_unknown(struct schema_check *c, const struct json *properties,
                           const struct json *key, const struct schema_place *at)
{
    struct buf text = buf_make(MAX_MESSAGE);
    c->fault = key;
    if (!c->err)
        return false;
    put_place(&text, at);
    buf_add(&text, at->up ? STR(" is not known") : STR(" is not an argument of this tool"));
    put_known_names(&text, properties, json_str(key));
    return set_message(c, &text);
}

/* Whether the first word has a capital only because it begins a sentence: "The path". */
static bool begins_with_capital(struct str s)
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

/* Append the description as it reads after a colon: without a capital and a full stop. */
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
    if (begins_with_capital(about)) {
        buf_add_char(out, (char)(about.p[0] - 'A' + 'a'));
        about = str_skip(about, 1);
    }
    buf_add(out, about);
}

static bool refuse_missing(struct schema_check *c, const struct json *schema, const struct json *v,
                           const struct schema_place *at)
{
    struct buf text = buf_make(MAX_MESSAGE);
    const struct json *property = json_get(json_get(schema, STR("properties")), at->key);
    struct str about = json_str(json_get(property, STR("description")));
    c->fault = json_next(v);
    if (!c->err)
        return false;
    put_place(&text, at);
    buf_add(&text, STR(" is missing"));
    if (about.n) {
        buf_add(&text, STR(": "));
        put_about(&text, about);
    } else if (property) {
        buf_add(&text, STR(": it must be "));
        put_allowed(&text, c->root, property);
    }
    return set_message(c, &text);
}

static bool has_type(const struct json *schema, const struct json *v)
{
    const struct json *type = json_get(schema, STR("type"));
    if (!json_is(type, JSON_ARRAY))
        return !type || is_of_type(json_str(type), v);
    JSON_ITEMS (type, one)
        if (is_of_type(json_str(one), v))
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

/* Return a number below, equal to or above 0. Integers are compared exactly, others as doubles. A
 * number too large for a double is beyond every bound. */
static int compare_numbers(const struct json *a, const struct json *b)
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
    return (!low || compare_numbers(v, low) >= 0) && (!high || compare_numbers(v, high) <= 0);
}

static bool is_counted(const struct json *low, const struct json *high, size_t n)
{
    uint64_t bound;
    return (!json_u64(low, &bound) || n >= bound) && (!json_u64(high, &bound) || n <= bound);
}

/* Check the value itself, without its members or items. */
static bool is_allowed(const struct json *schema, const struct json *v)
{
    if (!has_type(schema, v) || !is_listed(schema, v))
        return false;
    if (json_is(v, JSON_NUMBER))
        return is_within(schema, v);
    if (json_is(v, JSON_STRING))
        return is_counted(json_get(schema, STR("minLength")), json_get(schema, STR("maxLength")),
                          count_characters(json_str(v)));
    if (json_is(v, JSON_ARRAY))
        return is_counted(json_get(schema, STR("minItems")), json_get(schema, STR("maxItems")),
                          json_count(v));
    return true;
}

static bool check_inside(struct schema_check *c, const struct json *schema, const struct json *v,
                         const struct schema_place *at)
{
    size_t nested = c->nested;
    c->nested = 0;
    bool ok = check_value(c, schema, v, at);
    c->nested = nested;
    return ok;
}

static bool check_members(struct schema_check *c, const struct json *schema, const struct json *v,
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

static bool check_items(struct schema_check *c, const struct json *schema, const struct json *v,
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

/* If no alternative fits, report the error of the one that got furthest; if all refuse the value
 * itself, report what they allow together. */
static bool check_any(struct schema_check *c, const struct json *schema, const struct json *v,
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
    return meant ? check_value(c, meant, v, at) : refuse_value(c, schema, v, at);
}

static bool check_value(struct schema_check *c, const struct json *schema, const struct json *v,
                        const struct schema_place *at)
{
    bool ok = true;
    schema = resolve_ref(c->root, schema);
    if (json_is(schema, JSON_BOOL))
        return json_bool(schema) || refuse_value(c, schema, v, at);
    if (!is_allowed(schema, v))
        return refuse_value(c, schema, v, at);
    if (++c->nested > MAX_NESTED)
        mem_die("a schema whose anyOf leads back to itself");
    if (json_is(v, JSON_OBJECT))
        ok = check_members(c, schema, v, at);
    else if (json_is(v, JSON_ARRAY))
        ok = check_items(c, schema, v, at);
    if (ok && json_get(schema, STR("anyOf")))
        ok = check_any(c, schema, v, at);
    c->nested--;
    return ok;
}

bool schema_check(const struct json *schema, const struct json *value, struct error *err)
{
    struct schema_check c = {.root = schema, .err = err};
    return check_value(&c, schema, value ? value : &no_arguments, NULL);
}
