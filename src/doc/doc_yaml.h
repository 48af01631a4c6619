/* YAML as JSON text, with the origin of its bytes: the only part of doc.h that uses libyaml.
 *
 *     struct buf json = buf_make(DOC_MAX_BYTES);
 *     struct doc_yaml_error error;
 *     if (!doc_yaml_to_json(yaml, &json, NULL, &error)) ...    // error.text at byte error.offset
 *
 *     struct doc_yaml_map map = {0};                           // once more, for the positions
 *     doc_yaml_to_json(yaml, &json, &map, &error);
 *     size_t byte = doc_yaml_origin(&map, offset_in_json);
 *     doc_yaml_map_done(&map);
 *
 * The reader of the JSON finds duplicate keys, and the depth that aliases cause.
 */
#pragma once

#include "base/buf.h"
#include "base/str.h"

struct doc_yaml_mark {
    size_t json, yaml; /* where a key or a value begins */
};

struct doc_yaml_copy {
    size_t to, from, n; /* bytes of the JSON: an alias repeats the value of its anchor */
};

struct doc_yaml_map { /* both in the order of the JSON */
    struct doc_yaml_mark *marks;
    size_t mark_count, mark_cap;
    struct doc_yaml_copy *copies;
    size_t copy_count, copy_cap;
};

struct doc_yaml_error {
    size_t offset; /* in the YAML */
    bool limit;    /* too large or too deep, not malformed */
    char text[256];
};

/* Add the JSON to *json, whose maximum limits what aliases expand to. map may be NULL. */
bool doc_yaml_to_json(struct str yaml, struct buf *json, struct doc_yaml_map *map,
                      struct doc_yaml_error *error);

size_t doc_yaml_origin(const struct doc_yaml_map *map, size_t json);
void doc_yaml_map_done(struct doc_yaml_map *map);
