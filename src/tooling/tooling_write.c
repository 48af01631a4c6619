/* tooling_write_yaml(): what tooling_read() reads back as the same. */
#include "base/buf.h"
#include "base/number.h"
#include "base/utf8.h"
#include "tooling/doc_scalar.h"
#include "tooling/tooling.h"

#define STEP 2u /* blanks for each level */

struct writer {
    struct buf *out;
    size_t indent; /* of the members that are being written */
    bool in_item;  /* a "- " was written: the first member stands on its line */
};

/* ---- scalars */

/* What readers of YAML 1.1 take for something else than text. */
static bool is_old_word(struct str s)
{
    static const struct str words[] = {STR_INIT("y"), STR_INIT("yes"), STR_INIT("on"),
                                       STR_INIT("n"), STR_INIT("no"),  STR_INIT("off")};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_eq_nocase(s, words[i]))
            return true;
    return false;
}

/* Whether the text can stand without quotes: names, models, paths. Who doubts, quotes. */
static bool is_plain(struct str s)
{
    if (s.n == 0 || s.p[s.n - 1] == ':' || doc_scalar_kind(s) != DOC_SCALAR_TEXT || is_old_word(s))
        return false;
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '/';
        if (!is_letter && (i == 0 || (!(c >= '0' && c <= '9') && !strchr("-.:+@", c))))
            return false;
    }
    return true;
}

/* Characters that YAML does not let stand in a text. */
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

static void put_text(struct buf *out, struct str s)
{
    if (is_plain(s))
        buf_add(out, s);
    else
        put_quoted(out, s);
}

/* ---- members */

static void put_indent(struct writer *w)
{
    for (size_t i = 0; i < w->indent && !w->in_item; i++)
        buf_add_char(w->out, ' ');
    w->in_item = false;
}

/* "key:"; the value follows. */
static void put_key(struct writer *w, struct str key)
{
    put_indent(w);
    put_text(w->out, key);
    buf_add_char(w->out, ':');
}

/* "- "; what follows stands on its line. */
static void put_item(struct writer *w)
{
    put_indent(w);
    buf_add(w->out, STR("- "));
    w->in_item = true;
}

static void put_line(struct writer *w, const char *key, struct str value)
{
    put_key(w, str_from(key));
    buf_add_char(w->out, ' ');
    buf_add(w->out, value);
    buf_add_char(w->out, '\n');
}

static void put_text_line(struct writer *w, const char *key, struct str text)
{
    struct buf value = {0};
    put_text(&value, text);
    put_line(w, key, buf_str(&value));
    buf_done(&value);
}

static void put_bool_line(struct writer *w, const char *key, bool b)
{
    put_line(w, key, b ? STR("true") : STR("false"));
}

/* A scalar, or an empty container. */
static void put_small(struct buf *out, const struct json *v)
{
    switch (json_type(v)) {
    case JSON_STRING:
        put_text(out, json_str(v));
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

/* The members or items of v, which has some; no deeper than the text it was read from. */
static void put_members(struct writer *w, const struct json *v);

/* The value of a member whose key was written, or of an item. */
static void put_value(struct writer *w, const struct json *v)
{
    bool is_item = w->in_item;
    if (json_count(v) == 0) {
        buf_add(w->out, is_item ? STR("") : STR(" "));
        w->in_item = false;
        put_small(w->out, v);
        buf_add_char(w->out, '\n');
        return;
    }
    if (!is_item)
        buf_add_char(w->out, '\n');
    w->indent += STEP;
    put_members(w, v);
    w->indent -= STEP;
}

static void put_members(struct writer *w, const struct json *v)
{
    JSON_EACH (v, k) {
        put_key(w, json_str(k));
        put_value(w, k + 1);
    }
    JSON_ITEMS (v, item) {
        put_item(w);
        put_value(w, item);
    }
}

static void put_json(struct writer *w, const char *key, const struct json *v)
{
    if (!v)
        return;
    put_key(w, str_from(key));
    put_value(w, v);
}

/* ---- the configuration */

static void put_overrides(struct writer *w, const struct candidate *c)
{
    if (c->cli_path.n)
        put_text_line(w, "cli_path", c->cli_path);
    put_json(w, "flags", c->flags);
    put_json(w, "env", c->env);
    put_json(w, "tool_specific", c->tool_specific);
    if (c->system_prompt.n)
        put_text_line(w, "system_prompt", c->system_prompt);
}

static void put_tool(struct writer *w, const struct candidate *c)
{
    if (c->tool != TOOL_NONE)
        put_text_line(w, "tool", str_from(tool_kind_name(c->tool)));
    if (c->model.n)
        put_text_line(w, "model", c->model);
}

static void put_candidate(struct writer *w, const struct candidate *c)
{
    char weight[NUMBER_MAX];
    put_item(w);
    w->indent += STEP;
    put_tool(w, c);
    put_line(w, "weight", str_make(weight, number_print_double(c->weight, weight)));
    put_overrides(w, c);
    w->indent -= STEP;
}

static void put_category(struct writer *w, enum category which, const struct tooling_category *c)
{
    char seconds[NUMBER_MAX];
    put_key(w, str_from(category_name(which)));
    buf_add_char(w->out, '\n');
    w->indent += STEP;
    put_text_line(w, "strategy", str_from(strategy_name(c->strategy)));
    put_bool_line(w, "fallback_on_rate_limit", c->fallback);
    put_line(w, "cooldown_sec",
             str_make(seconds, number_print_u64(c->cooldown_ms / 1000, seconds)));
    put_key(w, STR("candidates"));
    buf_add_char(w->out, '\n');
    w->indent += STEP;
    for (size_t i = 0; i < c->count; i++)
        put_candidate(w, &c->candidates[i]);
    w->indent -= 2 * STEP;
}

static void put_profile(struct writer *w, const struct tooling_profile *p)
{
    put_item(w);
    w->indent += STEP;
    put_text_line(w, "id", p->id);
    put_text_line(w, "name", p->name);
    put_key(w, STR("categories"));
    buf_add_char(w->out, '\n');
    w->indent += STEP;
    for (enum category c = 0; c < CATEGORY_COUNT; c++)
        if (p->categories[c].count)
            put_category(w, c, &p->categories[c]);
    w->indent -= 2 * STEP;
}

void tooling_write_yaml(const struct tooling *t, struct buf *out, size_t indent)
{
    struct writer w = {.out = out, .indent = indent};
    put_text_line(&w, "active_profile", t->active->id);
    put_key(&w, STR("profiles"));
    buf_add_char(out, '\n');
    w.indent += STEP;
    for (size_t i = 0; i < t->profile_count; i++)
        put_profile(&w, &t->profiles[i]);
    w.indent -= STEP;
    put_key(&w, STR("force"));
    buf_add_char(out, '\n');
    w.indent += STEP;
    put_bool_line(&w, "enabled", t->forced);
    put_tool(&w, &t->force);
    put_overrides(&w, &t->force);
}
