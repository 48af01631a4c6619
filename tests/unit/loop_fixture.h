/* What the tests of the loop and its timers share: a loop for each test, and a word. Each test
 * writes letters in the order in which things happen, and compares the word. */
#pragma once

#include "base/buf.h"
#include "base/loop.h"
#include "test.h"

static struct buf seen;
static struct loop *loop;

static inline int setup(void **state)
{
    loop = loop_new();
    return 0;
}

static inline int teardown(void **state)
{
    loop_free(loop);
    buf_done(&seen);
    return 0;
}

static inline void note(void *letter)
{
    buf_add(&seen, str_from(letter));
}
