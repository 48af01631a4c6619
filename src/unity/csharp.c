#include "unity/csharp.h"

#include <stdlib.h>

#include "base/mem.h"
#include "unity/csharp_blank.h"
#include "unity/csharp_tree.h"

static struct csharp_fault place_of(struct str text, size_t at)
{
    struct csharp_fault f = {1, 1};
    at = at < text.n ? at : text.n;
    for (size_t i = 0; i < at; i++) {
        char c = text.p[i];
        bool is_crlf = c == '\r' && i + 1 < text.n && text.p[i + 1] == '\n';
        if ((c == '\n' || c == '\r') && !is_crlf) {
            f.line++;
            f.column = 1;
        } else {
            f.column += ((unsigned char)c & 0xc0) != 0x80; /* characters, not bytes */
        }
    }
    return f;
}

/* What is left of a file without its types' bodies is mostly blanks, over which the parser is
 * slow. Where something stands is then not known any more, and nobody asks. */
static void squeeze(struct buf *text)
{
    size_t n = 0;
    for (size_t i = 0; i < text->n; i++) {
        bool is_blank = text->p[i] == ' ' || text->p[i] == '\n' || text->p[i] == '\r';
        if (!is_blank || n == 0 || text->p[n - 1] != ' ')
            text->p[n++] = is_blank ? ' ' : text->p[i];
    }
    text->n = n;
}

static struct csharp_file *read_heads(struct str text, const struct csharp_options *options)
{
    struct buf heads = {0};
    struct csharp_options all = *options;
    all.heads_only = false;
    csharp_blank(text, options, &heads);
    squeeze(&heads);
    struct csharp_file *f = csharp_read(buf_str(&heads), &all, NULL);
    buf_done(&heads);
    return f;
}

struct csharp_file *csharp_read(struct str text, const struct csharp_options *options,
                                struct csharp_fault *fault)
{
    if (options != NULL && options->heads_only) {
        if (fault)
            *fault = (struct csharp_fault){0};
        return read_heads(text, options);
    }
    struct csharp_file *f = mem_zalloc(sizeof *f);
    struct csharp_blanked b;
    csharp_blanked_init(&b, text, options);
    size_t at = csharp_tree_read(f, &b);
    at = at < b.fault ? at : b.fault;
    csharp_blanked_done(&b);
    if (fault)
        *fault = at == SIZE_MAX ? (struct csharp_fault){0} : place_of(text, at);
    return f;
}

void csharp_free(struct csharp_file *f)
{
    if (!f)
        return;
    arena_done(&f->arena);
    free(f);
}
