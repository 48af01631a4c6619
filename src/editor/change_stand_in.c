/* Stand-ins that nobody needs any more. */
#include <stdlib.h>

#include "base/mem.h"
#include "editor/change_parts.h"

#define MAX_ROUNDS 8u /* a stand-in may refer to another: of its GameObject */

/* A stand-in that what goes refers to. */
struct candidate {
    const struct yaml_doc *doc;
    bool is_needed;
};

struct dropping {
    struct change *change;
    const struct yaml_doc **gone;
    size_t gone_count, gone_cap;
    bool *is_gone;         /* of each document of the file */
    struct candidate *all; /* sorted by id, each once */
    size_t count, cap;
};

static struct str span(const struct change *c, const struct yaml_doc *d)
{
    return str_make(c->scene->file.text.p + d->at, d->end - d->at);
}

/* The next "fileID: 7" of a text; *text becomes what is behind it. */
static bool next_id(struct str *text, int64_t *id)
{
    static const struct str key = STR_INIT("fileID:");
    for (;;) {
        size_t at = str_find(*text, key);
        if (at >= text->n)
            return false;
        *text = str_skip(*text, at + key.n);
        size_t from = 0, to;
        while (from < text->n && text->p[from] == ' ')
            from++;
        for (to = from; to < text->n && strchr("-0123456789", text->p[to]) && text->p[to];)
            to++;
        if (str_to_i64(str_make(text->p + from, to - from), id))
            return true;
    }
}

static int by_id(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    return x->doc->file_id < y->doc->file_id ? -1 : x->doc->file_id > y->doc->file_id;
}

static bool is_gone(const struct dropping *d, const struct yaml_doc *doc)
{
    return d->is_gone[doc - d->change->scene->file.docs];
}

static void add_gone(struct dropping *d, const struct yaml_doc *doc)
{
    if (d->gone_count == d->gone_cap)
        mem_grow((void **)&d->gone, &d->gone_cap, d->gone_count + 1, sizeof *d->gone);
    d->gone[d->gone_count++] = doc;
    d->is_gone[doc - d->change->scene->file.docs] = true;
}

/* What the documents from this one on, which go, refer to. */
static void collect(struct dropping *d, size_t from)
{
    size_t kept = 0;
    d->count = 0;
    for (; from < d->gone_count; from++) {
        struct str text = span(d->change, d->gone[from]);
        int64_t id;
        while (next_id(&text, &id)) {
            const struct yaml_doc *doc = id ? change_find(d->change, id) : NULL;
            if (doc == NULL || !doc->stripped || is_gone(d, doc))
                continue;
            if (d->count == d->cap)
                mem_grow((void **)&d->all, &d->cap, d->count + 1, sizeof *d->all);
            d->all[d->count++] = (struct candidate){.doc = doc};
        }
    }
    if (d->count == 0)
        return;
    qsort(d->all, d->count, sizeof *d->all, by_id);
    for (size_t i = 0; i < d->count; i++)
        if (kept == 0 || d->all[i].doc != d->all[kept - 1].doc)
            d->all[kept++] = d->all[i];
    d->count = kept;
}

static struct candidate *find(const struct dropping *d, int64_t id)
{
    struct yaml_doc doc = {.file_id = id};
    struct candidate key = {.doc = &doc};
    return bsearch(&key, d->all, d->count, sizeof key, by_id);
}

/* One pass over the file: whatever else names a stand-in needs it. One that names what goes itself
 * is edited already, and stays. */
static void mark(struct dropping *d)
{
    const struct yaml_file *f = &d->change->scene->file;
    for (size_t i = 0; i < f->count; i++) {
        const struct yaml_doc *doc = &f->docs[i];
        struct str text = span(d->change, doc);
        struct candidate *self = doc->stripped ? find(d, doc->file_id) : NULL;
        int64_t id;
        if (is_gone(d, doc))
            continue;
        while (next_id(&text, &id)) {
            struct candidate *named = find(d, id);
            if (named && named->doc != doc)
                named->is_needed = true;
            if (self && id == d->gone[0]->file_id)
                self->is_needed = true;
        }
    }
}

void change_drop_stand_ins(struct change *c, const struct yaml_doc *gone)
{
    struct dropping d = {.change = c};
    size_t from = 0;
    d.is_gone = mem_zalloc(c->scene->file.count * sizeof *d.is_gone);
    add_gone(&d, gone);
    for (unsigned round = 0; round < MAX_ROUNDS && from < d.gone_count; round++) {
        collect(&d, from);
        from = d.gone_count;
        if (d.count > 0)
            mark(&d);
        for (size_t i = 0; i < d.count; i++) {
            if (d.all[i].is_needed)
                continue;
            add_gone(&d, d.all[i].doc);
            yaml_edit_remove(&c->edit, change_file(c), span(c, d.all[i].doc));
        }
    }
    free(d.gone);
    free(d.is_gone);
    free(d.all);
}
