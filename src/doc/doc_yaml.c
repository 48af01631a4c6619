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

/* A node with an anchor. A scalar is kept as its text, because it has another meaning as a key than
 * as a value; a container is a range of the JSON. */
struct doc_anchor {
    struct str text;
    enum doc_scalar kind; /* kind of a scalar */
    bool is_scalar;
    bool is_complete; /* else we are still inside it */
    size_t from, to;
};

struct doc_level {
    bool is_map;
    bool wants_key;            /* of a map */
    struct doc_anchor *anchor; /* NULL: none */
};

struct doc_converter {
    struct str text;    /* without a byte order mark */
    size_t skipped;     /* its bytes */
    size_t index, byte; /* a position in the text: in characters, as libyaml counts, and in bytes */
    struct buf *out;
    struct jsonw w;
    struct doc_yaml_map *map; /* NULL: positions are not needed */
    struct doc_level levels[JSON_MAX_DEPTH];
    size_t depth;
    struct map anchors;
    struct arena arena; /* of the anchors */
    size_t documents;
    size_t last; /* start of the current event */
    bool is_done;
    struct doc_yaml_error *error;
};

static bool fail_at(struct doc_converter *m, size_t offset, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static bool fail_at(struct doc_converter *m, size_t offset, const char *fmt, ...)
{
    va_list args;
    *m->error = (struct doc_yaml_error){.offset = offset};
    va_start(args, fmt);
    vsnprintf(m->error->text, sizeof m->error->text, fmt, args);
    va_end(args);
    return false;
}

static bool fail_limit(struct doc_converter *m, size_t offset, const char *what)
{
    fail_at(m, offset, "%s", what);
    m->error->limit = true;
    return false;
}

/* ---- marks */

static void add_mark(struct doc_converter *m, size_t before, size_t yaml)
{
    struct doc_yaml_map *map = m->map;
    if (!map || before >= m->out->n)
        return;
    /* the comma belongs to the writer, not to the value */
    size_t json = before + (m->out->p[before] == ',');
    mem_grow((void **)&map->marks, &map->mark_cap, map->mark_count + 1, sizeof *map->marks);
    map->marks[map->mark_count++] = (struct doc_yaml_mark){json, yaml};
}

static void add_copy(struct doc_converter *m, size_t from, size_t n)
{
    struct doc_yaml_map *map = m->map;
    if (!map || m->out->overflow)
        return;
    mem_grow((void **)&map->copies, &map->copy_cap, map->copy_count + 1, sizeof *map->copies);
    map->copies[map->copy_count++] = (struct doc_yaml_copy){m->out->n - n, from, n};
}

size_t doc_yaml_origin(const struct doc_yaml_map *map, size_t json)
{
    for (size_t i = map->copy_count; i-- > 0;) /* a copy repeats only what is before it */
        if (json >= map->copies[i].to && json - map->copies[i].to < map->copies[i].n)
            json = json - map->copies[i].to + map->copies[i].from;
    size_t low = 0, high = map->mark_count; /* find the last mark at or before that byte */
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

/* Marks come in the order of the text, except those of errors. */
static size_t find_offset(struct doc_converter *m, const yaml_mark_t *mark)
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

static struct str yaml_text(const yaml_char_t *s)
{
    return str_from((const char *)s);
}

static struct doc_anchor *add_anchor(struct doc_converter *m, const yaml_char_t *name)
{
    if (!name)
        return NULL;
    struct doc_anchor *a = arena_zalloc(&m->arena, sizeof *a);
    /* a later anchor of the same name replaces it from here on */
    map_set(&m->anchors, yaml_text(name), a);
    return a;
}

/* ---- nodes */

static struct doc_level *top_level(struct doc_converter *m)
{
    return m->depth ? &m->levels[m->depth - 1] : NULL;
}

static bool wants_key(struct doc_converter *m)
{
    return m->depth && top_level(m)->wants_key;
}

/* Call after a key or a value. */
static bool finish_node(struct doc_converter *m, size_t offset)
{
    struct doc_level *l = top_level(m);
    if (l && l->is_map)
        l->wants_key = !l->wants_key;
    return !m->out->overflow ||
           fail_limit(m, offset, "too large, or its aliases expand to too much");
}

static bool put_key(struct doc_converter *m, struct str text, size_t offset)
{
    size_t before = m->out->n;
    jsonw_key_str(&m->w, text);
    add_mark(m, before, offset);
    return finish_node(m, offset);
}

static bool put_scalar(struct doc_converter *m, struct str text, enum doc_scalar kind,
                       size_t offset)
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
            fail_at(m, offset, "a number that does not fit into 64 bits");
        buf_done(&number);
        break;
    case DOC_SCALAR_NOT_FINITE:
        return fail_at(m, offset, "a number must be finite; quote it if it is meant as text");
    }
    add_mark(m, before, offset);
    return ok && finish_node(m, offset);
}

static const struct {
    struct str tag;
    unsigned kinds; /* a bit for each allowed kind; 0: it is text */
} scalar_tags[] = {
    {STR_INIT("!"), 0},
    {STR_INIT("tag:yaml.org,2002:str"), 0},
    {STR_INIT("tag:yaml.org,2002:null"), 1u << DOC_SCALAR_NULL},
    {STR_INIT("tag:yaml.org,2002:bool"), 1u << DOC_SCALAR_TRUE | 1u << DOC_SCALAR_FALSE},
    {STR_INIT("tag:yaml.org,2002:int"), 1u << DOC_SCALAR_INT},
    {STR_INIT("tag:yaml.org,2002:float"),
     1u << DOC_SCALAR_INT | 1u << DOC_SCALAR_FLOAT | 1u << DOC_SCALAR_NOT_FINITE},
};

static bool fail_tag(struct doc_converter *m, size_t offset, struct str tag, const char *why)
{
    struct buf shown = {0};
    quote_add(&shown, tag, QUOTE_MAX);
    fail_at(m, offset, "the tag %.*s %s", STR_ARG(buf_str(&shown)), why);
    buf_done(&shown);
    return false;
}

/* Find the kind of a scalar; a tag overrides its style. */
static bool find_kind(struct doc_converter *m, const yaml_event_t *e, struct str text,
                      enum doc_scalar *kind)
{
    struct str tag = yaml_text(e->data.scalar.tag);
    bool is_plain = e->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    *kind = is_plain ? doc_scalar_kind(text) : DOC_SCALAR_TEXT;
    if (!tag.p)
        return true;
    for (size_t i = 0; i < sizeof scalar_tags / sizeof *scalar_tags; i++) {
        if (!str_eq(tag, scalar_tags[i].tag))
            continue;
        *kind = scalar_tags[i].kinds ? doc_scalar_kind(text) : DOC_SCALAR_TEXT;
        return !scalar_tags[i].kinds || scalar_tags[i].kinds >> *kind & 1 ||
               fail_tag(m, m->last, tag, "does not fit its value");
    }
    return fail_tag(m, m->last, tag, "is unknown: use the core schema, as in !!str 1");
}

static bool on_scalar(struct doc_converter *m, const yaml_event_t *e)
{
    struct str text = str_make((const char *)e->data.scalar.value, e->data.scalar.length);
    bool is_plain = e->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    enum doc_scalar kind;
    if (!find_kind(m, e, text, &kind))
        return false;
    struct doc_anchor *a = add_anchor(m, e->data.scalar.anchor);
    if (a)
        *a = (struct doc_anchor){arena_str(&m->arena, text), kind, true, true, 0, 0};
    if (!wants_key(m))
        return put_scalar(m, text, kind, m->last);
    if (is_plain && text.n == 0)
        return fail_at(m, m->last, "a key is missing before the colon");
    if (is_plain && str_eq(text, STR("<<")))
        return fail_at(m, m->last, "<< merges nothing in YAML 1.2: write the members out");
    return put_key(m, text, m->last);
}

static bool on_alias(struct doc_converter *m, const yaml_event_t *e)
{
    struct str name = yaml_text(e->data.alias.anchor);
    const struct doc_anchor *a = map_get(&m->anchors, name);
    struct buf shown = {0};
    if (!a) {
        quote_add(&shown, name, QUOTE_MAX);
        fail_at(m, m->last, "there is no anchor %.*s before this alias", STR_ARG(buf_str(&shown)));
        buf_done(&shown);
        return false;
    }
    if (!a->is_complete)
        return fail_at(m, m->last, "the alias is inside its own anchor");
    if (a->is_scalar)
        return wants_key(m) ? put_key(m, a->text, m->last)
                            : put_scalar(m, a->text, a->kind, m->last);
    if (wants_key(m))
        return fail_at(m, m->last, "a key must be text");
    size_t n = a->to - a->from;
    char *copy = mem_dup(m->out->p + a->from, n); /* the buffer may be reallocated */
    jsonw_raw(&m->w, str_make(copy, n));
    free(copy);
    add_copy(m, a->from, n);
    return finish_node(m, m->last);
}

static bool on_start(struct doc_converter *m, const yaml_event_t *e)
{
    bool is_map = e->type == YAML_MAPPING_START_EVENT;
    struct str tag = yaml_text(is_map ? e->data.mapping_start.tag : e->data.sequence_start.tag);
    const yaml_char_t *anchor =
        is_map ? e->data.mapping_start.anchor : e->data.sequence_start.anchor;
    size_t before = m->out->n;
    if (wants_key(m))
        return fail_at(m, m->last, "a key must be text");
    if (m->depth == JSON_MAX_DEPTH)
        return fail_limit(m, m->last, "too deep");
    if (tag.p && !str_eq(tag, STR("!")) &&
        !str_eq(tag, is_map ? STR("tag:yaml.org,2002:map") : STR("tag:yaml.org,2002:seq")))
        return fail_tag(m, m->last, tag, "does not fit this value");
    if (is_map)
        jsonw_object(&m->w);
    else
        jsonw_array(&m->w);
    add_mark(m, before, m->last);
    struct doc_level *l = &m->levels[m->depth++];
    *l = (struct doc_level){.is_map = is_map, .wants_key = is_map, .anchor = add_anchor(m, anchor)};
    if (l->anchor)
        l->anchor->from = m->out->n - 1; /* at its bracket */
    return !m->out->overflow || fail_limit(m, m->last, "too large");
}

static bool on_end(struct doc_converter *m)
{
    struct doc_level *l = top_level(m);
    jsonw_end(&m->w);
    m->depth--;
    if (l->anchor) {
        l->anchor->to = m->out->n;
        l->anchor->is_complete = true;
    }
    return finish_node(m, m->last);
}

static bool on_event(struct doc_converter *m, const yaml_event_t *e)
{
    m->last = find_offset(m, &e->start_mark);
    switch (e->type) {
    case YAML_DOCUMENT_START_EVENT:
        return m->documents++ == 0 ||
               fail_at(m, m->last, "a second document: the file must have exactly one");
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
        return m->documents == 1 || fail_at(m, 0, "it is empty");
    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT:
    case YAML_DOCUMENT_END_EVENT:
        break;
    }
    return true;
}

/* ---- the whole */

/* libyaml's messages are short: for common mistakes, add what to write. `at`: the character there,
 * 0 for any. */
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
    {"could not find expected ':'", 0, "a key needs a colon and a blank after it"},
    {"unexpected end of stream", 0, "a closing quote is missing"},
    {"unknown escape", 0, "in single quotes a backslash is itself"},
    {"expected node content", 0, "a value or a closing bracket is missing"},
};

static bool fail_as_parser(struct doc_converter *m, const yaml_parser_t *p)
{
    if (p->error == YAML_MEMORY_ERROR)
        mem_die("out of memory");
    size_t offset = p->error == YAML_READER_ERROR ? p->problem_offset + m->skipped
                                                  : find_offset(m, &p->problem_mark);
    size_t inside = offset - m->skipped;
    char at = inside < m->text.n ? m->text.p[inside] : 0;
    const char *what = p->problem ? p->problem : "it is not YAML", *remedy = "";
    for (size_t i = 0; !*remedy && i < sizeof remedies / sizeof *remedies; i++)
        if (strstr(what, remedies[i].part) && (!remedies[i].at || remedies[i].at == at))
            remedy = remedies[i].remedy;
    bool is_far = p->context && p->context_mark.line != p->problem_mark.line;
    if (!is_far && strstr(what, "expected key")) /* the whole problem is in one line */
        remedy = "quotes enclose a value as a whole";
    if (is_far)
        return fail_at(m, offset, "%s %s from line %zu on%s%s", what, p->context,
                       p->context_mark.line + 1, *remedy ? ": " : "", remedy);
    return fail_at(m, offset, "%s%s%s", what, *remedy ? ": " : "", remedy);
}

static bool check_characters(struct doc_converter *m)
{
    size_t valid = utf8_valid_prefix(m->text);
    for (size_t i = 0; i < valid; i++) {
        unsigned char c = (unsigned char)m->text.p[i];
        if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f)
            return fail_at(m, i + m->skipped,
                           "a control character: write it as an escape in double quotes");
    }
    return valid == m->text.n || fail_at(m, valid + m->skipped, "invalid UTF-8");
}

/* Custom tags are not needed, and many %TAG lines would take libyaml quadratic time. */
static bool check_directives(struct doc_converter *m)
{
    struct str rest = m->text, line;
    for (bool more = true; more;) {
        more = str_cut(&rest, '\n', &line);
        struct str word = str_trim(line);
        if (str_starts(line, STR("%")) && !str_starts(line, STR("%YAML")))
            return fail_at(m, (size_t)(line.p - m->text.p) + m->skipped,
                           "only the directive %%YAML is allowed");
        if (word.n && word.p[0] != '#' && line.p[0] != '%')
            break;
    }
    return true;
}

static bool parse_events(struct doc_converter *m)
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
            ok = fail_as_parser(m, &parser);
        } else {
            ok = on_event(m, &event);
            yaml_event_delete(&event);
        }
    }
    yaml_parser_delete(&parser);
    return ok;
}

bool doc_yaml_to_json(struct str yaml, struct buf *json, struct doc_yaml_map *map,
                      struct doc_yaml_error *error)
{
    struct doc_converter m = {
        .text = yaml.n ? yaml : STR(""), .out = json, .map = map, .error = error};
    if (str_starts(yaml, STR("\xef\xbb\xbf"))) {
        m.skipped = 3;
        m.text = str_make(yaml.p + 3, yaml.n - 3);
    }
    m.w = jsonw_make(json);
    bool ok = check_characters(&m) && check_directives(&m) && parse_events(&m);
    map_done(&m.anchors);
    arena_done(&m.arena);
    return ok;
}
