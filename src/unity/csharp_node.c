#include "unity/csharp_node.h"

#include <stdlib.h>

#include "base/mem.h"

bool csharp_node_go_down(TSTreeCursor *c)
{
    return ts_tree_cursor_goto_first_child(c);
}

bool csharp_node_go_on(TSTreeCursor *c)
{
    if (ts_tree_cursor_goto_next_sibling(c))
        return true;
    ts_tree_cursor_goto_parent(c);
    return false;
}

bool csharp_node_is(TSNode node, const char *kind)
{
    return strcmp(ts_node_type(node), kind) == 0;
}

bool csharp_node_is_field(const TSTreeCursor *c, const char *name)
{
    const char *field = ts_tree_cursor_current_field_name(c);
    return field && strcmp(field, name) == 0;
}

TSNode csharp_node_child(TSNode node, const char *field)
{
    return ts_node_child_by_field_name(node, field, (uint32_t)strlen(field));
}

void *csharp_list_add(struct csharp_list *l, size_t size)
{
    if (l->count == l->cap)
        mem_grow(&l->items, &l->cap, l->count + 1, size);
    void *item = (char *)l->items + l->count++ * size;
    memset(item, 0, size);
    return item;
}

/* Moves the items into the arena. */
void *csharp_list_settle(struct csharp_list *l, size_t size, struct arena *arena)
{
    void *items = NULL;
    if (l->count > 0) {
        items = arena_alloc(arena, l->count * size);
        memcpy(items, l->items, l->count * size);
    }
    free(l->items);
    l->items = NULL;
    return items;
}

struct str csharp_node_span(const struct csharp_reader *r, TSNode node)
{
    if (ts_node_is_null(node))
        return (struct str){0};
    size_t from = ts_node_start_byte(node), to = ts_node_end_byte(node);
    return str_trim(str_make(r->text.p + from, to - from));
}

struct str csharp_node_text(struct csharp_reader *r, TSNode node)
{
    return arena_str(r->arena, csharp_node_span(r, node));
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           (unsigned char)c >= 0x80;
}

struct str csharp_node_compact(struct csharp_reader *r, TSNode node)
{
    struct str s = csharp_node_span(r, node);
    char *to = arena_alloc(r->arena, s.n + 1);
    size_t n = 0;
    bool blank = false;
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        if (c == ' ' || c == '\n' || c == '\r') {
            blank = true;
        } else if (c != '@') {
            if (blank && n > 0 && is_word(to[n - 1]) && is_word(c))
                to[n++] = ' '; /* never more than there were */
            to[n++] = c;
            blank = false;
        }
    }
    to[n] = 0;
    return str_make(to, n);
}

size_t csharp_node_offset(const struct csharp_reader *r, TSNode node)
{
    return csharp_blanked_offset(r->b, r->piece, ts_node_start_byte(node));
}

unsigned csharp_node_line(struct csharp_reader *r, TSNode node)
{
    const char *p = r->b->p; /* with a NUL at its end */
    for (size_t to = csharp_node_offset(r, node); r->line_at < to; r->line_at++)
        r->line += p[r->line_at] == '\n' || (p[r->line_at] == '\r' && p[r->line_at + 1] != '\n');
    return r->line;
}
