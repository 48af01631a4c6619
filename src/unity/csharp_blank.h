/* csharp_blank() for the reader: what is to be parsed, in pieces, and what was wrong on the way.
 *
 *     struct csharp_blanked b;
 *     csharp_blank_init(&b, text, options);       // b.p is as long as the text
 *     for (size_t i = 0; i < b.piece_count; i++)
 *         csharp_blank_piece(&b, i, &buf);        // a small C# file of its own
 *     csharp_blank_done(&b);
 *
 * A piece is some declarations that follow each other, a KiB or some more: before them stand the
 * heads of the types and namespaces around them, behind them the braces that close those. So the
 * time for a broken file does not grow with the square of its size, what is broken harms only what
 * is near, and no node of the tree gets as many children as make libtree-sitter 0.20 overwrite
 * memory (65,536: it counts them in 16 bits): a piece has fewer bytes that are not blank.
 *
 * The braces of a piece match: one too many is left out, missing ones are added. Types nest less
 * than CSHARP_SCOPES_MAX deep; a declaration longer than anybody writes is left out. All of it is
 * valid UTF-8.
 */
#pragma once

#include "unity/csharp.h"

#define CSHARP_SCOPES_MAX 64
#define CSHARP_PIECE_MAX  (48u << 10) /* bytes that are not blank */

struct csharp_span {
    size_t from, to;
};

struct csharp_piece {
    struct csharp_span body; /* its own declarations */
    size_t first_head;       /* of b.heads, outermost first */
    size_t head_count;
    size_t open; /* braces that are to be closed behind it */
    size_t kept; /* bytes that are not blank, heads included */
};

struct csharp_blanked {
    char *p;
    size_t n;
    struct csharp_piece *pieces; /* in order; together they are the whole text */
    size_t piece_count;
    struct csharp_span *heads;
    size_t head_count;
    size_t fault; /* offset of the first thing that is wrong; SIZE_MAX: nothing */
    /* private */
    size_t piece_cap, head_cap;
};

void csharp_blank_init(struct csharp_blanked *b, struct str text,
                       const struct csharp_options *options);
void csharp_blank_done(struct csharp_blanked *b);

/* Replaces what is in *out by a piece: its heads, its body, its braces. */
void csharp_blank_piece(const struct csharp_blanked *b, size_t i, struct buf *out);

/* Where in the text the byte at this offset of a piece stands; b->n for the braces at its end. */
size_t csharp_blank_offset(const struct csharp_blanked *b, size_t i, size_t at);
