/* A table for people: cells in, aligned columns out.
 *
 *     struct table t = {0};
 *     table_add(&t, "TOOL");  table_add(&t, "WEIGHT"); table_end(&t);
 *     table_add(&t, "mock");  table_add(&t, "%d", 5);  table_end(&t);
 *     table_right(&t, 1);                       // align numbers to the right
 *     table_put(&t, &out);
 *     table_done(&t);
 *
 * Rows may have different numbers of cells. The last cell of a row is never padded. Text in a cell
 * is escaped to one line (terminal.h). Widths are terminal columns (base/columns.h).
 */
#pragma once

#include "base/buf.h"

#define TABLE_MAX_COLUMNS 16u

struct table {
    /* private */
    struct buf cells; /* a cell ends with NUL, a row with \n */
    size_t column;
    size_t widths[TABLE_MAX_COLUMNS];
    bool right[TABLE_MAX_COLUMNS];
};

void table_add(struct table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void table_add_str(struct table *t, struct str text); /* empty: "-" */
void table_end(struct table *t);
void table_right(struct table *t, size_t column);
void table_put(const struct table *t, struct buf *out);
void table_done(struct table *t);
