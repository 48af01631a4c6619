#include "unity/check_file.h"

#include <stdlib.h>

#include "base/file.h"
#include "base/mem.h"

#define MONO_BEHAVIOUR  114
#define PREFAB_INSTANCE 1001

struct check_reader {
    struct check_file *f;
    struct yaml_file yaml;
    struct buf out; /* the file, rebuilt from its parts */
    size_t cap;     /* of uses */
    const char *counted;
    unsigned line; /* the line of the text at `counted` */
    const struct yaml_doc *doc;
};

/* ---- references */

/* Must be called with ascending positions. */
static unsigned count_line(struct check_reader *r, const char *at)
{
    const char *nl;
    while (r->counted < at && (nl = memchr(r->counted, '\n', (size_t)(at - r->counted)))) {
        r->counted = nl + 1;
        r->line++;
    }
    return r->line;
}

static void add_use(struct check_reader *r, struct check_use use)
{
    struct check_file *f = r->f;
    if (f->use_count == r->cap)
        mem_grow((void **)&f->uses, &r->cap, r->cap + 1, sizeof use);
    use.times = 1;
    f->uses[f->use_count++] = use;
}

static void add_reference(struct check_reader *r, struct yaml_value v, struct reference ref)
{
    if (reference_is_null(ref))
        return;
    bool is_local = reference_is_local(ref);
    if (is_local && yaml_find(&r->yaml, ref.file_id))
        return;
    add_use(r, (struct check_use){.kind = is_local ? CHECK_USE_OBJECT : CHECK_USE_ASSET,
                                  .reference = ref,
                                  .line = count_line(r, v.text.p)});
}

/* Keys of a PrefabInstance whose references are objects of the source, even without a GUID.
 * Overrides of removed objects are valid: Unity keeps them too. */
static bool is_in_source(const struct check_reader *r, struct str key)
{
    return r->doc && r->doc->class_id == PREFAB_INSTANCE &&
           (str_eq(key, STR("target")) || str_eq(key, STR("m_RemovedComponents")) ||
            str_eq(key, STR("m_RemovedGameObjects")) ||
            str_eq(key, STR("targetCorrespondingSourceObject")));
}

static void add_flow_references(struct check_reader *r, struct yaml_value v)
{
    struct yaml_item item;
    struct reference ref;
    if (v.kind == YAML_FLOW_MAP && yaml_reference(v, &ref)) {
        add_reference(r, v, ref);
        return;
    }
    for (struct yaml_walk w = yaml_walk(v); yaml_next(&w, &item);)
        if (item.value.kind == YAML_FLOW_MAP || item.value.kind == YAML_FLOW_LIST)
            add_flow_references(r, item.value);
}

/* ---- walk over all lines */

static void put_span(struct check_reader *r, const char *from, const char *to)
{
    buf_add(&r->out, str_make(from, (size_t)(to - from)));
}

/* Rebuild a block entry by entry, down to its lines. Recursion is bounded by YAML_MAX_DEPTH.
 * in_source: do not check its references. */
static void walk_block(struct check_reader *r, struct yaml_value block, bool in_source)
{
    struct yaml_item item;
    for (struct yaml_walk w = yaml_walk(block); yaml_next(&w, &item);) {
        const struct yaml_value *v = &item.value;
        const char *end = item.lines.p + item.lines.n;
        bool skip = in_source || is_in_source(r, item.key);
        if (v->kind == YAML_MAP || v->kind == YAML_LIST) {
            put_span(r, item.lines.p, v->text.p);
            walk_block(r, *v, skip);
            put_span(r, v->text.p + v->text.n, end);
            continue;
        }
        if ((v->kind == YAML_FLOW_MAP || v->kind == YAML_FLOW_LIST) && !skip)
            add_flow_references(r, *v);
        put_span(r, item.lines.p, end);
    }
}

/* Add the script of a MonoBehaviour on a GameObject as a use of its own kind, unless the script is
 * an object in the same file. line is that of the document. */
static void add_script(struct check_reader *r, struct yaml_value body, size_t first_use,
                       unsigned line)
{
    struct reference object = {0}, script = {0};
    struct yaml_value value = yaml_get(body, STR("m_Script"));
    if (!yaml_reference(yaml_get(body, STR("m_GameObject")), &object) ||
        reference_is_null(object) || !yaml_reference(value, &script) ||
        (reference_is_local(script) && !reference_is_null(script)))
        return;
    for (const char *p = r->yaml.text.p + r->doc->at; p < value.text.p; p++)
        line += *p == '\n';
    for (size_t i = first_use; i < r->f->use_count; i++) /* the walk added it as any other
                                                            reference */
        if (r->f->uses[i].line == line && r->f->uses[i].reference.file_id == script.file_id) {
            r->f->uses[i] = r->f->uses[--r->f->use_count];
            break;
        }
    struct yaml_value identifier = yaml_get(body, STR("m_EditorClassIdentifier"));
    add_use(r, (struct check_use){
                   .kind = CHECK_USE_SCRIPT,
                   .reference = script,
                   .line = line,
                   .identifier = arena_str(&r->f->arena, yaml_text(&r->f->arena, identifier))});
}

static void walk_document(struct check_reader *r, const struct yaml_doc *d)
{
    const char *text = r->yaml.text.p;
    struct yaml_value body = yaml_body(&r->yaml, d);
    size_t first_use = r->f->use_count;
    r->doc = d;
    put_span(r, text + d->at, body.text.p);
    unsigned line = count_line(r, text + d->at);
    walk_block(r, body, false);
    if (d->class_id == MONO_BEHAVIOUR && !d->stripped)
        add_script(r, body, first_use, line);
    r->f->documents++;
}

/* ---- files */

static void set_problem(struct check_file *f, enum check_file_state state, unsigned line,
                        struct str text)
{
    f->state = state;
    f->line = line;
    f->text = arena_str(&f->arena, text);
}

static void set_unreadable(struct check_file *f, const struct yaml_error *error)
{
    set_problem(f, CHECK_FILE_UNREADABLE, error->line, str_from(error->text));
}

/* The rebuilt file must have the same bytes. */
static void compare_text(struct check_reader *r, struct str text)
{
    size_t same = 0, most = text.n < r->out.n ? text.n : r->out.n;
    if (text.n == r->out.n && (text.n == 0 || memcmp(text.p, r->out.p, text.n) == 0))
        return;
    while (same < most && text.p[same] == r->out.p[same])
        same++;
    r->counted = text.p;
    r->line = 1;
    set_problem(r->f, CHECK_FILE_NOT_IDENTICAL, count_line(r, text.p + same),
                STR("writing this file back would change it from this line on"));
}

static void read_documents(struct check_reader *r, struct str text)
{
    struct yaml_error error;
    size_t keys;
    if (!yaml_split(&r->yaml, text, &error)) {
        set_unreadable(r->f, &error);
        return;
    }
    if (!yaml_check(&r->yaml, &keys, &error))
        set_unreadable(r->f, &error);
    put_span(r, text.p, text.p + r->yaml.docs[0].at);
    for (size_t i = 0; i < r->yaml.count; i++)
        walk_document(r, &r->yaml.docs[i]);
    if (r->f->state == CHECK_FILE_FINE)
        compare_text(r, text);
    yaml_done(&r->yaml);
}

static void read_meta(struct check_reader *r, struct str text)
{
    struct yaml_error error;
    size_t keys;
    if (!yaml_check_plain(text, &keys, &error)) {
        set_unreadable(r->f, &error);
        return;
    }
    struct yaml_value map = yaml_plain(text);
    put_span(r, text.p, map.text.p);
    walk_block(r, map, true);
    compare_text(r, text);
}

static bool is_binary(struct str text)
{
    return text.n > 0 && memchr(text.p, 0, text.n < 4096 ? text.n : 4096) != NULL;
}

static int compare_uses(const void *a, const void *b)
{
    const struct check_use *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    int guids = x->kind == CHECK_USE_SCRIPT ? 0 : guid_cmp(x->reference.guid, y->reference.guid);
    if (guids)
        return guids;
    if (x->kind == CHECK_USE_OBJECT && x->reference.file_id != y->reference.file_id)
        return x->reference.file_id < y->reference.file_id ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

/* Merge repeated uses of an object or asset. */
static void merge_uses(struct check_file *f)
{
    size_t kept = 0;
    if (f->use_count)
        qsort(f->uses, f->use_count, sizeof *f->uses, compare_uses);
    for (size_t i = 0; i < f->use_count; i++) {
        struct check_use *last = kept ? &f->uses[kept - 1] : NULL, *use = &f->uses[i];
        bool same =
            last && use->kind != CHECK_USE_SCRIPT && last->kind == use->kind &&
            guid_eq(last->reference.guid, use->reference.guid) &&
            (use->kind == CHECK_USE_ASSET || last->reference.file_id == use->reference.file_id);
        if (same)
            last->times++;
        else
            f->uses[kept++] = *use;
    }
    f->use_count = kept;
}

void check_file_read(struct check_file *f)
{
    struct error err = {0};
    struct buf text = buf_make(YAML_MAX_BYTES);
    struct check_reader r = {.f = f, .out = buf_make(YAML_MAX_BYTES), .line = 1};
    if (!file_read(f->path, YAML_MAX_BYTES, &text, &err)) {
        set_problem(f, CHECK_FILE_UNREADABLE, 0, str_from(err.text));
    } else {
        f->bytes = text.n;
        r.counted = text.p;
        if (f->is_meta)
            read_meta(&r, buf_str(&text));
        else if (is_binary(buf_str(&text)))
            f->state = CHECK_FILE_BINARY;
        else
            read_documents(&r, buf_str(&text));
        merge_uses(f);
    }
    buf_done(&r.out);
    buf_done(&text);
}

void check_file_done(struct check_file *f)
{
    free(f->uses);
    arena_done(&f->arena);
    *f = (struct check_file){0};
}
