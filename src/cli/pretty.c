#include "cli/pretty.h"

#include "base/jsonw.h"

static void put_scalar(struct buf *out, const struct json *v)
{
    struct jsonw w = jsonw_make(out);
    jsonw_value(&w, v);
}

static void put_line_start(struct buf *out, bool first, size_t level)
{
    if (!first)
        buf_add_char(out, ',');
    buf_printf(out, "\n%*s", (int)(2 * level), "");
}

/* As deep as the value, which the reader of JSON bounds. */
static void put(struct buf *out, const struct json *v, size_t level)
{
    bool is_object = json_is(v, JSON_OBJECT), first = true;
    if ((!is_object && !json_is(v, JSON_ARRAY)) || json_count(v) == 0) {
        put_scalar(out, v);
        return;
    }
    buf_add_char(out, is_object ? '{' : '[');
    JSON_ITEMS (v, item) {
        put_line_start(out, first, level + 1);
        put(out, item, level + 1);
        first = false;
    }
    JSON_EACH (v, k) {
        put_line_start(out, first, level + 1);
        put_scalar(out, k);
        buf_add(out, STR(": "));
        put(out, k + 1, level + 1);
        first = false;
    }
    buf_printf(out, "\n%*s%c", (int)(2 * level), "", is_object ? '}' : ']');
}

void pretty_put(struct buf *out, const struct json *v)
{
    put(out, v, 0);
}
