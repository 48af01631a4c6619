/* What can be asked of values; json_parse() stands in json_read.c. */
#include "base/json.h"

#include "base/json_keys.h"
#include "base/number.h"

#define FEW_MEMBERS 16u /* so many are searched one by one */

enum json_type json_type(const struct json *v)
{
    return v ? (enum json_type)v->type : JSON_NULL;
}

const char *json_type_name(const struct json *v)
{
    static const char *const names[JSON_TYPE_COUNT] = {
        [JSON_NULL] = "null",       [JSON_BOOL] = "a boolean", [JSON_NUMBER] = "a number",
        [JSON_STRING] = "a string", [JSON_ARRAY] = "an array", [JSON_OBJECT] = "an object",
    };
    return v ? names[v->type] : "missing";
}

static bool is_container(const struct json *v)
{
    return v && (v->type == JSON_ARRAY || v->type == JSON_OBJECT);
}

size_t json_count(const struct json *v)
{
    return is_container(v) ? v->n : 0;
}

const struct json *json_get(const struct json *object, struct str key)
{
    JSON_EACH (object, k)
        if (k->n == key.n && memcmp(k->as.text, key.p ? key.p : "", key.n) == 0)
            return k + 1;
    return NULL;
}

const struct json *json_at(const struct json *array, size_t i)
{
    if (!json_is(array, JSON_ARRAY) || i >= array->n)
        return NULL;
    const struct json *item = array + 1;
    while (i--)
        item = json_next(item);
    return item;
}

struct str json_str(const struct json *v)
{
    return json_is(v, JSON_STRING) ? str_make(v->as.text, v->n) : (struct str){0};
}

bool json_bool(const struct json *v)
{
    return json_is(v, JSON_BOOL) && v->flag;
}

struct str json_number_text(const struct json *v)
{
    return json_is(v, JSON_NUMBER) ? str_make(v->as.text, v->n) : (struct str){0};
}

bool json_i64(const struct json *v, int64_t *out)
{
    return json_is(v, JSON_NUMBER) && number_i64(json_number_text(v), out);
}

bool json_u64(const struct json *v, uint64_t *out)
{
    return json_is(v, JSON_NUMBER) && number_u64(json_number_text(v), out);
}

bool json_double(const struct json *v, double *out)
{
    return json_is(v, JSON_NUMBER) && number_double(json_number_text(v), out);
}

static bool number_equal(const struct json *a, const struct json *b)
{
    int64_t ia, ib;
    uint64_t ua, ub;
    double da, db;
    if (json_i64(a, &ia) && json_i64(b, &ib))
        return ia == ib;
    if (json_u64(a, &ua) && json_u64(b, &ub))
        return ua == ub;
    bool fits = json_double(a, &da);
    if (fits != json_double(b, &db))
        return false;
    return fits ? da == db : str_eq(json_number_text(a), json_number_text(b));
}

/* Members mostly stand in the same order: the next one is tried first. Else they are searched for,
 * and if they are many, through a table: the time must not be the product of both counts. */
static bool object_equal(const struct json *a, const struct json *b)
{
    const struct json *next_b = b + 1, *end_b = json_next(b);
    struct json_keys *table = NULL;
    bool equal = true;
    JSON_EACH (a, k) {
        struct str key = json_str(k);
        const struct json *other = NULL;
        if (next_b != end_b && str_eq(json_str(next_b), key)) {
            other = next_b + 1;
        } else if (b->n <= FEW_MEMBERS) {
            other = json_get(b, key);
        } else {
            table = table ? table : json_keys_new(b);
            other = json_keys_get(table, key);
        }
        equal = other && json_equal(k + 1, other);
        if (!equal)
            break;
        next_b = json_next(other);
    }
    json_keys_free(table);
    return equal;
}

static bool array_equal(const struct json *a, const struct json *b)
{
    const struct json *other = b + 1;
    JSON_ITEMS (a, item) {
        if (!json_equal(item, other))
            return false;
        other = json_next(other);
    }
    return true;
}

/* Recursion is bounded: no value is deeper than JSON_DEPTH_CEILING. */
bool json_equal(const struct json *a, const struct json *b)
{
    if (!a || !b || a->type != b->type)
        return a == b;
    switch ((enum json_type)a->type) {
    case JSON_BOOL:
        return a->flag == b->flag;
    case JSON_NUMBER:
        return number_equal(a, b);
    case JSON_STRING:
        return str_eq(json_str(a), json_str(b));
    case JSON_ARRAY:
        return a->n == b->n && array_equal(a, b);
    case JSON_OBJECT:
        return a->n == b->n && object_equal(a, b);
    case JSON_NULL:
    case JSON_TYPE_COUNT:
        break;
    }
    return true;
}
