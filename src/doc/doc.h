/* A configuration text, JSON or YAML, as one tree of JSON values with their positions.
 *
 *     struct doc d;
 *     if (!doc_read(&d, text, &(struct doc_source){"tooling.json", DOC_JSON}, &err)) ...
 *     const struct json *id = json_get(d.root, STR("id"));
 *     if (!json_is(id, JSON_STRING))
 *         return doc_fail(&d, STR("/id"), &err, "must be text, not %s", json_type_name(id));
 *     doc_done(&d);                             // "tooling.json:3:9: /id: must be text, not null"
 *
 * YAML is 1.2 with its core schema: plain null, true, false and numbers have these types, quoted
 * scalars are text, and keys are text (1: is the key "1"). A file is exactly one document.
 * Duplicate keys, unknown tags, non-finite numbers and what JSON cannot hold are errors. Aliases
 * are expanded, up to DOC_MAX_BYTES of JSON. The doc owns the tree.
 *
 * Positions are computed only when they are asked for: reading does no work for them, and the first
 * position in YAML parses the text a second time.
 */
#pragma once

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/json.h"

#define DOC_MAX_BYTES      (4u << 20)
#define DOC_MAX_YAML_BYTES (1u << 20) /* of the text: at worst one second of work */

enum doc_format {
    DOC_JSON,
    DOC_YAML
};

struct doc_source {
    const char *name; /* name of the file for messages; "-" is standard input */
    enum doc_format format;
};

struct doc {
    const struct json *root;
    /* private */
    struct arena arena;
    struct str text; /* a copy of the text */
    char *name;
    enum doc_format format;
    struct doc_places *places; /* of YAML; computed when first asked for */
};

struct doc_place {
    size_t line, column; /* from 1; columns count characters */
};

/* Read the text. ERR_CONFIG_PARSE "NAME:LINE:COLUMN: problem: remedy"; or ERR_LIMIT. */
bool doc_read(struct doc *d, struct str text, const struct doc_source *source, struct error *err);
void doc_done(struct doc *d); /* also for a zeroed doc */

/* Return the value at a JSON pointer ("/profiles/0/id", ~0 and ~1 as in RFC 6901), or NULL. */
const struct json *doc_get(const struct doc *d, struct str pointer);

/* Return the position of the value at the pointer; without such a value, that of the nearest
 * container around it. */
struct doc_place doc_where(const struct doc *d, struct str pointer);

/* Add "NAME:LINE:COLUMN: POINTER: ", the start of every message about a value. For the whole
 * document the pointer is left out. */
void doc_say_where(const struct doc *d, struct str pointer, struct buf *out);

/* Set *err to ERR_CONFIG_VALIDATION "NAME:LINE:COLUMN: POINTER: ..." and return false. */
bool doc_fail(const struct doc *d, struct str pointer, struct error *err, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
