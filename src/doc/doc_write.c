#include "doc/doc_write.h"

#include "base/utf8.h"
#include "doc/doc_scalar.h"

#define STEP DOC_WRITE_STEP

/* ---- scalars */

/* Words that readers of YAML 1.1 do not take for text. */
static bool is_yaml11_word(struct str s)
{
    static const struct str words[] = {STR_INIT("y"), STR_INIT("yes"), STR_INIT("on"),
                                       STR_INIT("n"), STR_INIT("no"),  STR_INIT("off")};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_eq_nocase(s, words[i]))
            return true;
    return false;
}

/* Can the text be written without quotes? Names, models and paths can; if in doubt, it is
 * quoted. */
static bool can_be_plain(struct str s)
{
    if (s.n == 0 || s.p[s.n - 1] == ':' || doc_scalar_kind(s) != DOC_SCALAR_TEXT ||
        is_yaml11_word(s))
        return false;
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '/';
        if (!is_letter && (i == 0 || (!(c >= '0' && c <= '9') && !strchr("-.:+@", c))))
            return false;
    }
    return true;
}

/* Characters that YAML does not allow in a text. */
static bool needs_escape(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0x2028 || c == 0x2029 || c == 0xfeff ||
           c == 0xfffe || c == 0xffff;
}

static void put_quoted(struct buf *out, struct str s)
{
    buf_add_char(out, '"');
    for (size_t n = 0; s.n; s = str_skip(s, n)) {
        uint32_t c = utf8_decode(s, &n);
        if (c == '\n')
            buf_add(out, STR("\\n"));
        else if (c == '\t')
            buf_add(out, STR("\\t"));
        else if (needs_escape(c))
            buf_printf(out, "\\u%04x", (unsigned)c);
        else if (c == '"' || c == '\\')
            buf_printf(out, "\\%c", (char)c);
        else
            buf_add(out, str_head(s, n));
    }
    buf_add_char(out, '"');
}

void doc_write_text(struct buf *out, struct str s)
{
    if (can_be_plain(s))
        buf_add(out, s);
    else
        put_quoted(out, s);
}

/* ---- members */

static void put_indent(struct doc_write *w)
{
    for (size_t i = 0; i < w->indent && !w->in_item; i++)
        buf_add_char(w->out, ' ');
    w->in_item = false;
}

void doc_write_key(struct doc_write *w, struct str key)
{
    put_indent(w);
    doc_write_text(w->out, key);
    buf_add_char(w->out, ':');
}

void doc_write_item(struct doc_write *w)
{
    put_indent(w);
    buf_add(w->out, STR("- "));
    w->in_item = true;
}

void doc_write_line(struct doc_write *w, const char *key, struct str value)
{
    doc_write_key(w, str_from(key));
    buf_add_char(w->out, ' ');
    buf_add(w->out, value);
    buf_add_char(w->out, '\n');
}

void doc_write_text_line(struct doc_write *w, const char *key, struct str text)
{
    struct buf value = {0};
    doc_write_text(&value, text);
    doc_write_line(w, key, buf_str(&value));
    buf_done(&value);
}

void doc_write_bool_line(struct doc_write *w, const char *key, bool b)
{
    doc_write_line(w, key, b ? STR("true") : STR("false"));
}

/* Can the text be a literal block? All of it must be visible, and its first line not indented. */
static bool can_be_block(struct str s)
{
    if (str_find_char(s, '\n') == s.n || s.p[0] == ' ' || s.p[0] == '\t' || s.p[0] == '\n')
        return false;
    for (size_t n = 0; s.n; s = str_skip(s, n)) {
        uint32_t c = utf8_decode(s, &n);
        if (needs_escape(c) && c != '\n' && c != '\t')
            return false;
    }
    return true;
}

/* Write "|" and the lines, deeper than the key. The header encodes how many line ends follow the
 * text. */
static void put_block(struct doc_write *w, struct str s)
{
    size_t ends = 0;
    while (ends < s.n && s.p[s.n - 1 - ends] == '\n')
        ends++;
    buf_add(w->out, ends == 0 ? STR("|-\n") : ends == 1 ? STR("|\n") : STR("|+\n"));
    for (bool more = true; more && s.n;) {
        struct str line;
        more = str_cut(&s, '\n', &line);
        for (size_t i = 0; line.n && i < w->indent + STEP; i++)
            buf_add_char(w->out, ' ');
        buf_add(w->out, line);
        buf_add_char(w->out, '\n');
    }
}

/* A scalar, or an empty container. */
static void put_leaf(struct buf *out, const struct json *v)
{
    switch (json_type(v)) {
    case JSON_STRING:
        doc_write_text(out, json_str(v));
        break;
    case JSON_NUMBER:
        buf_add(out, json_number_text(v));
        break;
    case JSON_BOOL:
        buf_add(out, json_bool(v) ? STR("true") : STR("false"));
        break;
    case JSON_ARRAY:
        buf_add(out, STR("[]"));
        break;
    case JSON_OBJECT:
        buf_add(out, STR("{}"));
        break;
    case JSON_NULL:
    case JSON_TYPE_COUNT:
        buf_add(out, STR("null"));
        break;
    }
}

/* v is not empty. The depth is limited by the text it was read from. */
static void put_members(struct doc_write *w, const struct json *v);

void doc_write_value(struct doc_write *w, const struct json *v)
{
    bool is_item = w->in_item;
    if (json_count(v) == 0) {
        buf_add(w->out, is_item ? STR("") : STR(" "));
        w->in_item = false;
        if (json_is(v, JSON_STRING) && can_be_block(json_str(v))) {
            put_block(w, json_str(v));
            return;
        }
        put_leaf(w->out, v);
        buf_add_char(w->out, '\n');
        return;
    }
    if (!is_item)
        buf_add_char(w->out, '\n');
    w->indent += STEP;
    put_members(w, v);
    w->indent -= STEP;
}

static void put_members(struct doc_write *w, const struct json *v)
{
    JSON_EACH (v, k) {
        doc_write_key(w, json_str(k));
        doc_write_value(w, k + 1);
    }
    JSON_ITEMS (v, item) {
        doc_write_item(w);
        doc_write_value(w, item);
    }
}

void doc_write_json(struct doc_write *w, const char *key, const struct json *v)
{
    if (!v)
        return;
    doc_write_key(w, str_from(key));
    doc_write_value(w, v);
}
