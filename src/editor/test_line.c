#include "editor/test_line.h"

/* "[3/12] rest" */
static bool read_count(struct test_progress *p, struct str line)
{
    struct str part, done;
    uint64_t n, of;
    if (line.n == 0 || line.p[0] != '[')
        return false;
    line = str_skip(line, 1);
    if (!str_cut(&line, ']', &part) || !str_cut(&part, '/', &done) ||
        !str_to_u64(str_trim(done), &n) || !str_to_u64(str_trim(part), &of) || n > of)
        return false;
    p->done = n;
    p->total = of;
    p->current = str_trim(line);
    return true;
}

/* "Passed MyGame.Tests.Stops [12 ms]" */
static bool read_outcome(struct test_progress *p, struct str line)
{
    static const struct str words[] = {STR_INIT("Passed "), STR_INIT("Failed "),
                                       STR_INIT("Skipped ")};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!str_starts(line, words[i]))
            continue;
        struct str rest = str_trim(str_skip(line, words[i].n)), name;
        str_cut(&rest, ' ', &name);
        /* "Passed 5 of 7": a sum is no test. */
        if (!name.n || (name.p[0] >= '0' && name.p[0] <= '9'))
            return false;
        p->done++;
        p->current = name;
        return true;
    }
    return false;
}

bool test_line_read(struct test_progress *p, struct str line)
{
    line = str_trim(line);
    if (!line.n)
        return false;
    if (!read_count(p, line) && !read_outcome(p, line))
        p->current = line;
    return true;
}
