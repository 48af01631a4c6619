#include "agent/answer_object.h"

#include "base/jsonw.h"
#include "base/quote.h"
#include "base/spelling.h"
#include "base/utf8.h"
#include "doc/doc.h"

#define MAX_OPEN  16u /* unclosed braces; after that the search stops */
#define MAX_TRIMS 8u
#define MAX_WRAPS 3 /* nested payloads */

struct object_places { /* the last places, because a model ends with its answer */
    struct str at[ANSWER_OBJECT_MAX_PLACES];
    size_t count; /* of all places */
};

static void add_place(struct object_places *p, struct str text)
{
    text = str_trim(text);
    if (text.n)
        p->at[p->count++ % ANSWER_OBJECT_MAX_PLACES] = text;
}

/* ---- finding places */

/* Return the line at `from`, without its end; *next is the start of the next line. */
static struct str get_line(struct str text, size_t from, size_t *next)
{
    struct str rest = str_skip(text, from);
    size_t n = str_find_char(rest, '\n');
    *next = n < rest.n ? from + n + 1 : text.n;
    return str_head(rest, n);
}

/* Return the length of the fence on this line, or 0. Nothing follows a closing fence. */
static size_t measure_fence(struct str line, char *kind, bool closing)
{
    size_t at = 0, n = 0;
    while (at < line.n && at < 3 && line.p[at] == ' ')
        at++;
    line = str_skip(line, at);
    if (!line.n || (line.p[0] != '`' && line.p[0] != '~'))
        return 0;
    while (n < line.n && line.p[n] == line.p[0])
        n++;
    if (n < 3 || (closing && (line.p[0] != *kind || str_trim(str_skip(line, n)).n)))
        return 0;
    *kind = line.p[0];
    return n;
}

/* Add the content of the fence that opens before `from`; return the offset after the fence. */
static size_t add_fenced(struct object_places *p, struct str text, size_t from, size_t open,
                         char kind)
{
    size_t at = from, next;
    while (at < text.n) {
        struct str line = get_line(text, at, &next);
        if (measure_fence(line, &kind, true) >= open) {
            add_place(p, str_head(str_skip(text, from), at - from));
            return next;
        }
        at = next;
    }
    add_place(p, str_skip(text, from)); /* not closed: the answer was cut, or ends here */
    return text.n;
}

/* Return the length of the {...} at the start of text, or 0 if it is not closed. */
static size_t measure_braces(struct str text)
{
    size_t depth = 0;
    bool quoted = false;
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (quoted) {
            if (c == '\\')
                i++;
            else if (c == '"')
                quoted = false;
        } else if (c == '"') {
            quoted = true;
        } else if (c == '{') {
            depth++;
        } else if (c == '}' && --depth == 0) {
            return i + 1;
        }
    }
    return 0;
}

static void find_places(struct object_places *p, struct str text)
{
    size_t open = 0;
    for (size_t at = 0, next; at < text.n; at = next) {
        char kind = 0;
        size_t n = 0;
        next = at + 1;
        if (at == 0 || text.p[at - 1] == '\n') {
            size_t after, fence = measure_fence(get_line(text, at, &after), &kind, false);
            if (fence) {
                next = add_fenced(p, text, after, fence, kind);
                continue;
            }
        }
        if (text.p[at] != '{' || open == MAX_OPEN)
            continue;
        n = measure_braces(str_skip(text, at));
        open += n == 0;
        if (n) {
            add_place(p, str_head(str_skip(text, at), n));
            next = at + n;
        }
    }
}

/* ---- reading places */

static const struct json *read_document(struct arena *a, struct str text, enum doc_format format,
                                        struct error *err)
{
    struct doc d = {0};
    struct buf json = buf_make(DOC_MAX_BYTES);
    const struct json *root = NULL;
    if (!doc_read(&d, text, &(struct doc_source){"the answer", format}, err))
        return NULL;
    if (json_is(d.root, JSON_OBJECT)) {
        struct jsonw w = jsonw_make(&json);
        jsonw_value(&w, d.root);
        if (!json.overflow)
            root = json_parse(a, arena_str(a, buf_str(&json)), NULL, NULL);
    }
    if (!root)
        error_set(err, ERR_SYNTAX, "the answer is not one object, but %s", json_type_name(d.root));
    buf_done(&json);
    doc_done(&d);
    return root;
}

/* Read JSON, else YAML, which also accepts almost valid JSON. The error is that of JSON if the text
 * begins with a brace. */
static const struct json *read_place(struct arena *a, struct str text, struct error *why)
{
    struct error json = {0}, yaml = {0};
    const struct json *root = NULL;
    bool braces = text.p[0] == '{';
    if (braces)
        root = read_document(a, text, DOC_JSON, &json);
    if (!root && text.n <= ANSWER_OBJECT_MAX_YAML)
        root = read_document(a, text, DOC_YAML, &yaml);
    if (!root)
        *why = braces || !yaml.code ? json : yaml;
    return root;
}

/* Keep the object if it is the first one or fits. Return true if one fits. */
static bool offer_object(struct answer_object_search *out, const struct json *object,
                         answer_object_fits_fn *fits)
{
    if (!object)
        return false;
    if (!out->best || fits(object)) {
        out->best = object;
        out->fits = fits(object);
    }
    return out->fits;
}

static bool is_key_line(struct str line)
{
    size_t n = 0;
    while (n < line.n && ((line.p[n] >= 'a' && line.p[n] <= 'z') || line.p[n] == '_' ||
                          (line.p[n] >= 'A' && line.p[n] <= 'Z')))
        n++;
    return n && n < line.n && line.p[n] == ':' && (n + 1 == line.n || line.p[n + 1] == ' ');
}

/* Find YAML without a fence: from each line that may be its first, try ever shorter texts. */
static bool find_bare_yaml(struct arena *a, struct str text, answer_object_fits_fn *fits,
                           struct answer_object_search *out)
{
    size_t trims = 0;
    for (size_t at = 0, next; at < text.n && trims < MAX_TRIMS; at = next) {
        struct str part = str_skip(text, at);
        if (!is_key_line(get_line(text, at, &next)))
            continue;
        while (part.n && trims++ < MAX_TRIMS) {
            struct error why = {0};
            const struct json *object = NULL;
            if (part.n <= ANSWER_OBJECT_MAX_YAML)
                object = read_document(a, part, DOC_YAML, &why);
            if (!object && !out->why.code)
                out->why = why;
            if (offer_object(out, object, fits))
                return true;
            if (object)
                break;
            size_t end = part.n; /* drop the last paragraph */
            while (end > 1 && !(part.p[end - 1] == '\n' && part.p[end - 2] == '\n'))
                end--;
            part = end > 1 ? str_trim(str_head(part, end)) : STR("");
        }
    }
    return false;
}

static struct str find_between(struct str text, char first, char last)
{
    size_t from = str_find_char(text, first), to = text.n;
    while (to > from && text.p[to - 1] != last)
        to--;
    return str_head(str_skip(text, from), to > from ? to - from : 0);
}

void answer_object_find(struct arena *a, struct str text, answer_object_fits_fn *fits,
                        struct answer_object_search *out)
{
    struct object_places p = {.count = 0};
    *out = (struct answer_object_search){0};
    text = str_trim(text);
    find_places(&p, text);
    bool named = false; /* out->why is the error of a text that looks like JSON */
    size_t kept = p.count < ANSWER_OBJECT_MAX_PLACES ? p.count : ANSWER_OBJECT_MAX_PLACES;
    for (size_t i = 1; i <= kept; i++) {
        struct error why = {0};
        struct str at = p.at[(p.count - i) % ANSWER_OBJECT_MAX_PLACES];
        if (offer_object(out, read_place(a, at, &why), fits))
            return;
        bool brace = at.p[0] == '{';
        if (why.code && (!out->why.code || (brace && !named)))
            out->why = why;
        named |= why.code && brace;
    }
    if (find_bare_yaml(a, text, fits, out))
        return;
    struct str widest = find_between(text, '{', '}');
    struct error why = {0};
    if (widest.n && offer_object(out, read_place(a, widest, &why), fits))
        return;
    if (!out->best && !out->why.code && why.code)
        out->why = why;
    if (!out->best && str_find_char(text, '{') < text.n && !widest.n)
        error_set(&out->why, ERR_SYNTAX, "it ends inside the JSON object");
    if (!out->best && !out->why.code)
        error_set(&out->why, ERR_SYNTAX, "it contains no JSON object");
}

/* ---- reading the object */

const struct json *answer_object_unwrap(const struct json *object)
{
    for (int i = 0; i < MAX_WRAPS; i++) {
        const struct json *inner = spelling_get(object, "payload");
        if (!json_is(inner, JSON_OBJECT))
            break;
        object = inner;
    }
    return object;
}

const struct json *answer_object_read(struct arena *a, struct str answer,
                                      const struct answer_object_kind *kind, struct error *err)
{
    struct answer_object_search found;
    if (answer.n > ANSWER_OBJECT_MAX_BYTES) {
        error_set(err, ERR_LIMIT, "it has %zu bytes, more than %u", answer.n,
                  ANSWER_OBJECT_MAX_BYTES);
        return NULL;
    }
    if (!str_trim(answer).n) {
        error_set(err, ERR_SYNTAX, "it is empty");
        return NULL;
    }
    answer_object_find(a, answer, kind->fits, &found);
    if (!found.best) {
        error_set(err, ERR_SYNTAX, "%s", found.why.text);
        return NULL;
    }
    const struct json *type = spelling_get(found.best, "type");
    if (!found.fits && json_is(type, JSON_STRING) &&
        !answer_object_is_name(json_str(type), kind->name)) {
        answer_object_reject(err, "type", kind->name, type);
        return NULL;
    }
    if (!found.fits) {
        error_set(err, ERR_INVALID_PARAMS, "the object has no member \"%s\"", kind->member);
        return NULL;
    }
    return answer_object_unwrap(found.best);
}

bool answer_object_reject(struct error *err, const char *where, const char *must,
                          const struct json *v)
{
    struct buf got = {0};
    if (!v)
        return error_set(err, ERR_INVALID_PARAMS, "%s is missing: it must be %s", where, must);
    quote_value(&got, v, QUOTE_MAX);
    error_set(err, ERR_INVALID_PARAMS, "%s must be %s, not %s", where, must, got.p);
    buf_done(&got);
    return false;
}

struct str answer_object_cut(struct str text, size_t max)
{
    return str_trim(utf8_head(text, max));
}

bool answer_object_read_text(const struct json *object, const char *name, size_t max,
                             struct str *out, struct error *err)
{
    const struct json *v = spelling_get_some(object, name);
    if (v && !json_is(v, JSON_STRING))
        return answer_object_reject(err, name, "text", v);
    *out = answer_object_cut(json_str(v), max);
    return true;
}

bool answer_object_is_name(struct str said, const char *name)
{
    struct str want = str_from(name);
    if (said.n != want.n)
        return false;
    for (size_t i = 0; i < said.n; i++) {
        char c = said.p[i] == '-' || said.p[i] == ' ' ? '_' : said.p[i];
        if ((c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != want.p[i])
            return false;
    }
    return true;
}
