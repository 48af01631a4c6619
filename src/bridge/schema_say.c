#include "bridge/schema_say.h"

#include "base/mem.h"
#include "base/nearest.h"
#include "base/quote.h"

#define MAX_REFS 16u  /* that follow each other without a step into the value */
#define MAX_PATH 120u /* bytes of a path that are shown */

const struct json *schema_resolve(const struct json *root, const struct json *schema)
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

bool schema_is_type(struct str type, const struct json *v)
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

size_t schema_length(struct str s)
{
    size_t n = 0;
    for (size_t i = 0; i < s.n; i++)
        n += ((unsigned char)s.p[i] & 0xc0) != 0x80;
    return n;
}

static bool is_plain(struct str key)
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
    } else if (is_plain(place->key)) {
        buf_printf(out, "%s%.*s", place->up ? "." : "", STR_ARG(place->key));
    } else {
        buf_add(out, place->up ? STR("[") : STR(""));
        quote_add(out, place->key, QUOTE_MAX);
        buf_add(out, place->up ? STR("]") : STR(""));
    }
}

/* Of a long path the end is shown: that is where the fault is. */
void schema_say_place(struct buf *out, const struct schema_place *place)
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

/* " from 0 to 50", " of 1 to 128 characters": low and high are the words before a bound that
 * stands alone. */
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

/* Recursion is bounded by the schema: only a cycle of $ref and anyOf alone could go on, and such a
 * schema has aborted before, when it was checked. */
void schema_say_allowed(struct buf *out, const struct json *root, const struct json *schema)
{
    schema = schema_resolve(root, schema);
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
            schema_say_allowed(out, root, one);
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

/* Where the kind is right and only there is too much or too little of it, how much it is. Where an
 * array or object was wanted, the kind: nobody needs to see the text that came instead. */
void schema_say_came(struct buf *out, const struct json *schema, const struct json *v)
{
    size_t n = schema_length(json_str(v));
    if (json_is(v, JSON_STRING) && n > QUOTE_MAX && wants_only(schema, JSON_STRING))
        buf_printf(out, "one of %zu", n);
    else if (json_is(v, JSON_ARRAY) && wants_only(schema, JSON_ARRAY))
        buf_printf(out, "one of %zu", json_count(v));
    else if (wants_only(schema, JSON_ARRAY) || wants_only(schema, JSON_OBJECT))
        buf_add(out, str_from(json_type_name(v)));
    else
        quote_value(out, v, QUOTE_MAX);
}

void schema_say_known(struct buf *out, const struct json *properties, struct str unknown)
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
