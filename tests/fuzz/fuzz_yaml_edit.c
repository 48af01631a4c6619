/* The first line selects the changes, three bytes for each: what, which entry, how. The rest is the
 * file. Changes never overlap. Afterwards a valid file is still valid, and reverting the edit
 * restores the old bytes, whatever the file was. */
#include <assert.h>

#include "fuzz.h"
#include "unity/yaml_edit.h"

#define ENTRIES 256u
#define CHANGES 32u
#define DEEPEST 100u

struct used {
    struct str lines;
    bool in_place; /* entries of a list were added or removed: more of them may follow */
};

struct edit_plan {
    struct yaml_file f;
    struct yaml_edit e;
    struct yaml_item entries[ENTRIES];
    size_t count;
    struct used used[CHANGES];
    size_t used_count;
};

static void collect_items(struct edit_plan *ed, struct yaml_value v)
{
    struct yaml_item item;
    for (struct yaml_walk w = yaml_walk(v); yaml_next(&w, &item) && ed->count < ENTRIES;) {
        ed->entries[ed->count++] = item;
        collect_items(ed, item.value);
    }
}

static bool in_flow(const struct edit_plan *ed, const struct yaml_item *item)
{
    const char *end = item->lines.p + item->lines.n;
    return end < ed->f.text.p + ed->f.text.n && end[-1] != '\n';
}

/* A list whose lines can have others between them. */
static bool is_open_list(const struct edit_plan *ed, const struct yaml_item *item)
{
    if (in_flow(ed, item))
        return false;
    if (item->value.kind == YAML_LIST)
        return item->value.indent == 0 || item->value.text.p[0] == ' ';
    return yaml_count(item->value) == 0;
}

/* Whether the entry is free for this change; marks it as used. */
static bool claim_item(struct edit_plan *ed, const struct yaml_item *item, bool in_place)
{
    struct str a = item->lines;
    in_place = in_place && is_open_list(ed, item);
    for (size_t i = 0; i < ed->used_count; i++) {
        const struct used *u = &ed->used[i];
        if (u->lines.p == a.p && u->lines.n == a.n && u->in_place && in_place)
            return true;
        if (a.p < u->lines.p + u->lines.n && u->lines.p < a.p + a.n)
            return false;
    }
    if (ed->used_count == CHANGES)
        return false;
    ed->used[ed->used_count++] = (struct used){a, in_place};
    return true;
}

static void change_value(struct edit_plan *ed, const struct yaml_item *item, uint8_t how)
{
    static const char *const texts[] = {"7", "{a: 1}", "[]", "'q: r'", "\"\\n\"", "long text", ""};
    uint32_t deeper = item->value.indent + 2;
    struct buf block = {0};
    if (how % 8 < 7) {
        yaml_edit_set(&ed->e, &ed->f, item, str_from(texts[how % 8]));
        return;
    }
    if (in_flow(ed, item))
        return;
    if (item->value.kind == YAML_MAP || item->value.kind == YAML_LIST)
        deeper += 2; /* it sets the indent of its own entries: deeper than the head, in any case */
    buf_add(&block, ed->f.crlf ? STR("\r\n") : STR("\n"));
    buf_printf(&block, "%*sk: 1", (int)deeper, "");
    yaml_edit_set(&ed->e, &ed->f, item, buf_str(&block));
    buf_done(&block);
}

static void change_list(struct edit_plan *ed, const struct yaml_item *item, uint8_t how,
                        bool insert)
{
    struct buf lines = {0};
    uint32_t indent = item->value.indent;
    if (!insert) {
        yaml_edit_list_remove(&ed->e, &ed->f, item, how % 4);
        return;
    }
    if (item->value.kind != YAML_LIST && !item->key.p)
        indent += 2; /* a nested list after a dash */
    buf_printf(&lines, "%*s- %d%s", (int)indent, "", how, ed->f.crlf ? "\r\n" : "\n");
    yaml_edit_list_insert(&ed->e, &ed->f, item, how % 4, buf_str(&lines));
    buf_done(&lines);
}

static bool is_list(enum yaml_kind kind)
{
    return kind == YAML_LIST || kind == YAML_FLOW_LIST || kind == YAML_EMPTY;
}

static void change_item(struct edit_plan *ed, const uint8_t op[3])
{
    const struct yaml_item *item = &ed->entries[op[1] % ed->count];
    if (item->value.indent > DEEPEST)
        return; /* a block below it would be deeper than the reader allows */
    bool list = is_list(item->value.kind), whole = item->lines.p[-1] == '\n';
    switch (op[0] % 4) {
    case 0:
        if (claim_item(ed, item, false))
            change_value(ed, item, op[2]);
        break;
    case 1:
    case 2:
        if (list && claim_item(ed, item, true))
            change_list(ed, item, op[2], op[0] % 4 == 1);
        break;
    default:
        if (whole && !in_flow(ed, item) && claim_item(ed, item, false))
            yaml_edit_remove(&ed->e, &ed->f, item->lines);
        break;
    }
}

static void check_back(const struct yaml_edit *e, struct str old, struct str new)
{
    struct buf out = {0};
    struct yaml_edit back = yaml_edit_invert(e, old), again = yaml_edit_invert(&back, new);
    yaml_edit_apply(&back, new, &out);
    assert(str_eq(buf_str(&out), old));
    buf_clear(&out);
    yaml_edit_apply(&again, old, &out);
    assert(str_eq(buf_str(&out), new));
    yaml_edit_done(&back);
    yaml_edit_done(&again);
    buf_done(&out);
}

static void apply_changes(struct edit_plan *ed, struct str ops)
{
    struct buf out = {0};
    struct yaml_file f;
    struct yaml_error fault;
    size_t keys;
    for (size_t i = 0; i < ed->f.count; i++)
        collect_items(ed, yaml_body(&ed->f, &ed->f.docs[i]));
    bool sound = yaml_check(&ed->f, &keys, &fault);
    for (size_t i = 0; i + 3 <= ops.n && ed->count > 0; i += 3)
        change_item(ed, (const uint8_t *)ops.p + i);
    yaml_edit_apply(&ed->e, ed->f.text, &out);
    assert(yaml_edit_size(&ed->e) > 0 || ed->e.count == 0);
    if (sound) {
        assert(yaml_split(&f, buf_str(&out), &fault) && f.count == ed->f.count);
        assert(yaml_check(&f, &keys, &fault));
        yaml_done(&f);
    }
    check_back(&ed->e, ed->f.text, buf_str(&out));
    buf_done(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = str_make((const char *)data, size), ops;
    struct edit_plan ed = {0};
    struct yaml_error fault;
    if (!str_cut(&text, '\n', &ops) || !yaml_split(&ed.f, text, &fault))
        return 0;
    apply_changes(&ed, ops);
    yaml_edit_done(&ed.e);
    yaml_done(&ed.f);
    return 0;
}
