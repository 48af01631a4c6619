/* What a line of a test runner's output says of its progress.
 *
 *     struct test_progress p = {0};
 *     test_line_read(&p, STR("[3/12] MyGame.Tests.Stops"));   // done 3, total 12, current the name
 *
 * "Passed NAME", "Failed NAME" and "Skipped NAME", as dotnet test writes them, count one each;
 * "[3/12] NAME" says it outright; any other line with something in it is what the runner is at. The
 * text of p->current is a part of the line.
 */
#pragma once

#include "base/str.h"

struct test_progress {
    uint64_t done, total; /* total 0: not known */
    struct str current;   /* empty: nothing was said yet */
};

bool test_line_read(struct test_progress *p, struct str line); /* false: it says nothing */
