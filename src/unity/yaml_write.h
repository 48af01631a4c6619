/* Write values in the form of Unity's own YAML writer.
 *
 *     struct yaml_style style = yaml_write_style(&file, project_version, inline_maps);
 *     yaml_write_string(&out, &style, (struct yaml_place){.indent = 2, .column = 10}, name);
 *
 * The output is the text after "key: ", without a line end, also if it has several lines. indent is
 * that of the key, column is where the value starts on its line, both from 0: they decide where a
 * long text is folded and where a flow map is wrapped (80 columns).
 */
#pragma once

#include "base/buf.h"
#include "unity/version.h"
#include "unity/yaml.h"

struct yaml_style {
    bool crlf;
    bool one_line;       /* never wrap flow maps */
    bool quote_brackets; /* newer editors quote texts that contain [ or ] */
};

struct yaml_place {
    uint32_t indent, column;
};

/* Detect the style of a file from its text (line ends, wrapped lines, quoted property paths). What
 * the text does not show follows the project's version. */
struct yaml_style yaml_write_style(const struct yaml_file *f, struct version project,
                                   bool inline_maps);

void yaml_write_string(struct buf *out, const struct yaml_style *s, struct yaml_place at,
                       struct str text);
void yaml_write_float(struct buf *out, float f);
void yaml_write_double(struct buf *out, double d);
void yaml_write_reference(struct buf *out, const struct yaml_style *s, struct yaml_place at,
                          struct reference r);
/* Write "{x: 0, y: 1}", given on one line, and wrap it if its place requires it. */
void yaml_write_flow(struct buf *out, const struct yaml_style *s, struct yaml_place at,
                     struct str flow);
void yaml_write_hex(struct buf *out, struct str bytes);
void yaml_write_newline(struct buf *out, const struct yaml_style *s);
