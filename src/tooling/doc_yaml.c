#include "tooling/doc_yaml.h"

#include <libfyaml.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/jsonw.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/quote.h"
#include "base/utf8.h"
#include "tooling/doc_scalar.h"

/* A node with an anchor. A scalar is kept by its text, because as a key it means something else
 * than as a value; of a container the bytes of the JSON are known. */
struct anchor {
    struct str text;
    enum doc_scalar kind; /* of a scalar */
    bool is_scalar;
    bool is_complete; /* else we are inside of it */
    size_t from, to;
};

struct level {
    bool is_map;
    bool wants_key;        /* of a map */
    struct anchor *anchor; /* NULL: none */
    size_t mark;           /* of the container itself, if marks are kept */
};

struct maker {
    struct str text;
    struct fy_parser *parser;
    struct fy_diag *diag;
    struct buf *out;
    struct jsonw w;
    struct doc_yaml_map *map; /* NULL: nobody wants to know */
    struct level levels[JSON_MAX_DEPTH];
    size_t depth;
    struct map anchors;
    struct arena arena; /* for those */
    size_t documents;
    size_t last; /* where the newest token stands: one that is not written is near it */
    bool is_done;
    struct doc_yaml_fault *fault;
};

static bool fail(struct maker *m, size_t offset, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static bool fail(struct maker *m, size_t offset, const char *fmt, ...)
{
    va_list args;
    *m->fault = (struct doc_yaml_fault){.offset = offset};
    va_start(args, fmt);
    vsnprintf(m->fault->text, sizeof m->fault->text, fmt, args);
    va_end(args);
    return false;
}

static bool fail_limit(struct maker *m, size_t offset, const char *what)
{
    fail(m, offset, "%s", what);
    m->fault->limit = true;
    return false;
}

/* ---- marks */

static void add_mark(struct maker *m, size_t before, size_t yaml)
{
    struct doc_yaml_map *map = m->map;
    if (!map || before >= m->out->n)
        return;
    size_t json = before + (m->out->p[before] == ','); /* the writer's, not a part of the value */
    mem_grow((void **)&map->marks, &map->mark_cap, map->mark_count + 1, sizeof *map->marks);
    map->marks[map->mark_count++] = (struct doc_yaml_mark){json, yaml};
}

static void add_copy(struct maker *m, size_t from, size_t n)
{
    struct doc_yaml_map *map = m->map;
    if (!map || m->out->overflow)
        return;
    mem_grow((void **)&map->copies, &map->copy_cap, map->copy_count + 1, sizeof *map->copies);
    map->copies[map->copy_count++] = (struct doc_yaml_copy){m->out->n - n, from, n};
}

size_t doc_yaml_origin(const struct doc_yaml_map *map, size_t json)
{
    for (size_t i = map->copy_count; i-- > 0;) /* a copy is only of what stands before it */
        if (json >= map->copies[i].to && json - map->copies[i].to < map->copies[i].n)
            json = json - map->copies[i].to + map->copies[i].from;
    size_t low = 0, high = map->mark_count; /* the last mark at or before that byte */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (map->marks[middle].json <= json)
            low = middle;
        else
            high = middle;
    }
    return map->mark_count ? map->marks[low].yaml : 0;
}

void doc_yaml_map_done(struct doc_yaml_map *map)
{
    free(map->marks);
    free(map->copies);
    *map = (struct doc_yaml_map){0};
}

/* ---- tokens */

static size_t start_of(struct maker *m, struct fy_token *token)
{
    const struct fy_mark *mark = token ? fy_token_start_mark(token) : NULL;
    if (mark)
        m->last = mark->input_pos;
    return m->last;
}

/* The same of a token that libfyaml lets begin behind its first character: a quote, an asterisk. */
static size_t start_with(struct maker *m, struct fy_token *token, char first)
{
    size_t at = start_of(m, token);
    if (at > 0 && at <= m->text.n && m->text.p[at - 1] == first)
        m->last = --at;
    return at;
}

static size_t start_of_scalar(struct maker *m, struct fy_token *token)
{
    enum fy_scalar_style style = fy_token_scalar_style(token);
    return style == FYSS_SINGLE_QUOTED   ? start_with(m, token, '\'')
           : style == FYSS_DOUBLE_QUOTED ? start_with(m, token, '"')
                                         : start_of(m, token);
}

static struct str text_of(struct fy_token *token)
{
    size_t n = 0;
    const char *p = token ? fy_token_get_text(token, &n) : NULL;
    return str_make(p, p ? n : 0);
}

static struct anchor *add_anchor(struct maker *m, struct fy_token *name)
{
    if (!name)
        return NULL;
    struct anchor *a = arena_zalloc(&m->arena, sizeof *a);
    map_set(&m->anchors, text_of(name), a); /* a later one of the same name holds from here on */
    return a;
}

/* ---- nodes */

static struct level *top(struct maker *m)
{
    return m->depth ? &m->levels[m->depth - 1] : NULL;
}

static bool wants_key(struct maker *m)
{
    return m->depth && top(m)->wants_key;
}

/* After a key or a value. */
static bool turn(struct maker *m, size_t offset)
{
    struct level *l = top(m);
    if (l && l->is_map)
        l->wants_key = !l->wants_key;
    return !m->out->overflow ||
           fail_limit(m, offset, "too large, or its aliases stand for too much");
}

static bool put_key(struct maker *m, struct str text, size_t offset)
{
    struct level *l = top(m);
    size_t before = m->out->n;
    if (m->map && offset < m->map->marks[l->mark].yaml)
        m->map->marks[l->mark].yaml = offset; /* [a: b] is known to be a map only at its colon */
    jsonw_key_str(&m->w, text);
    add_mark(m, before, offset);
    return turn(m, offset);
}

static bool put_scalar(struct maker *m, struct str text, enum doc_scalar kind, size_t offset)
{
    size_t before = m->out->n;
    struct buf number = {0};
    bool ok = true;
    switch (kind) {
    case DOC_SCALAR_TEXT:
        jsonw_str(&m->w, text);
        break;
    case DOC_SCALAR_NULL:
        jsonw_null(&m->w);
        break;
    case DOC_SCALAR_TRUE:
    case DOC_SCALAR_FALSE:
        jsonw_bool(&m->w, kind == DOC_SCALAR_TRUE);
        break;
    case DOC_SCALAR_INT:
    case DOC_SCALAR_FLOAT:
        ok = doc_scalar_number(&number, text);
        if (ok)
            jsonw_raw(&m->w, buf_str(&number));
        else
            fail(m, offset, "a number that does not fit into 64 bits");
        buf_done(&number);
        break;
    case DOC_SCALAR_NOT_FINITE:
        return fail(m, offset, "a number must be finite; quote it if it is meant as text");
    }
    add_mark(m, before, offset);
    return ok && turn(m, offset);
}

static const struct {
    struct str tag;
    unsigned kinds; /* one bit for each that the text may be of; 0: it is text, whatever it is */
} scalar_tags[] = {
    {STR_INIT("!"), 0},
    {STR_INIT("tag:yaml.org,2002:str"), 0},
    {STR_INIT("tag:yaml.org,2002:null"), 1u << DOC_SCALAR_NULL},
    {STR_INIT("tag:yaml.org,2002:bool"), 1u << DOC_SCALAR_TRUE | 1u << DOC_SCALAR_FALSE},
    {STR_INIT("tag:yaml.org,2002:int"), 1u << DOC_SCALAR_INT},
    {STR_INIT("tag:yaml.org,2002:float"),
     1u << DOC_SCALAR_INT | 1u << DOC_SCALAR_FLOAT | 1u << DOC_SCALAR_NOT_FINITE},
};

static bool bad_tag(struct maker *m, size_t offset, struct str tag, const char *why)
{
    struct buf shown = {0};
    quote_add(&shown, tag, QUOTE_MAX);
    fail(m, offset, "the tag %.*s %s", STR_ARG(buf_str(&shown)), why);
    buf_done(&shown);
    return false;
}

/* What the text means; a tag outweighs how it is written. */
static bool kind_of(struct maker *m, const struct fy_event *e, size_t offset, enum doc_scalar *kind)
{
    struct str text = text_of(e->scalar.value), tag = text_of(e->scalar.tag);
    bool is_plain = fy_token_scalar_style(e->scalar.value) == FYSS_PLAIN;
    *kind = is_plain ? doc_scalar_kind(text) : DOC_SCALAR_TEXT;
    if (!e->scalar.tag)
        return true;
    for (size_t i = 0; i < sizeof scalar_tags / sizeof *scalar_tags; i++) {
        if (!str_eq(tag, scalar_tags[i].tag))
            continue;
        *kind = scalar_tags[i].kinds ? doc_scalar_kind(text) : DOC_SCALAR_TEXT;
        return !scalar_tags[i].kinds || scalar_tags[i].kinds >> *kind & 1 ||
               bad_tag(m, offset, tag, "does not fit what follows it");
    }
    return bad_tag(m, offset, tag, "is unknown; those of the core schema are taken, as in !!str 1");
}

static bool on_scalar(struct maker *m, const struct fy_event *e)
{
    struct str text = text_of(e->scalar.value);
    size_t offset = start_of_scalar(m, e->scalar.value);
    bool is_plain = fy_token_scalar_style(e->scalar.value) == FYSS_PLAIN;
    enum doc_scalar kind;
    if (!kind_of(m, e, offset, &kind))
        return false;
    struct anchor *a = add_anchor(m, e->scalar.anchor);
    if (a)
        *a = (struct anchor){arena_str(&m->arena, text), kind, true, true, 0, 0};
    if (!wants_key(m))
        return put_scalar(m, text, kind, offset);
    if (is_plain && text.n == 0)
        return fail(m, offset, "a key is missing before the colon");
    if (is_plain && str_eq(text, STR("<<")))
        return fail(m, offset, "<< merges nothing in YAML 1.2: write the members out");
    return put_key(m, text, offset);
}

static bool on_alias(struct maker *m, const struct fy_event *e)
{
    size_t offset = start_with(m, e->alias.anchor, '*');
    const struct anchor *a = map_get(&m->anchors, text_of(e->alias.anchor));
    struct buf shown = {0};
    if (!a) {
        quote_add(&shown, text_of(e->alias.anchor), QUOTE_MAX);
        fail(m, offset, "there is no anchor %.*s before this alias", STR_ARG(buf_str(&shown)));
        buf_done(&shown);
        return false;
    }
    if (!a->is_complete)
        return fail(m, offset, "an alias inside of what it stands for");
    if (a->is_scalar)
        return wants_key(m) ? put_key(m, a->text, offset) : put_scalar(m, a->text, a->kind, offset);
    if (wants_key(m))
        return fail(m, offset, "a key must be text");
    size_t n = a->to - a->from;
    char *copy = mem_dup(m->out->p + a->from, n); /* the buffer may move */
    jsonw_raw(&m->w, str_make(copy, n));
    free(copy);
    add_copy(m, a->from, n);
    return turn(m, offset);
}

static bool on_start(struct maker *m, const struct fy_event *e)
{
    bool is_map = e->type == FYET_MAPPING_START;
    struct fy_token *token =
        is_map ? e->mapping_start.mapping_start : e->sequence_start.sequence_start;
    struct fy_token *tag = is_map ? e->mapping_start.tag : e->sequence_start.tag;
    struct fy_token *anchor = is_map ? e->mapping_start.anchor : e->sequence_start.anchor;
    size_t offset = start_of(m, token), before = m->out->n;
    if (wants_key(m))
        return fail(m, offset, "a key must be text");
    if (m->depth == JSON_MAX_DEPTH)
        return fail_limit(m, offset, "too deep");
    if (tag && !str_eq(text_of(tag), STR("!")) &&
        !str_eq(text_of(tag), is_map ? STR("tag:yaml.org,2002:map") : STR("tag:yaml.org,2002:seq")))
        return bad_tag(m, offset, text_of(tag), "is not one for this");
    if (is_map)
        jsonw_object(&m->w);
    else
        jsonw_array(&m->w);
    add_mark(m, before, offset);
    struct level *l = &m->levels[m->depth++];
    *l = (struct level){.is_map = is_map, .wants_key = is_map, .anchor = add_anchor(m, anchor)};
    if (m->map)
        l->mark = m->map->mark_count - 1;
    if (l->anchor)
        l->anchor->from = m->out->n - 1; /* the bracket */
    return !m->out->overflow || fail_limit(m, offset, "too large");
}

static bool on_end(struct maker *m)
{
    struct level *l = top(m);
    jsonw_end(&m->w);
    m->depth--;
    if (l->anchor) {
        l->anchor->to = m->out->n;
        l->anchor->is_complete = true;
    }
    return turn(m, m->last);
}

static bool on_event(struct maker *m, const struct fy_event *e)
{
    switch (e->type) {
    case FYET_DOCUMENT_START:
        start_of(m, e->document_start.document_start);
        return m->documents++ == 0 ||
               fail(m, m->last, "a second document begins: there must be exactly one");
    case FYET_SCALAR:
        return on_scalar(m, e);
    case FYET_ALIAS:
        return on_alias(m, e);
    case FYET_MAPPING_START:
    case FYET_SEQUENCE_START:
        return on_start(m, e);
    case FYET_MAPPING_END:
    case FYET_SEQUENCE_END:
        return on_end(m);
    case FYET_STREAM_END:
        m->is_done = true;
        return m->documents == 1 || fail(m, 0, "it is empty");
    case FYET_NONE:
    case FYET_STREAM_START:
    case FYET_DOCUMENT_END:
        break;
    }
    return true;
}

/* ---- the whole */

/* What libfyaml says is short; of the usual mistakes we say what would be right. */
static const struct {
    const char *part, *remedy;
} remedies[] = {
    {"tab", "indent with blanks, not with tabs"},
    {"multiline plain key", "the next line is indented too far, or this one lacks a quote"},
    {"indent", "the members of one mapping begin in one column"},
    {"cannot start with", "put it in quotes"},
    {"trailing content", "quotes enclose a value as a whole"},
    {"node content", "a value, a closing bracket or a comma is missing"},
};

static bool fail_as_told(struct maker *m)
{
    void *at = NULL;
    struct fy_diag_error *e;
    while ((e = fy_diag_errors_iterate(m->diag, &at)) && e->type != FYET_ERROR)
        ;
    if (!e || !e->msg)
        return fail(m, m->last, "it is no YAML");
    const char *remedy = "";
    for (size_t i = 0; !*remedy && i < sizeof remedies / sizeof *remedies; i++)
        if (strstr(e->msg, remedies[i].part))
            remedy = remedies[i].remedy;
    const struct fy_mark *mark = e->fyt ? fy_token_start_mark(e->fyt) : NULL;
    fail(m, mark ? mark->input_pos : m->last, "%s%s%s", e->msg, *remedy ? ": " : "", remedy);
    for (char *c = m->fault->text; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = ' ';
    return false;
}

/* libfyaml takes a NUL for the end of the text and leaves control characters alone. */
static bool check_characters(struct maker *m)
{
    size_t valid = utf8_valid_prefix(m->text);
    for (size_t i = 0; i < valid; i++) {
        unsigned char c = (unsigned char)m->text.p[i];
        if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f)
            return fail(m, i, "a control character: write it as an escape in double quotes");
    }
    return valid == m->text.n || fail(m, valid, "invalid UTF-8");
}

/* Nobody needs tags of their own here, and many %TAG lines would take libfyaml quadratic time. */
static bool check_directives(struct maker *m)
{
    struct str rest = m->text, line;
    if (str_starts(rest, STR("\xef\xbb\xbf")))
        rest = str_skip(rest, 3);
    for (bool more = true; more;) {
        more = str_cut(&rest, '\n', &line);
        struct str word = str_trim(line);
        if (str_starts(line, STR("%")) && !str_starts(line, STR("%YAML")))
            return fail(m, (size_t)(line.p - m->text.p), "no directive is taken but %%YAML");
        if (word.n && word.p[0] != '#' && line.p[0] != '%')
            break;
    }
    return true;
}

static bool parse(struct maker *m)
{
    bool ok = true;
    while (ok && !m->is_done) {
        struct fy_event *e = fy_parser_parse(m->parser);
        ok = e ? on_event(m, e) : fail_as_told(m);
        fy_parser_event_free(m->parser, e);
    }
    return ok;
}

static void open_parser(struct maker *m)
{
    struct fy_diag_cfg diag;
    fy_diag_cfg_default(&diag);
    diag.fp = NULL;
    diag.colorize = false;
    m->diag = fy_diag_create(&diag);
    if (!m->diag)
        mem_die("out of memory");
    fy_diag_set_collect_errors(m->diag, true);
    struct fy_parse_cfg config = {
        .flags = FYPCF_QUIET | FYPCF_DEFAULT_VERSION_1_2 | FYPCF_JSON_NONE, .diag = m->diag};
    m->parser = fy_parser_create(&config);
    if (!m->parser || fy_parser_set_string(m->parser, m->text.p, m->text.n))
        mem_die("out of memory");
}

bool doc_yaml_to_json(struct str yaml, struct buf *json, struct doc_yaml_map *map,
                      struct doc_yaml_fault *fault)
{
    struct maker m = {.text = yaml.n ? yaml : STR("#"), .out = json, .map = map, .fault = fault};
    m.w = jsonw_make(json);
    bool ok = check_characters(&m) && check_directives(&m);
    if (ok) {
        open_parser(&m);
        ok = parse(&m);
        fy_parser_destroy(m.parser);
        fy_diag_destroy(m.diag);
    }
    map_done(&m.anchors);
    arena_done(&m.arena);
    return ok;
}
