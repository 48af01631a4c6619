/* YAML in block style, as people write it; doc_read() reads it back unchanged.
 *
 *     struct doc_write w = {.out = &out, .indent = 2};
 *     doc_write_text_line(&w, "name", STR("a b"));      // "  name: \"a b\"\n"
 *     doc_write_json(&w, "flags", flags);               // "  flags:\n    - -x\n"
 *
 * A text has no quotes if every reader of YAML 1.1 or 1.2 takes it for the same text. Values of
 * several lines become literal blocks where possible.
 */
#pragma once

#include "base/buf.h"
#include "base/json.h"

#define DOC_WRITE_STEP 2u /* blanks per level */

struct doc_write {
    struct buf *out;
    size_t indent; /* of the members being written */
    bool in_item;  /* a "- " was written: the first member goes on its line */
};

void doc_write_text(struct buf *out, struct str s); /* a scalar on one line */

void doc_write_key(struct doc_write *w, struct str key); /* "key:"; the value follows */
void doc_write_item(struct doc_write *w);                /* "- "; what follows goes on its line */
/* Write the value after a key or an item, and end its line. */
void doc_write_value(struct doc_write *w, const struct json *v);

/* value: written unchanged */
void doc_write_line(struct doc_write *w, const char *key, struct str value);
void doc_write_text_line(struct doc_write *w, const char *key, struct str text);
void doc_write_bool_line(struct doc_write *w, const char *key, bool b);
/* v NULL: writes nothing */
void doc_write_json(struct doc_write *w, const char *key, const struct json *v);
