/* What change.c and change_instance.c share. */
#pragma once

#include "editor/change.h"

struct yaml_file *change_file(const struct change *c);
const struct yaml_doc *change_find(const struct change *c, int64_t id); /* NULL: no document */

/* Add entries to a list. They are kept until change_finish(): several at one place become one
 * patch. */
void change_list_add(struct change *c, const struct yaml_item *list, size_t place,
                     struct str lines);
/* Add a document, with its "--- !u!..." line and LF line ends. */
void change_doc_add(struct change *c, int64_t id, struct str text);
int64_t change_new_id(struct change *c, int64_t near);
/* Remove a document and set the references to it to null, except in the lines of that list. */
void change_remove_doc(struct change *c, const struct yaml_doc *doc, struct str list);

/* Return the id by which the file refers to an object; make a stand-in if it needs one. */
int64_t change_instance_refer(struct change *c, struct scene_place at);
/* Fill in the references of all drafts. */
void change_instance_resolve(struct change *c, struct assign *a);

/* Write the keys that link an object to its prefab, in the form of the version. */
void change_instance_put_links(struct change *c, struct buf *out, struct reference source,
                               int64_t instance);

/* Remove the stand-ins to which only this removed document, or one of these stand-ins, refers. */
void change_instance_drop_stand_ins(struct change *c, const struct yaml_doc *gone);

void change_instance_override(struct change *c, struct scene_place at, struct assign *a);
void change_instance_added(struct change *c, uint32_t node, uint32_t index, int64_t id);
void change_instance_removed(struct change *c, struct scene_place at);
void change_instance_unadded(struct change *c, struct scene_place at);
