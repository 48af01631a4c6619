#include "base/json_indent.h"

#include "base/jsonw.h"

static void put_scalar(struct buf *out, const struct json *v)
{
    struct jsonw w = jsonw_make(out);
    jsonw_value(&w, v);
}

static void new_line(struct buf *out, size_t level)
{
    buf_add_char(out, '\n');
    while (level--)
        buf_add(out, STR("  "));
}

/* Recursion is bounded: no value is deeper than JSON_DEPTH_CEILING. */
static void put(struct buf *out, const struct json *v, size_t level)
{
    bool object = json_is(v, JSON_OBJECT);
    bool first = true;
    if (json_count(v) == 0) {
        put_scalar(out, v);
        return;
    }
    buf_add_char(out, object ? '{' : '[');
    for (const struct json *item = v + 1, *end = json_next(v); item != end;
         item = json_next(item), first = false) {
        if (!first)
            buf_add_char(out, ',');
        new_line(out, level + 1);
        if (object) {
            put_scalar(out, item++);
            buf_add(out, STR(": "));
        }
        put(out, item, level + 1);
    }
    new_line(out, level);
    buf_add_char(out, object ? '}' : ']');
}

void json_indent(struct buf *out, const struct json *v)
{
    put(out, v, 0);
}
