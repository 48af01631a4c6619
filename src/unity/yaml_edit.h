/* Changes to a text as a list of patches: what no patch touches stays byte for byte.
 *
 *     struct yaml_edit e = {0};
 *     yaml_edit_replace(&e, &file, value.text, STR("2.5"));
 *     yaml_edit_insert(&e, &file, at, STR("  - component: {fileID: 7}\n"));
 *     yaml_edit_apply(&e, file.text, &out);          // the new text
 *     struct yaml_edit back = yaml_edit_invert(&e, file.text);   // applied to out: the old text
 *     yaml_edit_done(&e);
 *
 * Patches of one edit all speak of the text as it was before the edit. They are kept sorted; two
 * insertions at one place keep the order in which they were made, before a replacement that starts
 * there. A patch that overlaps another is a fault of the caller (assert), but a span that was
 * already replaced as a whole may be replaced again: the last one counts.
 */
#pragma once

#include "base/arena.h"
#include "base/buf.h"
#include "unity/yaml.h"

struct yaml_patch {
    size_t at, removed;
    struct str inserted; /* the edit's own copy */
    /* private */
    bool replaces; /* not an insertion: made for a span, be that empty */
};

struct yaml_edit {
    struct yaml_patch *patches;
    size_t count;
    /* private */
    size_t cap;
    struct arena arena;
};

void yaml_edit_replace(struct yaml_edit *e, const struct yaml_file *f, struct str span,
                       struct str with); /* span: a part of f->text */
void yaml_edit_insert(struct yaml_edit *e, const struct yaml_file *f, const char *at,
                      struct str what);
void yaml_edit_remove(struct yaml_edit *e, const struct yaml_file *f, struct str span);

/* The value behind a key or dash: text is as yaml_write puts it, or, if it starts with a line end,
 * a block (a map or list in whole lines without the last line end). Blank behind the colon as Unity
 * has it. Also the value of an entry of a flow map or list, in its place. */
void yaml_edit_set(struct yaml_edit *e, const struct yaml_file *f, const struct yaml_item *item,
                   struct str text);

/* An entry at place i of a list (count: the end); lines are whole lines, dash included. Turns "[]"
 * or nothing into a list, and a list that loses its last entry into "[]". Several of these may be
 * made on one list in one edit, i always being the place before the edit; but a list that starts
 * behind a dash ("- - 1") or stands in brackets ("[1, 2]") is written anew and takes only one. */
void yaml_edit_list_insert(struct yaml_edit *e, const struct yaml_file *f,
                           const struct yaml_item *list, size_t i, struct str lines);
void yaml_edit_list_remove(struct yaml_edit *e, const struct yaml_file *f,
                           const struct yaml_item *list, size_t i);

void yaml_edit_apply(const struct yaml_edit *e, struct str text, struct buf *out);
struct yaml_edit yaml_edit_invert(const struct yaml_edit *e, struct str text);
size_t yaml_edit_size(const struct yaml_edit *e); /* bytes held, for limits of an undo history */
void yaml_edit_done(struct yaml_edit *e);
