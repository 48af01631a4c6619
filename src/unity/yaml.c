#include "unity/yaml.h"

#include <stdlib.h>

#include "base/mem.h"
#include "unity/yaml_line.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define BOM "\xef\xbb\xbf"

struct splitter {
    struct yaml_file *f;
    const char *at, *end;
    const char *wrong; /* where it is broken */
    const char *why;
    size_t cap;
};

static struct str rest_of(const char *at, const char *end)
{
    return str_make(at, (size_t)(end - at));
}

/* The next "\n-" at or behind `at`; end if there is none. */
static const char *find_dash(const char *at, const char *end)
{
#ifdef __SSE2__
    const __m128i newline = _mm_set1_epi8('\n'), dash = _mm_set1_epi8('-');
    for (; end - at > 32; at += 32) {
        const __m128i *p = (const __m128i *)(const void *)at;
        const __m128i *q = (const __m128i *)(const void *)(at + 1);
        __m128i low = _mm_and_si128(_mm_cmpeq_epi8(_mm_loadu_si128(p), newline),
                                    _mm_cmpeq_epi8(_mm_loadu_si128(q), dash));
        __m128i high = _mm_and_si128(_mm_cmpeq_epi8(_mm_loadu_si128(p + 1), newline),
                                     _mm_cmpeq_epi8(_mm_loadu_si128(q + 1), dash));
        uint32_t both = (uint32_t)_mm_movemask_epi8(low) | (uint32_t)_mm_movemask_epi8(high) << 16;
        if (both)
            return at + __builtin_ctz(both);
    }
#endif
    const char *found = at < end ? memmem(at, (size_t)(end - at), "\n-", 2) : NULL;
    return found ? found : end;
}

/* The line behind `at` that starts a document; end if there is none. */
static const char *next_document(const char *at, const char *end)
{
    for (;;) {
        const char *dash = find_dash(at, end);
        if (dash == end)
            return end;
        if (str_starts(rest_of(dash + 1, end), STR("---")))
            return dash + 1;
        at = dash + 1;
    }
}

static bool take(struct str *s, struct str prefix)
{
    if (!str_starts(*s, prefix))
        return false;
    *s = str_make(s->p + prefix.n, s->n - prefix.n);
    return true;
}

static bool take_i64(struct str *s, int64_t *out)
{
    size_t n = s->n > 0 && *s->p == '-' ? 1 : 0;
    while (n < s->n && s->p[n] >= '0' && s->p[n] <= '9')
        n++;
    struct str number = str_head(*s, n);
    *s = str_make(s->p + n, s->n - n);
    return str_to_i64(number, out);
}

static bool broken(struct splitter *s, const char *at, const char *why)
{
    s->wrong = at;
    s->why = why;
    return false;
}

/* "--- !u!4 &123 stripped" and "Transform:", at s->at. */
static bool take_heads(struct splitter *s, struct yaml_doc *d)
{
    const char *stop = yaml_line_stop(s->at, s->end);
    struct str line = rest_of(s->at, stop);
    int64_t class_id;
    if (!take(&line, STR("--- !u!")) || !take_i64(&line, &class_id) || class_id < 0 ||
        class_id > INT32_MAX || !take(&line, STR(" &")) || !take_i64(&line, &d->file_id))
        return broken(s, s->at, "a document starts with --- !u!<class> &<id>, and this does not");
    d->class_id = (int32_t)class_id;
    d->stripped = take(&line, STR(" stripped"));
    if (!yaml_line_is_over(line.p, stop))
        return broken(s, line.p, "this is not part of how a document starts");
    d->at = (uint32_t)(s->at - s->f->text.p);
    s->at = yaml_line_next(stop, s->end);
    stop = yaml_line_stop(s->at, s->end);
    if (s->at == stop || *s->at == ' ' || *s->at == '-' || !yaml_line_colon(s->at, stop))
        return broken(s, s->at, "here the class of the document and a colon are missing");
    s->at = yaml_line_next(stop, s->end);
    d->body = (uint32_t)(s->at - s->f->text.p);
    return true;
}

static bool split_documents(struct splitter *s)
{
    while (s->at < s->end) {
        struct yaml_doc d = {0};
        if (!take_heads(s, &d))
            return false;
        /* From the line end before the body on: the next document may start right there. */
        s->at = next_document(s->at - 1, s->end);
        d.end = (uint32_t)(s->at - s->f->text.p);
        if (s->f->count == s->cap)
            mem_grow((void **)&s->f->docs, &s->cap, s->f->count + 1, sizeof d);
        s->f->docs[s->f->count++] = d;
    }
    return true;
}

/* Why a text without "%YAML" is none of ours. */
static const char *what_is_it(struct str text)
{
    struct str seen = str_trim(text);
    if (seen.n == 0)
        return "the file is empty";
    if (str_starts(text, STR("version https://git-lfs")))
        return "this is a Git LFS pointer, not the file itself";
    if (memchr(text.p, 0, text.n < 4096 ? text.n : 4096))
        return "this is a binary file, not text";
    if (*seen.p == '{' || *seen.p == '[')
        return "this is JSON, not YAML";
    if (str_starts(text, STR("<<<<<<<")))
        return "this is a mark of a merge conflict";
    return "the file does not start with %YAML";
}

static bool split_file(struct splitter *s)
{
    struct str text = s->f->text;
    if (text.n > YAML_MAX_BYTES)
        return broken(s, text.p, "the file is too large");
    take(&text, STR(BOM));
    if (!str_starts(text, STR("%YAML")))
        return broken(s, text.p, what_is_it(text));
    s->at = text.p;
    s->end = text.p + text.n;
    const char *stop = yaml_line_stop(s->at, s->end);
    s->f->crlf = stop < s->end && *stop == '\r';
    while (s->at < s->end && *s->at == '%')
        s->at = yaml_line_next(s->at, s->end);
    s->at = yaml_line_skip_blank(s->at, s->end);
    if (s->at == s->end)
        return broken(s, s->at, "the file ends before its first document");
    return split_documents(s);
}

bool yaml_split(struct yaml_file *f, struct str text, struct yaml_fault *fault)
{
    *f = (struct yaml_file){.text = text};
    struct splitter s = {.f = f};
    if (split_file(&s))
        return true;
    *fault = yaml_line_fault(text, s.wrong, s.why);
    yaml_done(f);
    return false;
}

void yaml_done(struct yaml_file *f)
{
    free(f->docs);
    free(f->by_id);
    *f = (struct yaml_file){0};
}

static size_t slot_of(const struct yaml_file *f, int64_t file_id)
{
    return (size_t)str_hash(str_make((const char *)&file_id, sizeof file_id)) & (f->slots - 1);
}

/* Slots hold the number of a document plus one; 0 is free. */
static void index_documents(struct yaml_file *f)
{
    f->slots = 16;
    while (f->slots < f->count * 2)
        f->slots *= 2;
    f->by_id = mem_zalloc(f->slots * sizeof *f->by_id);
    for (size_t i = 0; i < f->count; i++) {
        size_t slot = slot_of(f, f->docs[i].file_id);
        while (f->by_id[slot] && f->docs[f->by_id[slot] - 1].file_id != f->docs[i].file_id)
            slot = (slot + 1) & (f->slots - 1);
        if (!f->by_id[slot])
            f->by_id[slot] = (uint32_t)i + 1;
    }
}

const struct yaml_doc *yaml_find(struct yaml_file *f, int64_t file_id)
{
    if (!f->by_id)
        index_documents(f);
    for (size_t slot = slot_of(f, file_id); f->by_id[slot]; slot = (slot + 1) & (f->slots - 1))
        if (f->docs[f->by_id[slot] - 1].file_id == file_id)
            return &f->docs[f->by_id[slot] - 1];
    return NULL;
}

struct str yaml_class_name(const struct yaml_file *f, const struct yaml_doc *d)
{
    const char *at = f->text.p + d->at, *end = f->text.p + d->body;
    at = yaml_line_next(at, end);
    const char *colon = yaml_line_colon(at, yaml_line_stop(at, end));
    return rest_of(at, colon ? colon : at);
}

unsigned yaml_line(const struct yaml_file *f, const char *at)
{
    return yaml_line_fault(f->text, at, NULL).line;
}

struct yaml_value yaml_body(const struct yaml_file *f, const struct yaml_doc *d)
{
    const char *end = f->text.p + d->end;
    const char *line = yaml_line_skip_blank(f->text.p + d->body, end);
    size_t indent = (size_t)(yaml_line_skip_spaces(line, end) - line);
    if (indent > YAML_LINE_MAX_INDENT)
        line = end;
    if (line == end || indent == 0)
        indent = 2; /* nothing of it stands at the margin, whatever is there */
    return (struct yaml_value){YAML_MAP, (uint32_t)indent, rest_of(line, end)};
}

struct yaml_value yaml_plain(struct str text)
{
    if (text.n == 0 || text.n > YAML_MAX_BYTES)
        return (struct yaml_value){0};
    take(&text, STR(BOM));
    const char *at = text.p, *end = text.p + text.n;
    while (at < end &&
           (*at == '%' || str_starts(rest_of(at, end), STR("---")) || yaml_line_is_over(at, end)))
        at = yaml_line_next(at, end);
    size_t indent = (size_t)(yaml_line_skip_spaces(at, end) - at);
    if (at == end || indent > YAML_LINE_MAX_INDENT)
        return (struct yaml_value){0};
    return (struct yaml_value){YAML_MAP, (uint32_t)indent, rest_of(at, end)};
}
