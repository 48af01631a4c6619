/* Nodes of a parsed piece of C#, and what the readers of declarations share.
 *
 *     EACH_CHILD (c) {                              // c: a cursor; no break, no return inside
 *         TSNode node = ts_tree_cursor_current_node(c);
 *         if (csharp_node_is(node, "identifier"))
 *             name = csharp_node_compact(r, node);
 *     }
 *
 * Texts are copies in the arena of the file that is read.
 */
#pragma once

#include <tree_sitter/api.h>

#include "unity/csharp_blank.h"

/* Grows on the heap while it is filled, and is then moved into the arena. */
struct csharp_list {
    void *items;
    size_t count, cap;
};

struct csharp_reader {
    const struct csharp_blanked *b;
    struct arena *arena;
    size_t piece;    /* of b: the one that is read */
    struct str text; /* of it */
    size_t line_at;  /* lines are counted up to this offset of the whole text: */
    unsigned line;
    struct csharp_list types;  /* struct csharp_type */
    struct csharp_list bodies; /* one of csharp_tree.c for each */
    struct csharp_list usings; /* struct csharp_using */
};

#define EACH_CHILD(c) for (bool more_ = csharp_node_go_down(c); more_; more_ = csharp_node_go_on(c))

bool csharp_node_go_down(TSTreeCursor *c); /* to the first child, if there is one */
bool csharp_node_go_on(TSTreeCursor *c);   /* to the next one; behind the last, up again */

bool csharp_node_is(TSNode node, const char *kind);
bool csharp_node_is_field(const TSTreeCursor *c, const char *name); /* what it is to its parent */
TSNode csharp_node_child(TSNode node, const char *field);           /* null: there is none */

/* A node that is null has no text. */
struct str csharp_node_span(const struct csharp_reader *r, TSNode node); /* of the piece: no copy */
struct str csharp_node_text(struct csharp_reader *r, TSNode node);

/* A name or a type, without the blanks and line ends in it, and without the @ that lets a keyword
 * be a name. */
struct str csharp_node_compact(struct csharp_reader *r, TSNode node);

size_t csharp_node_offset(const struct csharp_reader *r, TSNode node); /* in the whole text */
unsigned csharp_node_line(struct csharp_reader *r, TSNode node); /* ask in the order of the text */

void *csharp_list_add(struct csharp_list *l, size_t size); /* one zeroed item */
void *csharp_list_settle(struct csharp_list *l, size_t size, struct arena *arena);
