/* The inner interface of csharp_blank(): the text to parse, in pieces, and the first error.
 *
 *     struct csharp_blanked b;
 *     csharp_blank_init(&b, text, &options);      // b.p is as long as the text
 *     for (size_t i = 0; i < b.piece_count; i++)
 *         csharp_blank_piece(&b, i, &piece);      // a small C# file
 *     csharp_blank_done(&b);
 *
 * A piece consists of consecutive declarations of a KiB or more, after the heads of the types and
 * namespaces around them and before the braces that close those. Pieces have three purposes: the
 * time for a broken file does not grow with the square of its size; an error affects only its
 * surroundings; and no node of the tree gets 65,536 children or more, which libtree-sitter 0.20
 * counts in 16 bits and then overwrites memory. A piece has fewer non-blank bytes than that.
 *
 * The braces of a piece match: surplus ones are left out, missing ones are added. Types nest less
 * than CSHARP_SCOPES_MAX deep; overlong declarations are left out. The output is valid UTF-8.
 */
#pragma once

#include "unity/csharp.h"

#define CSHARP_SCOPES_MAX 64
#define CSHARP_PIECE_MAX  (48u << 10) /* non-blank bytes */

struct csharp_span {
    size_t from, to;
};

struct csharp_piece {
    struct csharp_span body; /* its own declarations */
    size_t first_head;       /* index into heads, outermost first */
    size_t head_count;
    size_t open; /* number of closing braces to add */
    size_t kept; /* non-blank bytes, with the heads */
};

struct csharp_blanked {
    char *p;
    size_t n;
    struct csharp_piece *pieces; /* in order; together they cover the whole text */
    size_t piece_count;
    struct csharp_span *heads;
    size_t head_count;
    size_t error_at; /* offset of the first error; SIZE_MAX: none */
    /* private */
    size_t piece_cap, head_cap;
};

void csharp_blank_init(struct csharp_blanked *b, struct str text,
                       const struct csharp_options *options);
void csharp_blank_done(struct csharp_blanked *b);

/* Write a piece to *out, replacing its content: heads, body, braces. */
void csharp_blank_piece(const struct csharp_blanked *b, size_t i, struct buf *out);

/* Return the offset in the text for an offset in a piece; b->n for the added braces. */
size_t csharp_blank_offset(const struct csharp_blanked *b, size_t i, size_t at);
