/* Values in the form in which Unity's own writer would put them.
 *
 *     struct yaml_style style = yaml_write_style(&file, project_version, inline_maps);
 *     yaml_write_string(&out, &style, (struct yaml_place){.indent = 2, .column = 10}, name);
 *
 * What is written is what stands behind "key: " (without the blank). A value of several lines ends
 * without a line end. indent is that of the key, column where the value starts on its line, both
 * from 0; they decide where a long text is folded and a flow map wrapped (80 columns).
 */
#pragma once

#include "base/buf.h"
#include "unity/version.h"
#include "unity/yaml.h"

struct yaml_style {
    bool crlf;
    bool one_line;       /* flow maps are never wrapped */
    bool quote_brackets; /* newer editors quote texts with [ or ] */
};

struct yaml_place {
    uint32_t indent, column;
};

/* As the file itself shows it (line ends; wrapped lines; quoted property paths), where it shows
 * nothing as the version of the project would do it. */
struct yaml_style yaml_write_style(const struct yaml_file *f, struct version project,
                                   bool inline_maps);

void yaml_write_string(struct buf *out, const struct yaml_style *s, struct yaml_place at,
                       struct str text);
void yaml_write_float(struct buf *out, float f);
void yaml_write_double(struct buf *out, double d);
void yaml_write_reference(struct buf *out, const struct yaml_style *s, struct yaml_place at,
                          struct reference r);
/* "{x: 0, y: 1}" as one line, wrapped as the place wants it. */
void yaml_write_flow(struct buf *out, const struct yaml_style *s, struct yaml_place at,
                     struct str flow);
void yaml_write_hex(struct buf *out, struct str bytes);
void yaml_write_newline(struct buf *out, const struct yaml_style *s);
