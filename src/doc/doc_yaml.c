#include "doc/doc_yaml.h"

#include <stdlib.h>
#include <yaml.h>

#include "base/arena.h"
#include "base/jsonw.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/quote.h"
#include "base/utf8.h"
#include "doc/doc_scalar.h"

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
};

struct maker {
    struct str text;    /* without a byte order mark */
    size_t skipped;     /* the bytes of that */
    size_t index, byte; /* a place in the text: characters, as libyaml counts, and bytes */
    struct buf *out;
    struct jsonw w;
    struct doc_yaml_map *map; /* NULL: nobody wants to know */
    struct level levels[JSON_MAX_DEPTH];
    size_t depth;
    struct map anchors;
    struct arena arena; /* for those */
    size_t documents;
    size_t last; /* where the newest event began */
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

/* ---- events */

/* Marks come in the order of the text but for those of faults. */
static size_t offset_of(struct maker *m, const yaml_mark_t *mark)
{
    if (mark->index < m->index)
        m->index = m->byte = 0;
    while (m->index < mark->index && m->byte < m->text.n) {
        size_t n = utf8_char_bytes(str_skip(m->text, m->byte));
        m->byte += n ? n : 1;
        m->index++;
    }
    return m->byte + m->skipped;
}

static struct str text_of(const yaml_char_t *s)
{
    return str_from((const char *)s);
}

static struct anchor *add_anchor(struct maker *m, const yaml_char_t *name)
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
    size_t before = m->out->n;
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
static bool kind_of(struct maker *m, const yaml_event_t *e, struct str text, enum doc_scalar *kind)
{
    struct str tag = text_of(e->data.scalar.tag);
    bool is_plain = e->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    *kind = is_plain ? doc_scalar_kind(text) : DOC_SCALAR_TEXT;
    if (!tag.p)
        return true;
    for (size_t i = 0; i < sizeof scalar_tags / sizeof *scalar_tags; i++) {
        if (!str_eq(tag, scalar_tags[i].tag))
            continue;
        *kind = scalar_tags[i].kinds ? doc_scalar_kind(text) : DOC_SCALAR_TEXT;
        return !scalar_tags[i].kinds || scalar_tags[i].kinds >> *kind & 1 ||
               bad_tag(m, m->last, tag, "does not fit what follows it");
    }
    return bad_tag(m, m->last, tag,
                   "is unknown; those of the core schema are taken, as in !!str 1");
}

static bool on_scalar(struct maker *m, const yaml_event_t *e)
{
    struct str text = str_make((const char *)e->data.scalar.value, e->data.scalar.length);
    bool is_plain = e->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    enum doc_scalar kind;
    if (!kind_of(m, e, text, &kind))
        return false;
    struct anchor *a = add_anchor(m, e->data.scalar.anchor);
    if (a)
        *a = (struct anchor){arena_str(&m->arena, text), kind, true, true, 0, 0};
    if (!wants_key(m))
        return put_scalar(m, text, kind, m->last);
    if (is_plain && text.n == 0)
        return fail(m, m->last, "a key is missing before the colon");
    if (is_plain && str_eq(text, STR("<<")))
        return fail(m, m->last, "<< merges nothing in YAML 1.2: write the members out");
    return put_key(m, text, m->last);
}

static bool on_alias(struct maker *m, const yaml_event_t *e)
{
    struct str name = text_of(e->data.alias.anchor);
    const struct anchor *a = map_get(&m->anchors, name);
    struct buf shown = {0};
    if (!a) {
        quote_add(&shown, name, QUOTE_MAX);
        fail(m, m->last, "there is no anchor %.*s before this alias", STR_ARG(buf_str(&shown)));
        buf_done(&shown);
        return false;
    }
    if (!a->is_complete)
        return fail(m, m->last, "an alias inside of what it stands for");
    if (a->is_scalar)
        return wants_key(m) ? put_key(m, a->text, m->last)
                            : put_scalar(m, a->text, a->kind, m->last);
    if (wants_key(m))
        return fail(m, m->last, "a key must be text");
    size_t n = a->to - a->from;
    char *copy = mem_dup(m->out->p + a->from, n); /* the buffer may move */
    jsonw_raw(&m->w, str_make(copy, n));
    free(copy);
    add_copy(m, a->from, n);
    return turn(m, m->last);
}

static bool on_start(struct maker *m, const yaml_event_t *e)
{
    bool is_map = e->type == YAML_MAPPING_START_EVENT;
    struct str tag = text_of(is_map ? e->data.mapping_start.tag : e->data.sequence_start.tag);
    const yaml_char_t *anchor =
        is_map ? e->data.mapping_start.anchor : e->data.sequence_start.anchor;
    size_t before = m->out->n;
    if (wants_key(m))
        return fail(m, m->last, "a key must be text");
    if (m->depth == JSON_MAX_DEPTH)
        return fail_limit(m, m->last, "too deep");
    if (tag.p && !str_eq(tag, STR("!")) &&
        !str_eq(tag, is_map ? STR("tag:yaml.org,2002:map") : STR("tag:yaml.org,2002:seq")))
        return bad_tag(m, m->last, tag, "is not one for this");
    if (is_map)
        jsonw_object(&m->w);
    else
        jsonw_array(&m->w);
    add_mark(m, before, m->last);
    struct level *l = &m->levels[m->depth++];
    *l = (struct level){.is_map = is_map, .wants_key = is_map, .anchor = add_anchor(m, anchor)};
    if (l->anchor)
        l->anchor->from = m->out->n - 1; /* the bracket */
    return !m->out->overflow || fail_limit(m, m->last, "too large");
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

static bool on_event(struct maker *m, const yaml_event_t *e)
{
    m->last = offset_of(m, &e->start_mark);
    switch (e->type) {
    case YAML_DOCUMENT_START_EVENT:
        return m->documents++ == 0 ||
               fail(m, m->last, "a second document begins: there must be exactly one");
    case YAML_SCALAR_EVENT:
        return on_scalar(m, e);
    case YAML_ALIAS_EVENT:
        return on_alias(m, e);
    case YAML_MAPPING_START_EVENT:
    case YAML_SEQUENCE_START_EVENT:
        return on_start(m, e);
    case YAML_MAPPING_END_EVENT:
    case YAML_SEQUENCE_END_EVENT:
        return on_end(m);
    case YAML_STREAM_END_EVENT:
        m->is_done = true;
        return m->documents == 1 || fail(m, 0, "it is empty");
    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT:
    case YAML_DOCUMENT_END_EVENT:
        break;
    }
    return true;
}

/* ---- the whole */

/* What libyaml says is short; of the usual mistakes we say what would be right. `at`: the character
 * there, 0 if any. */
static const struct {
    const char *part;
    char at;
    const char *remedy;
} remedies[] = {
    {"cannot start any token", '\t', "indent with blanks, not with tabs"},
    {"cannot start any token", 0, "put it in quotes"},
    {"mapping values are not allowed", 0,
     "text with a colon and a blank in it needs quotes; or the line is indented too far"},
    {"did not find expected key", 0, "the members of one mapping begin in one column"},
    {"did not find expected '-'", 0, "the items of one list begin in one column"},
    {"<document start>", 0, "the members of one mapping begin in one column"},
    {"could not find expected ':'", 0, "a key has a colon and a blank behind it"},
    {"unexpected end of stream", 0, "a closing quote is missing"},
    {"unknown escape", 0, "in single quotes a backslash is itself"},
    {"expected node content", 0, "a value or a closing bracket is missing"},
};

static bool fail_as_told(struct maker *m, const yaml_parser_t *p)
{
    if (p->error == YAML_MEMORY_ERROR)
        mem_die("out of memory");
    size_t offset = p->error == YAML_READER_ERROR ? p->problem_offset + m->skipped
                                                  : offset_of(m, &p->problem_mark);
    size_t inside = offset - m->skipped;
    char at = inside < m->text.n ? m->text.p[inside] : 0;
    const char *what = p->problem ? p->problem : "it is no YAML", *remedy = "";
    for (size_t i = 0; !*remedy && i < sizeof remedies / sizeof *remedies; i++)
        if (strstr(what, remedies[i].part) && (!remedies[i].at || remedies[i].at == at))
            remedy = remedies[i].remedy;
    bool is_far = p->context && p->context_mark.line != p->problem_mark.line;
    if (!is_far && strstr(what, "expected key")) /* all of it stands in one line */
        remedy = "quotes enclose a value as a whole";
    if (is_far)
        return fail(m, offset, "%s %s from line %zu on%s%s", what, p->context,
                    p->context_mark.line + 1, *remedy ? ": " : "", remedy);
    return fail(m, offset, "%s%s%s", what, *remedy ? ": " : "", remedy);
}

static bool check_characters(struct maker *m)
{
    size_t valid = utf8_valid_prefix(m->text);
    for (size_t i = 0; i < valid; i++) {
        unsigned char c = (unsigned char)m->text.p[i];
        if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f)
            return fail(m, i + m->skipped,
                        "a control character: write it as an escape in double quotes");
    }
    return valid == m->text.n || fail(m, valid + m->skipped, "invalid UTF-8");
}

/* Nobody needs tags of their own here, and many %TAG lines would take libyaml quadratic time. */
static bool check_directives(struct maker *m)
{
    struct str rest = m->text, line;
    for (bool more = true; more;) {
        more = str_cut(&rest, '\n', &line);
        struct str word = str_trim(line);
        if (str_starts(line, STR("%")) && !str_starts(line, STR("%YAML")))
            return fail(m, (size_t)(line.p - m->text.p) + m->skipped,
                        "no directive is taken but %%YAML");
        if (word.n && word.p[0] != '#' && line.p[0] != '%')
            break;
    }
    return true;
}

static bool parse(struct maker *m)
{
    yaml_parser_t parser;
    yaml_event_t event;
    bool ok = true;
    if (!yaml_parser_initialize(&parser))
        mem_die("out of memory");
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)m->text.p, m->text.n);
    while (ok && !m->is_done) {
        if (!yaml_parser_parse(&parser, &event)) {
            ok = fail_as_told(m, &parser);
        } else {
            ok = on_event(m, &event);
            yaml_event_delete(&event);
        }
    }
    yaml_parser_delete(&parser);
    return ok;
}

bool doc_yaml_to_json(struct str yaml, struct buf *json, struct doc_yaml_map *map,
                      struct doc_yaml_fault *fault)
{
    struct maker m = {.text = yaml.n ? yaml : STR(""), .out = json, .map = map, .fault = fault};
    if (str_starts(yaml, STR("\xef\xbb\xbf"))) {
        m.skipped = 3;
        m.text = str_make(yaml.p + 3, yaml.n - 3);
    }
    m.w = jsonw_make(json);
    bool ok = check_characters(&m) && check_directives(&m) && parse(&m);
    map_done(&m.anchors);
    arena_done(&m.arena);
    return ok;
}
