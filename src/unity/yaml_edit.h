/* Collect changes to a text as a list of patches. Bytes outside of the patches stay as they are.
 *
 *     struct yaml_edit edit = {0};
 *     yaml_edit_replace(&edit, &file, value.text, STR("2.5"));
 *     yaml_edit_insert(&edit, &file, at, STR("  - component: {fileID: 7}\n"));
 *     yaml_edit_apply(&edit, file.text, &out);                          // the new text
 *     struct yaml_edit undo = yaml_edit_invert(&edit, file.text);       // new text to old text
 *     yaml_edit_done(&undo);
 *     yaml_edit_done(&edit);
 *
 * All offsets refer to the text before the edit. Patches are sorted; insertions at one place keep
 * their order and come before a replacement that starts there. A patch must not overlap another one
 * (assert), but a span that was replaced as a whole may be replaced again: the last text is used.
 */
#pragma once

#include "base/arena.h"
#include "base/buf.h"
#include "unity/yaml.h"

struct yaml_patch {
    size_t at, removed;
    struct str inserted; /* owned by the edit */
    /* private */
    bool replaces; /* not an insertion; the span may be empty */
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

/* Set the value after a key or dash. text has the form that yaml_write produces, or is a block: a
 * line end, then whole lines without the last line end. The blank after the colon is written as
 * Unity writes it. Entries of flow collections are replaced in place. */
void yaml_edit_set(struct yaml_edit *e, const struct yaml_file *f, const struct yaml_item *item,
                   struct str text);

/* Insert an entry at place i of a list (at the count: append), or remove one. lines are whole
 * lines, with the dash. "[]" and an empty value become a list; a list without entries becomes "[]".
 * One edit may change a list several times, with i as the place before the edit. Exception: a list
 * that starts on the line of a dash ("- - 1") or is a flow list ("[1, 2]") is rewritten as a whole
 * and can be changed only once. */
void yaml_edit_list_insert(struct yaml_edit *e, const struct yaml_file *f,
                           const struct yaml_item *list, size_t i, struct str lines);
void yaml_edit_list_remove(struct yaml_edit *e, const struct yaml_file *f,
                           const struct yaml_item *list, size_t i);

void yaml_edit_apply(const struct yaml_edit *e, struct str text, struct buf *out);
struct yaml_edit yaml_edit_invert(const struct yaml_edit *e, struct str text);
size_t yaml_edit_size(const struct yaml_edit *e); /* memory in bytes, to limit the undo history */
void yaml_edit_done(struct yaml_edit *e);
