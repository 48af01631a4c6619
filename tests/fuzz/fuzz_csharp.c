/* Reads the bytes as C#. The blanked text has the same length and the same lines, is valid UTF-8,
 * and, if the input is valid, does not change when it is blanked again; the result is
 * consistent. */
#include <assert.h>

#include "base/utf8.h"
#include "fuzz.h"
#include "unity/csharp.h"

static const struct str defines[] = {STR_INIT("UNITY_EDITOR"), STR_INIT("A")};
static const struct csharp_options options = {.defines = defines, .define_count = 2};

static bool is_newline(char c)
{
    return c == '\n' || c == '\r';
}

static void check_blank(struct str text, bool is_right)
{
    struct buf once = {0}, twice = {0};
    csharp_blank(text, &options, &once);
    assert(once.n == text.n);
    for (size_t i = 0; i < text.n; i++)
        assert(is_newline(text.p[i]) == is_newline(once.p[i]));
    for (size_t i = 0; i < text.n; i++)
        assert(!is_newline(text.p[i]) || text.p[i] == once.p[i]);
    assert(utf8_is_valid(buf_str(&once)));
    csharp_blank(buf_str(&once), &options, &twice);
    assert(!is_right || str_eq(buf_str(&once), buf_str(&twice)));
    buf_done(&once);
    buf_done(&twice);
}

static void check_text(struct str s)
{
    assert(utf8_is_valid(s));
}

static void check_field(const struct csharp_field *f, unsigned lines)
{
    assert(f->name.n > 0 && f->line >= 1 && f->line <= lines);
    check_text(f->name);
    check_text(f->type);
    check_text(f->initializer);
    for (size_t i = 0; i < f->attribute_count; i++) {
        check_text(f->attributes[i].name);
        check_text(f->attributes[i].arguments);
    }
}

static void check_type(const struct csharp_file *f, size_t i, unsigned lines)
{
    const struct csharp_type *t = &f->types[i];
    assert(t->name.n > 0 && t->line >= 1 && t->line <= lines);
    assert(!t->outer || (t->outer >= f->types && t->outer < t));
    assert(i == 0 || f->types[i - 1].line <= t->line);
    for (size_t k = 0; k < t->field_count; k++)
        check_field(&t->fields[k], lines);
    for (size_t k = 0; k < t->member_count; k++)
        assert(t->members[k].name.n > 0);
    for (size_t k = 0; k < t->base_count; k++)
        check_text(t->bases[k]);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct str text = str_make((const char *)bytes, n);
    unsigned lines = 1;
    for (size_t i = 0; i < n; i++)
        lines += text.p[i] == '\n' || (text.p[i] == '\r' && (i + 1 == n || text.p[i + 1] != '\n'));
    struct csharp_error fault;
    struct csharp_file *f = csharp_read(text, &options, &fault);
    assert((fault.line == 0) == (fault.column == 0) && fault.line <= lines);
    check_blank(text, fault.line == 0);
    for (size_t i = 0; i < f->type_count; i++)
        check_type(f, i, lines);
    for (size_t i = 0; i < f->using_count; i++)
        assert(f->usings[i].name.n > 0);
    csharp_free(f);
    struct csharp_options heads = options;
    heads.heads_only = true;
    f = csharp_read(text, &heads, NULL);
    for (size_t i = 0; i < f->type_count; i++) {
        check_text(f->types[i].name);
        assert(f->types[i].field_count == 0 && f->types[i].member_count == 0);
    }
    csharp_free(f);
    return 0;
}
