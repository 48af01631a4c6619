/* Reads the bytes as a Unity file and as a plain one. For every input, a walk stays inside the text
 * and ends; in a text without errors every key is seen by a walk; and every text in it can be
 * written so that it reads back. */
#include <assert.h>

#include "base/utf8.h"
#include "fuzz.h"
#include "unity/yaml_write.h"

struct value_walk {
    struct str text;
    struct arena arena;
    struct buf out;
    size_t keys; /* of blocks */
};

static bool is_inside(struct str part, struct str whole)
{
    return part.n == 0 || (part.p >= whole.p && part.p + part.n <= whole.p + whole.n);
}

static void look_at_scalar(struct value_walk *l, struct yaml_value v)
{
    int64_t i;
    uint64_t u;
    double d;
    struct str text = yaml_text(&l->arena, v);
    if (yaml_i64(v, &i) || yaml_u64(v, &u))
        assert(yaml_double(v, &d));
    buf_clear(&l->out);
    if (yaml_hex(&l->out, v))
        assert(l->out.n > 0);
    buf_clear(&l->out);
    buf_add(&l->out, STR("a: "));
    struct yaml_style s = {.crlf = v.text.n % 2, .quote_brackets = v.text.n % 3 == 0};
    yaml_write_string(&l->out, &s, (struct yaml_place){0, 3}, text);
    yaml_write_newline(&l->out, &s);
    buf_add(&l->out, STR("b: \n"));
    struct yaml_value map = yaml_plain(buf_str(&l->out));
    if (utf8_is_valid(text))
        assert(str_eq(yaml_text(&l->arena, yaml_get(map, STR("a"))), text));
    assert(yaml_count(map) == 2);
}

static void look_at(struct value_walk *l, struct yaml_value v)
{
    struct yaml_item item;
    struct reference r;
    const char *last = v.text.p;
    bool map = v.kind == YAML_MAP || v.kind == YAML_FLOW_MAP;
    assert(is_inside(v.text, l->text));
    if (v.kind == YAML_SCALAR)
        look_at_scalar(l, v);
    if (yaml_reference(v, &r))
        assert(v.kind == YAML_FLOW_MAP);
    for (struct yaml_walk w = yaml_walk(v); yaml_next(&w, &item);) {
        assert(is_inside(item.lines, v.text) && item.lines.p >= last);
        assert(is_inside(item.key, item.lines) && is_inside(item.value.text, item.lines));
        assert((item.key.p != NULL) == map);
        last = item.lines.p + item.lines.n;
        l->keys += v.kind == YAML_MAP;
        look_at(l, item.value);
    }
}

static void check_fault(struct yaml_error fault, struct str text)
{
    assert(fault.line >= 1 && fault.column >= 1 && fault.text);
    assert(fault.line <= text.n + 1 && fault.column <= text.n + 1);
}

static void read_file(struct value_walk *l)
{
    struct yaml_file f;
    struct yaml_error fault;
    size_t keys;
    if (!yaml_split(&f, l->text, &fault)) {
        check_fault(fault, l->text);
        return;
    }
    for (size_t i = 0; i < f.count; i++) {
        assert(f.docs[i].at < f.docs[i].body && f.docs[i].body <= f.docs[i].end);
        assert(yaml_find(&f, f.docs[i].file_id) <= &f.docs[i]);
        assert(yaml_class_name(&f, &f.docs[i]).p);
        look_at(l, yaml_body(&f, &f.docs[i]));
    }
    if (yaml_check(&f, &keys, &fault))
        assert(keys == l->keys);
    else
        check_fault(fault, l->text);
    yaml_write_style(&f, (struct version){0}, false);
    yaml_done(&f);
}

static void read_plain(struct value_walk *l)
{
    struct yaml_error fault;
    size_t keys;
    struct yaml_value map = yaml_plain(l->text);
    l->keys = 0;
    look_at(l, map);
    yaml_path(map, STR("a.b.Array.data[1].c"));
    if (yaml_check_plain(l->text, &keys, &fault))
        assert(keys == l->keys);
    else
        check_fault(fault, l->text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct value_walk l = {.text = str_make((const char *)data, size)};
    read_file(&l);
    read_plain(&l);
    arena_done(&l.arena);
    buf_done(&l.out);
    return 0;
}
