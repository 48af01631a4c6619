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

struct csharp_file *csharp_read(struct str text, const struct csharp_options *options,
                                struct csharp_fault *fault)
{
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
