/* A configuration text, JSON or YAML, as one tree of JSON values that knows its places.
 *
 *     struct doc d;
 *     if (!doc_read(&d, text, &(struct doc_source){"tooling.json", DOC_JSON}, &err)) ...
 *     const struct json *id = json_get(d.root, STR("id"));
 *     if (!json_is(id, JSON_STRING))
 *         return doc_fault(&d, STR("/id"), &err, "must be text, not %s", json_type_name(id));
 *     doc_done(&d);                             // "tooling.json:3:9: /id: must be text, not null"
 *
 * YAML is 1.2 with its core schema: plain null, true, false and numbers are what they look like,
 * quoted scalars are text; keys are text (1: is the key "1"). Exactly one document. Duplicate keys,
 * unknown tags, non-finite numbers and what JSON cannot hold are faults. Aliases are followed;
 * what they blow up to is bounded by DOC_MAX_BYTES of JSON. The tree is in the doc's own memory.
 *
 * Places are found when they are asked for: reading costs nothing for them, the first of YAML as
 * much as reading.
 */
#pragma once

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/json.h"

#define DOC_MAX_BYTES      (4u << 20)
#define DOC_MAX_YAML_BYTES (1u << 20) /* of the text: a second's work at worst */

enum doc_format {
    DOC_JSON,
    DOC_YAML
};

struct doc_source {
    const char *name; /* of the file, for messages; "-" is shown as standard input */
    enum doc_format format;
};

struct doc {
    const struct json *root;
    /* private */
    struct arena arena;
    struct str text; /* as it was read, a copy */
    char *name;
    enum doc_format format;
    struct doc_places *places; /* of YAML, made when one is first asked for */
};

struct doc_place {
    size_t line, column; /* from 1; columns are characters */
};

/* ERR_CONFIG_PARSE "NAME:LINE:COLUMN: what is wrong, what would be right"; ERR_LIMIT. */
bool doc_read(struct doc *d, struct str text, const struct doc_source *source, struct error *err);
void doc_done(struct doc *d); /* takes a zeroed one */

/* The value that the JSON pointer names ("/profiles/0/id", ~0 and ~1 as in RFC 6901), or NULL. */
const struct json *doc_get(const struct doc *d, struct str pointer);

/* Of the value that the pointer names; of a member, the place of its value. Where there is none, of
 * the nearest container around it. */
struct doc_place doc_where(const struct doc *d, struct str pointer);

/* Adds "NAME:LINE:COLUMN: POINTER: ", what every message about a value begins with. Of the whole
 * document the pointer is left out. */
void doc_say_where(const struct doc *d, struct str pointer, struct buf *out);

/* Sets err to ERR_CONFIG_VALIDATION "NAME:LINE:COLUMN: POINTER: ..." and answers false. */
bool doc_fault(const struct doc *d, struct str pointer, struct error *err, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
