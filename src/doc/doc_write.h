/* YAML in block style, as people write it, that doc_read() reads back as the same.
 *
 *     struct doc_write w = {.out = &out, .indent = 2};
 *     doc_write_text_line(&w, "name", STR("a b"));      // "  name: \"a b\"\n"
 *     doc_write_json(&w, "flags", flags);               // "  flags:\n    - -x\n"
 *
 * Text stands without quotes where no reader of YAML 1.1 or 1.2 takes it for something else; values
 * of several lines become literal blocks where they can.
 */
#pragma once

#include "base/buf.h"
#include "base/json.h"

#define DOC_WRITE_STEP 2u /* blanks for each level */

struct doc_write {
    struct buf *out;
    size_t indent; /* of the members that are being written */
    bool in_item;  /* a "- " was written: the first member stands on its line */
};

void doc_write_text(struct buf *out, struct str s); /* one scalar on one line */

void doc_write_key(struct doc_write *w, struct str key); /* "key:"; the value follows */
void doc_write_item(struct doc_write *w);                /* "- "; what follows stands on its line */
/* The value of a member whose key was written, or of an item; with its line end. */
void doc_write_value(struct doc_write *w, const struct json *v);

void doc_write_line(struct doc_write *w, const char *key, struct str value); /* as it is */
void doc_write_text_line(struct doc_write *w, const char *key, struct str text);
void doc_write_bool_line(struct doc_write *w, const char *key, bool b);
void doc_write_json(struct doc_write *w, const char *key, const struct json *v); /* NULL: nothing */
