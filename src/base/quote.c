#include "base/quote.h"

#include "base/utf8.h"

/* Is c a control character or an invisible one that could hide text? */
static bool is_unseen(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0xad || (c >= 0x200b && c <= 0x200f) ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff ||
           (c >= 0xe0000 && c <= 0xe0fff);
}

static void add_char(struct buf *out, struct str text, size_t *bytes)
{
    size_t n = utf8_char_bytes(text);
    if (n == 0) {
        *bytes = utf8_bad_bytes(text);
        buf_add(out, STR("\xef\xbf\xbd"));
        return;
    }
    uint32_t c = utf8_decode(text, bytes);
    if (is_unseen(c)) {
        buf_printf(out, "\\u%04x", (unsigned)c);
        return;
    }
    if (c == '"' || c == '\\')
        buf_add_char(out, '\\');
    buf_add(out, str_head(text, n));
}

void quote_add(struct buf *out, struct str text, size_t max)
{
    buf_add_char(out, '"');
    for (size_t bytes; text.n && max; max--, text = str_skip(text, bytes))
        add_char(out, text, &bytes);
    buf_add(out, text.n ? STR("...\"") : STR("\""));
}

void quote_value(struct buf *out, const struct json *v, size_t max)
{
    struct str number = json_number_text(v);
    if (json_is(v, JSON_STRING)) {
        quote_add(out, json_str(v), max);
    } else if (json_is(v, JSON_NUMBER)) {
        buf_add(out, str_head(number, max));
        buf_add(out, number.n > max ? STR("...") : STR(""));
    } else if (json_is(v, JSON_BOOL)) {
        buf_add(out, json_bool(v) ? STR("true") : STR("false"));
    } else {
        buf_add(out, str_from(json_type_name(v)));
    }
}
