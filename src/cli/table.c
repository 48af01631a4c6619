#include "cli/table.h"

#include <assert.h>

#include "base/columns.h"
#include "cli/terminal.h"

void table_add_str(struct table *t, struct str text)
{
    assert(t->column < TABLE_MAX_COLUMNS);
    size_t at = t->cells.n;
    terminal_escape(&t->cells, text.n ? text : STR("-"));
    size_t width = columns_of(str_skip(buf_str(&t->cells), at));
    if (width > t->widths[t->column])
        t->widths[t->column] = width;
    buf_add_char(&t->cells, 0);
    t->column++;
}

void table_add(struct table *t, const char *fmt, ...)
{
    struct buf text = {0};
    va_list args;
    va_start(args, fmt);
    buf_vprintf(&text, fmt, args);
    va_end(args);
    table_add_str(t, buf_str(&text));
    buf_done(&text);
}

void table_end(struct table *t)
{
    buf_add_char(&t->cells, '\n');
    t->column = 0;
}

void table_right(struct table *t, size_t column)
{
    assert(column < TABLE_MAX_COLUMNS);
    t->right[column] = true;
}

void table_put(const struct table *t, struct buf *out)
{
    struct str rest = buf_str(&t->cells), row;
    while (rest.n) {
        size_t column = 0;
        str_cut(&rest, '\n', &row);
        for (struct str cell; row.n; column++) {
            str_cut(&row, 0, &cell);
            size_t gap = t->widths[column] - columns_of(cell);
            if (t->right[column])
                buf_printf(out, "%*s", (int)gap, "");
            buf_add(out, cell);
            if (row.n)
                buf_printf(out, "%*s", (int)(t->right[column] ? 2 : gap + 2), "");
        }
        buf_add_char(out, '\n');
    }
}

void table_done(struct table *t)
{
    buf_done(&t->cells);
}
