#include "base/secrets.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base64.h"
#include "base/jsonw.h"
#include "base/mem.h"

#define PATIENCE 4u /* how many longest forms to wait for in a chain of overlapping values */

struct secrets_form {
    char *p;
    size_t n;
};

/* ---- forms */

static struct str form_str(const struct secrets_form *f)
{
    return str_make(f->p, f->n);
}

static int compare_forms(const void *x, const void *y)
{
    const struct secrets_form *a = x, *b = y;
    unsigned char first = (unsigned char)a->p[0], other = (unsigned char)b->p[0];
    if (first != other)
        return first < other ? -1 : 1;
    if (a->n != b->n)
        return a->n > b->n ? -1 : 1;
    return memcmp(a->p, b->p, a->n);
}

/* Forms that are too short would mask harmless text. */
static void add_form(struct secrets *s, struct str form)
{
    if (form.n < SECRETS_MIN)
        return;
    for (size_t i = 0; i < s->count; i++)
        if (str_eq(form_str(&s->forms[i]), form))
            return;
    void *items = s->forms;
    mem_grow(&items, &s->cap, s->count + 1, sizeof *s->forms);
    s->forms = items;
    s->forms[s->count++] = (struct secrets_form){.p = str_dup(form), .n = form.n};
    if (form.n > s->longest)
        s->longest = form.n;
}

/* Escape as in a JSON string, without the quotes. */
static void escape_json(struct str text, bool slashes, struct buf *out)
{
    struct buf quoted = {0};
    struct jsonw w = jsonw_make(&quoted);
    jsonw_str(&w, text);
    for (size_t i = 1; i + 1 < quoted.n; i++) {
        if (slashes && quoted.p[i] == '/')
            buf_add_char(out, '\\');
        buf_add_char(out, quoted.p[i]);
    }
    buf_done(&quoted);
}

static void add_json_forms(struct secrets *s, struct str value)
{
    for (int slashes = 0; slashes < 2; slashes++) {
        struct buf once = {0}, twice = {0};
        escape_json(value, slashes, &once);
        add_form(s, buf_str(&once));
        escape_json(buf_str(&once), false, &twice); /* a JSON text inside a JSON string */
        add_form(s, buf_str(&twice));
        buf_done(&once);
        buf_done(&twice);
    }
}

static bool is_unreserved(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c && strchr("-_.~", c));
}

static void add_url_forms(struct secrets *s, struct str value)
{
    for (int lower = 0; lower < 2; lower++) {
        struct buf b = {0};
        for (size_t i = 0; i < value.n; i++) {
            if (is_unreserved(value.p[i]))
                buf_add_char(&b, value.p[i]);
            else
                buf_printf(&b, lower ? "%%%02x" : "%%%02X", (unsigned char)value.p[i]);
        }
        add_form(s, buf_str(&b));
        buf_done(&b);
    }
}

/* In the base64 of a longer text the value begins at one of three positions of a group. Letters at
 * its ends depend on the neighbours, so use only those in between. */
static void add_base64_forms(struct secrets *s, struct str value)
{
    static const size_t skip[3] = {0, 2, 3};
    for (size_t before = 0; before < 3; before++) {
        struct buf bytes = {0}, standard = {0}, url = {0};
        for (size_t i = 0; i < before; i++)
            buf_add_char(&bytes, 0);
        buf_add(&bytes, value);
        base64_encode(&standard, buf_str(&bytes));
        base64_encode_url(&url, buf_str(&bytes));
        size_t whole = bytes.n * 8 / 6;
        if (whole > skip[before]) {
            add_form(s, str_make(standard.p + skip[before], whole - skip[before]));
            add_form(s, str_make(url.p + skip[before], whole - skip[before]));
        }
        buf_done(&bytes);
        buf_done(&standard);
        buf_done(&url);
    }
}

/* Joined to one line, as in messages: a key may have several lines. */
static void add_line_form(struct secrets *s, struct str value)
{
    struct buf line = {0};
    for (size_t i = 0; i < value.n; i++) {
        unsigned char c = (unsigned char)value.p[i];
        bool blank = c <= ' ' || c == 127;
        if (!blank)
            buf_add_char(&line, (char)c);
        else if (line.n && line.p[line.n - 1] != ' ')
            buf_add_char(&line, ' ');
    }
    add_form(s, str_trim(buf_str(&line)));
    buf_done(&line);
}

static void sort_forms(struct secrets *s)
{
    qsort(s->forms, s->count, sizeof *s->forms, compare_forms);
    size_t at = 0;
    for (size_t b = 0; b < 257; b++) {
        while (at < s->count && (unsigned char)s->forms[at].p[0] < b)
            at++;
        s->starts[b] = b == 256 ? s->count : at;
    }
}

void secrets_add(struct secrets *s, struct str value)
{
    if (value.n < SECRETS_MIN)
        return;
    size_t before = s->count;
    add_form(s, value);
    if (s->count == before)
        return; /* known, with its other forms */
    add_json_forms(s, value);
    add_url_forms(s, value);
    add_base64_forms(s, value);
    add_line_form(s, value);
    sort_forms(s);
}

/* ---- the environment */

/* Check one word of a name, between underscores. Plurals are counts: MAX_OUTPUT_TOKENS. */
static bool is_secret_word(struct str word)
{
    static const char *const whole[] = {"KEY",  "PASS", "PASSWD",     "PASSPHRASE",
                                        "AUTH", "CRED", "CREDENTIAL", "CREDENTIALS"};
    static const char *const ends[] = {"APIKEY", "TOKEN", "SECRET", "SECRETS", "PASSWORD"};
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        if (str_eq_nocase(word, str_from(whole[i])))
            return true;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        struct str end = str_from(ends[i]);
        if (word.n >= end.n && str_eq_nocase(str_skip(word, word.n - end.n), end))
            return true;
    }
    return false;
}

static bool is_secret_name(struct str name)
{
    struct str word;
    bool more = true;
    while (more) {
        more = str_cut(&name, '_', &word);
        if (is_secret_word(word))
            return true;
    }
    return false;
}

/* Is the value a count, a common setting, or the path of a file, rather than a secret? */
static bool is_harmless(struct str value)
{
    static const char *const words[] = {"default",    "development", "disabled", "enabled",
                                        "external",   "internal",    "optional", "private",
                                        "production", "public",      "required", "staging"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_eq_nocase(value, str_from(words[i])))
            return true;
    size_t digits = 0;
    while (digits < value.n && value.p[digits] >= '0' && value.p[digits] <= '9')
        digits++;
    if (digits == value.n && digits < 12)
        return true;
    if (value.p[0] != '/' || value.n > 4096)
        return false;
    char *path = str_dup(value);
    struct stat st;
    bool is_file = stat(path, &st) == 0;
    free(path);
    return is_file;
}

/* Return the password of scheme://name:password@host. */
static struct str find_password(struct str url)
{
    size_t at = str_find(url, STR("://"));
    struct str rest = str_skip(url, at + 3), user, name;
    if (at >= url.n || str_find_char(rest, '@') == rest.n)
        return (struct str){0};
    user = str_head(rest, str_find_char(rest, '/'));
    size_t end = user.n;
    while (end > 0 && user.p[end - 1] != '@')
        end--;
    user = str_head(user, end ? end - 1 : 0);
    return str_cut(&user, ':', &name) ? user : (struct str){0};
}

struct str secrets_in_variable(struct str name, struct str value)
{
    if (value.n < SECRETS_MIN)
        return (struct str){0};
    return is_secret_name(name) && !is_harmless(value) ? value : find_password(value);
}

void secrets_add_environment(struct secrets *s)
{
    for (char **e = environ; e && *e; e++) {
        struct str value = str_from(*e), name;
        if (str_cut(&value, '=', &name))
            secrets_add(s, secrets_in_variable(name, value));
    }
}

/* ---- masking */

struct match {
    size_t n;     /* bytes of the longest form here; 0: none */
    bool is_open; /* the text ends inside a possible (longer) form */
};

static struct match match_at(const struct secrets *s, struct str rest)
{
    unsigned char first = (unsigned char)rest.p[0];
    struct match m = {0};
    for (size_t i = s->starts[first]; i < s->starts[first + 1u]; i++) {
        struct str form = form_str(&s->forms[i]);
        if (form.n > rest.n) {
            m.is_open |= memcmp(form.p, rest.p, rest.n) == 0;
        } else if (memcmp(form.p, rest.p, form.n) == 0) {
            m.n = form.n; /* longer ones come first */
            break;
        }
    }
    return m;
}

/* Return the end of the match at `at`, with all overlapping ones, or `at` if there is none. */
static size_t match_end(const struct secrets *s, struct str text, size_t at, bool *is_open)
{
    size_t end = at;
    for (size_t i = at; i == at || i < end; i++) {
        struct match m = match_at(s, str_skip(text, i));
        *is_open |= m.is_open;
        if (i + m.n > end && m.n)
            end = i + m.n;
    }
    return end;
}

static size_t mask_text(const struct secrets *s, struct str text, bool is_last, struct buf *out)
{
    size_t plain = 0, at = 0; /* text from plain to at is unmasked and not written yet */
    while (s->count && at < text.n) {
        unsigned char first = (unsigned char)text.p[at];
        bool is_open = false;
        size_t end =
            s->starts[first] == s->starts[first + 1u] ? at : match_end(s, text, at, &is_open);
        /* Give up waiting: a repetitive value could continue for ever. */
        if (is_open && !is_last && text.n - at < PATIENCE * s->longest)
            break;
        if (end == at) {
            at++;
            continue;
        }
        buf_add(out, str_make(text.p + plain, at - plain));
        buf_add(out, STR(SECRETS_MASK));
        plain = at = end;
    }
    if (!s->count)
        at = text.n;
    if (at > plain)
        buf_add(out, str_make(text.p + plain, at - plain));
    return at;
}

void secrets_mask(const struct secrets *s, struct str text, struct buf *out)
{
    mask_text(s, text, true, out);
}

void secrets_mask_cut(const struct secrets *s, struct str text, struct buf *out)
{
    struct str rest = str_skip(text, mask_text(s, text, false, out));
    buf_add(out, rest.n < SECRETS_MIN ? rest : STR(SECRETS_MASK));
}

size_t secrets_mask_part(const struct secrets *s, struct str text, struct buf *out)
{
    return mask_text(s, text, false, out);
}

bool secrets_has(const struct secrets *s, struct str text)
{
    for (size_t i = 0; s->count && i < text.n; i++)
        if (match_at(s, str_skip(text, i)).n)
            return true;
    return false;
}

void secrets_done(struct secrets *s)
{
    for (size_t i = 0; i < s->count; i++)
        free(s->forms[i].p);
    free(s->forms);
    *s = (struct secrets){0};
}
