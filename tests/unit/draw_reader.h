/* Read a picture in characters as a person does: find the boxes, follow the lines that leave them,
 * and return the edges. It knows nothing of how pictures are drawn. */
#pragma once

#include "base/columns.h"
#include "base/utf8.h"
#include "draw_fixture.h"

#define MOST_ROWS    2000
#define MOST_COLUMNS 2000

enum side {
    SIDE_UP = 1,
    SIDE_DOWN = 2,
    SIDE_LEFT = 4,
    SIDE_RIGHT = 8
};

static uint32_t grid[MOST_ROWS][MOST_COLUMNS];   /* characters; 0: empty */
static uint32_t box_at[MOST_ROWS][MOST_COLUMNS]; /* index of the box + 1 */
static uint8_t passed[MOST_ROWS][MOST_COLUMNS];  /* directions in which a line was followed */
static int grid_rows, grid_columns;
static struct pairs read_pairs;
static unsigned boxes_read;

static inline void read_grid(struct str text)
{
    for (int y = 0; y <= grid_rows; y++) { /* of the previous picture */
        memset(grid[y], 0, sizeof *grid);
        memset(box_at[y], 0, sizeof *box_at);
        memset(passed[y], 0, sizeof *passed);
    }
    memset(&read_pairs, 0, sizeof read_pairs);
    grid_rows = grid_columns = 0;
    boxes_read = 0;
    for (struct str line; text.n; grid_rows++) {
        int x = 0;
        str_cut(&text, '\n', &line);
        assert_true(grid_rows < MOST_ROWS - 1);
        for (size_t bytes; line.n; line = str_skip(line, bytes)) {
            uint32_t c = utf8_decode(line, &bytes);
            assert_true(x < MOST_COLUMNS - 2);
            if (columns_of_char(c) && c != ' ')
                grid[grid_rows][x] = c;
            x += (int)columns_of_char(c);
        }
        grid_columns = x > grid_columns ? x : grid_columns;
    }
}

static inline unsigned sides_of(uint32_t c)
{
    switch (c) {
    case 0x2502:
        return SIDE_UP | SIDE_DOWN;
    case 0x2500:
        return SIDE_LEFT | SIDE_RIGHT;
    case 0x250c:
        return SIDE_DOWN | SIDE_RIGHT;
    case 0x2510:
        return SIDE_DOWN | SIDE_LEFT;
    case 0x2514:
        return SIDE_UP | SIDE_RIGHT;
    case 0x2518:
        return SIDE_UP | SIDE_LEFT;
    case 0x251c:
        return SIDE_UP | SIDE_DOWN | SIDE_RIGHT;
    case 0x2524:
        return SIDE_UP | SIDE_DOWN | SIDE_LEFT;
    case 0x252c:
        return SIDE_DOWN | SIDE_LEFT | SIDE_RIGHT;
    case 0x2534:
        return SIDE_UP | SIDE_LEFT | SIDE_RIGHT;
    case 0x253c:
        return SIDE_UP | SIDE_DOWN | SIDE_LEFT | SIDE_RIGHT;
    default:
        return 0;
    }
}

/* Return the right end of a horizontal side that begins here; 0: there is none. */
static inline int side_end(int y, int x, uint32_t first, uint32_t port, uint32_t last)
{
    if (grid[y][x] != first)
        return 0;
    for (x++; grid[y][x] == 0x2500 || grid[y][x] == port; x++)
        continue;
    return grid[y][x] == last ? x : 0;
}

/* The name in the first line of a box, as it is drawn. */
static inline uint32_t box_name(int y, int left, int right)
{
    struct buf name = {0};
    for (int x = left + 2; x < right - 1; x++) {
        char bytes[4];
        if (grid[y][x])
            buf_add(&name, str_make(bytes, utf8_encode(grid[y][x], bytes)));
    }
    uint32_t node = node_named(buf_str(&name));
    buf_done(&name);
    return node;
}

static inline void mark_box(uint32_t node, int top, int bottom, int left, int right)
{
    boxes_read++;
    for (int y = top; y <= bottom; y++)
        for (int x = left; x <= right; x++) {
            if (box_at[y][x])
                fail_msg("two boxes at row %d, column %d", y, x);
            box_at[y][x] = node + 1;
        }
}

static inline void find_boxes(void)
{
    for (int y = 0; y < grid_rows; y++)
        for (int x = 0; x < grid_columns; x++) {
            int right = side_end(y, x, 0x250c, 0x25bc, 0x2510), bottom = y + 1;
            if (!right || box_at[y][x])
                continue;
            while (grid[bottom][x] == 0x2502 && grid[bottom][right] == 0x2502)
                bottom++;
            if (side_end(bottom, x, 0x2514, 0x252c, 0x2518) != right)
                fail_msg("no box at row %d, column %d", y, x);
            mark_box(box_name(y + 1, x, right), y, bottom, x, right);
        }
}

/* The directions in which a line that enters (y, x) in direction `going` continues. Never up:
 * another line comes from there. */
static inline void follow(uint32_t from, int y, int x, enum side going)
{
    enum side back = going == SIDE_DOWN ? SIDE_UP : going == SIDE_LEFT ? SIDE_RIGHT : SIDE_LEFT;
    for (;; y += going == SIDE_DOWN, x += going == SIDE_RIGHT ? 1 : going == SIDE_LEFT ? -1 : 0) {
        assert_true(y >= 0 && x >= 0 && y < grid_rows && x < grid_columns);
        uint32_t c = grid[y][x];
        if (c == 0x25bc && going == SIDE_DOWN && box_at[y][x]) {
            read_pairs.has[box_at[y][x] - 1][from] = true;
            read_pairs.times[box_at[y][x] - 1][from]++;
            return;
        }
        if (box_at[y][x] || !sides_of(c))
            fail_msg("the line of %.*s is lost at row %d, column %d", STR_ARG(nodes[from].name), y,
                     x);
        passed[y][x] |= (uint8_t)going;
        if (c == 0x2502 && going != SIDE_DOWN)
            continue; /* it passes under that one */
        if (!(sides_of(c) & back))
            fail_msg("the line of %.*s runs into another at row %d, column %d",
                     STR_ARG(nodes[from].name), y, x);
        unsigned on = sides_of(c) & ~(unsigned)back & ~(unsigned)SIDE_UP;
        if (on == (unsigned)going)
            continue;
        if (on & SIDE_DOWN)
            follow(from, y + 1, x, SIDE_DOWN);
        if (on & SIDE_LEFT)
            follow(from, y, x - 1, SIDE_LEFT);
        if (on & SIDE_RIGHT)
            follow(from, y, x + 1, SIDE_RIGHT);
        return;
    }
}

/* Every piece of a line belongs to some path. */
static inline void check_all_passed(void)
{
    for (int y = 0; y < grid_rows; y++)
        for (int x = 0; x < grid_columns; x++) {
            if (!grid[y][x] || box_at[y][x])
                continue;
            bool across = grid[y][x] == 0x2502 && x && passed[y][x - 1] & (SIDE_LEFT | SIDE_RIGHT);
            if (!passed[y][x])
                fail_msg("row %d, column %d belongs to nothing", y, x);
            if (across && !(passed[y][x] & SIDE_DOWN))
                fail_msg("nothing comes down at row %d, column %d", y, x);
        }
}

/* Check that the picture has exactly the edges of the graph. Names must be unique and not cut. */
static inline void check_picture(struct str text)
{
    read_grid(text);
    find_boxes();
    assert_int_equal(boxes_read, d.graph.count);
    for (int y = 0; y < grid_rows; y++)
        for (int x = 0; x < grid_columns; x++)
            if (grid[y][x] == 0x252c && box_at[y][x])
                follow(box_at[y][x] - 1, y + 1, x, SIDE_DOWN);
    check_all_passed();
    expect_edges(&read_pairs);
}

/* ---- the list */

static inline void check_list(struct str text)
{
    uint32_t node = 0, count = 0;
    bool goes_on = false;
    memset(&read_pairs, 0, sizeof read_pairs);
    for (struct str line, name; text.n;) {
        str_cut(&text, '\n', &line);
        line = str_trim(line);
        bool needs = goes_on || str_starts(line, STR("needs "));
        if (!needs) {
            size_t end = str_find(line, STR("  "));
            node = node_named(str_head(line, end));
            count++;
            continue;
        }
        if (!goes_on)
            line = str_skip(line, 6);
        goes_on = str_ends(line, STR(","));
        while (line.n) {
            str_cut(&line, ',', &name);
            uint32_t other = node_named(str_trim(name));
            read_pairs.has[node][other] = true;
            read_pairs.times[node][other]++;
        }
    }
    assert_int_equal(count, d.graph.count);
    expect_edges(&read_pairs);
}
