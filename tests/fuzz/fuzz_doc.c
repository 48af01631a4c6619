/* Reads the bytes as JSON and as YAML. The result written as JSON reads back as the same; every
 * value has a place inside the text; an error has a place. */
#include <assert.h>
#include <stdlib.h>

#include "base/jsonw.h"
#include "doc/doc.h"
#include "fuzz.h"

#define MAX_PLACES 16u /* in YAML each costs as much as reading */

static size_t lines_of(struct str text)
{
    size_t n = 1;
    for (size_t i = 0; i < text.n; i++)
        n += text.p[i] == '\n';
    return n;
}

static void add_step(struct buf *pointer, struct str key)
{
    buf_add_char(pointer, '/');
    for (size_t i = 0; i < key.n; i++)
        if (key.p[i] == '~' || key.p[i] == '/')
            buf_add(pointer, key.p[i] == '~' ? STR("~0") : STR("~1"));
        else
            buf_add_char(pointer, key.p[i]);
}

struct value_places {
    const struct doc *doc;
    struct buf pointer;
    size_t lines, left;
};

static void check_places(struct value_places *p, const struct json *v)
{
    size_t before = p->pointer.n, i = 0;
    if (p->left == 0)
        return;
    p->left--;
    struct doc_place place = doc_where(p->doc, buf_str(&p->pointer));
    assert(place.line >= 1 && place.line <= p->lines && place.column >= 1);
    assert(doc_get(p->doc, buf_str(&p->pointer)) == v);
    JSON_EACH (v, k) {
        add_step(&p->pointer, json_str(k));
        check_places(p, k + 1);
        p->pointer.n = before;
    }
    JSON_ITEMS (v, item) {
        buf_printf(&p->pointer, "/%zu", i++);
        check_places(p, item);
        p->pointer.n = before;
    }
}

static void check_doc(struct str text, enum doc_format format)
{
    struct doc d = {0};
    struct error err = {0};
    if (!doc_read(&d, text, &(struct doc_source){"f", format}, &err)) {
        assert(err.code == ERR_CONFIG_PARSE || err.code == ERR_LIMIT);
        assert(str_starts(str_from(err.text), STR("f:")) && !strchr(err.text, '\n'));
        return;
    }
    struct value_places p = {.doc = &d, .lines = lines_of(text), .left = MAX_PLACES};
    struct arena a = {0};
    struct buf json = {0};
    struct jsonw w = jsonw_make(&json);
    jsonw_value(&w, d.root);
    assert(json_equal(json_parse(&a, buf_str(&json), NULL, NULL), d.root));
    check_places(&p, d.root);
    buf_done(&p.pointer);
    buf_done(&json);
    arena_done(&a);
    doc_done(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = str_make((const char *)data, size);
    check_doc(text, DOC_JSON);
    check_doc(text, DOC_YAML);
    return 0;
}
