#include "unity/diagnostic.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "test.h"

static void copy_note(const struct diagnostic *n, void *ctx)
{
    buf_printf(ctx, "%d %d %.*s:%u:%u %.*s|", (int)n->level, (int)n->kind, STR_ARG(n->file),
               n->line, n->column, STR_ARG(n->text));
}

TEST(diagnostic_has_the_given_fields_and_text)
{
    struct buf said = {0};
    struct diagnostic_sink sink = {copy_note, &said};
    struct diagnostic about = {.level = DIAGNOSTIC_ERROR,
                               .kind = DIAGNOSTIC_UNREADABLE,
                               .file = STR("a.unity"),
                               .line = 3,
                               .column = 7,
                               .text = STR("left out")};
    diagnostic_report(&sink, &about, "%d is not %s", 1, "two");
    struct buf want = {0};
    buf_printf(&want, "%d %d a.unity:3:7 1 is not two|", DIAGNOSTIC_ERROR, DIAGNOSTIC_UNREADABLE);
    CHECK_STR(buf_str(&said), buf_str(&want));
    CHECK_CSTR(about.text, "left out");
    buf_done(&said);
    buf_done(&want);
}

TEST(sink_is_optional)
{
    struct diagnostic_sink deaf = {0};
    diagnostic_report(NULL, &(struct diagnostic){0}, "x");
    diagnostic_report(&deaf, &(struct diagnostic){0}, "x");
}

static void count_bytes(const struct diagnostic *n, void *ctx)
{
    *(size_t *)ctx = n->text.n;
}

TEST(text_is_limited)
{
    size_t n = 1, bytes = 1u << 20;
    struct diagnostic_sink sink = {count_bytes, &n};
    char *endless = mem_alloc(bytes);
    memset(endless, 'x', bytes);
    endless[bytes - 1] = 0;
    diagnostic_report(&sink, &(struct diagnostic){0}, "%s", endless);
    assert_true(n <= 4096);
    free(endless);
}
