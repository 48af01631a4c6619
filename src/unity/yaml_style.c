#include "unity/yaml_line.h"
#include "unity/yaml_write.h"

#define WIDTH 80 /* as in yaml_write.c */

enum shown {
    SHOWS_NOTHING,
    SHOWS_YES,
    SHOWS_NO
};

/* What a line says about wrapping. A flow map that goes on behind the width in one line was not
 * wrapped; one that ends with a comma behind it was. */
static enum shown line_shows(const char *at, const char *stop)
{
    const char *brace = memchr(at, '{', (size_t)(stop - at));
    if (!brace || brace - at < 2 || brace[-1] != ' ')
        return SHOWS_NOTHING;
    if (brace[-2] != ':' && brace[-2] != '-')
        return SHOWS_NOTHING;
    if (stop[-1] == ',')
        return SHOWS_NO;
    if (stop[-1] != '}')
        return SHOWS_NOTHING;
    const char *comma = memrchr(brace, ',', (size_t)(stop - brace));
    return comma && comma - at + 1 > WIDTH ? SHOWS_YES : SHOWS_NOTHING;
}

static enum shown shows_one_line(const struct yaml_file *f)
{
    const char *at = f->text.p, *end = at + f->text.n;
    while (at < end) {
        const char *next = yaml_line_next(at, end);
        if (next - at > WIDTH) {
            enum shown shown = line_shows(at, yaml_line_stop(at, end));
            if (shown != SHOWS_NOTHING)
                return shown;
        }
        at = next;
    }
    return SHOWS_NOTHING;
}

/* Property paths of list items tell: propertyPath: 'm_Materials.Array.data[0]'. */
static enum shown shows_quoted_brackets(const struct yaml_file *f)
{
    static const struct str label = STR_INIT("propertyPath: ");
    const char *at = f->text.p, *end = at + f->text.n;
    while ((at = memmem(at, (size_t)(end - at), label.p, label.n)) != NULL) {
        at += label.n;
        const char *stop = yaml_line_stop(at, end);
        if (at < stop && *at != '"' && memchr(at, '[', (size_t)(stop - at)))
            return *at == '\'' ? SHOWS_YES : SHOWS_NO;
    }
    return SHOWS_NOTHING;
}

/* Seen in projects at 2022.3.56 and at 6000.x, and in none between. */
static bool quotes_brackets(struct version v)
{
    static const struct version last_2022 = {.major = 2022, .minor = 3, .patch = 56};
    return v.major >= 6000 || (v.major == 2022 && version_cmp(v, last_2022) >= 0);
}

struct yaml_style yaml_style(const struct yaml_file *f, struct version project, bool inline_maps)
{
    static const struct version always_one_line = {.major = 6000, .minor = 6};
    struct yaml_style s = {.crlf = f->crlf};
    enum shown one_line = SHOWS_NOTHING, brackets = SHOWS_NOTHING;
    if (f->text.n > 0) {
        one_line = shows_one_line(f);
        brackets = shows_quoted_brackets(f);
    }
    s.one_line = one_line != SHOWS_NOTHING
                     ? one_line == SHOWS_YES
                     : inline_maps || version_cmp(project, always_one_line) >= 0;
    s.quote_brackets = brackets != SHOWS_NOTHING ? brackets == SHOWS_YES : quotes_brackets(project);
    return s;
}
