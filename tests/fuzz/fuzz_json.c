/* Reads the bytes as JSON. The result is written and read again, and must be the same; an error has
 * a place and a reason. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/jsonw.h"
#include "base/number.h"
#include "base/utf8.h"
#include "fuzz.h"

/* Every number, with every reading function; a printed double reads back. */
static void check_number(const struct json *v)
{
    int64_t i;
    uint64_t u;
    double d, again;
    char text[NUMBER_MAX];
    bool has_i = json_i64(v, &i), has_u = json_u64(v, &u), has_d = json_double(v, &d);
    assert(!has_i || has_d);
    assert(!has_u || has_d);
    assert(!has_i || !has_u || (uint64_t)i == u);
    if (has_d)
        assert(number_double(str_make(text, number_print_double(d, text)), &again) && again == d);
}

static void check_values(const struct json *doc)
{
    const struct json *end = json_next(doc);
    for (const struct json *v = doc; v != end; v++) {
        if (json_is(v, JSON_NUMBER))
            check_number(v);
        else if (json_is(v, JSON_STRING))
            assert(utf8_is_valid(json_str(v)));
        else
            assert(json_next(v) > v && json_next(v) <= end);
    }
    JSON_EACH (doc, k)
        assert(json_get(doc, json_str(k)) == k + 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena a = {0};
    struct json_error err = {.offset = SIZE_MAX};
    const struct json *doc = json_parse(&a, str_make((const char *)data, size), NULL, &err);
    if (doc) {
        struct buf out = {0};
        struct jsonw w = jsonw_make(&out);
        check_values(doc);
        jsonw_value(&w, doc);
        const struct json *again = json_parse(&a, buf_str(&out), NULL, &err);
        assert(again && json_equal(doc, again) && json_equal(again, doc));
        buf_done(&out);
    } else {
        assert(err.offset <= size && err.reason);
    }
    arena_done(&a);
    return 0;
}
