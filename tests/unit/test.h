/* cmocka with tests that register themselves, and checks of our own types.
 *
 *     TEST_FIXTURE(setup, teardown);      // for the tests below it, in this file; may be left out
 *
 *     TEST(late_result_is_dropped)        // the name is a fact in the present tense
 *     {
 *         ...
 *     }
 *
 * Tests run in the order of their lines. test_main.c has main(); a program that needs its own
 * main() ends it with `return test_run(NULL, NULL);`.
 */
#pragma once

/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/str.h"

/* Register a test, or the functions around each of the tests below. Called before main(). */
void test_add(const char *file, int line, const char *name, CMUnitTestFunction run);
void test_add_fixture(const char *file, int line, CMFixtureFunction setup,
                      CMFixtureFunction teardown);
/* Run every test. setup and teardown are called once around all of them; both may be NULL. Return
 * the exit code. */
int test_run(CMFixtureFunction setup, CMFixtureFunction teardown);

#define TEST(name)                                                                                 \
    static void name(void **state);                                                                \
    __attribute__((constructor)) static void name##_add(void)                                      \
    {                                                                                              \
        test_add(__FILE__, __LINE__, #name, name);                                                 \
    }                                                                                              \
    static void name(void **state)

#define TEST_FIXTURE(setup, teardown)          TEST_FIXTURE_AT(__LINE__, setup, teardown)
#define TEST_FIXTURE_AT(line, setup, teardown) TEST_FIXTURE_NAMED(line, setup, teardown)
#define TEST_FIXTURE_NAMED(line, setup, teardown)                                                  \
    __attribute__((constructor)) static void add_fixture_##line(void)                              \
    {                                                                                              \
        test_add_fixture(__FILE__, line, setup, teardown);                                         \
    }                                                                                              \
    _Static_assert(true, "")

/* No wait has a limit of its own. One holds for the whole program, the same everywhere: it is a
 * little shorter than the timeout of meson (../../meson.build), so that a test can say what it
 * waited for. */
#define TEST_LIMIT_MS 540000u

static uint64_t test_began_ms;

static inline uint64_t test_now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

__attribute__((constructor)) static void test_begin(void)
{
    test_began_ms = test_now_ms();
}

/* Return the rest of the limit, at least 1. */
static inline uint64_t test_left_ms(void)
{
    uint64_t past = test_now_ms() - test_began_ms;
    return past < TEST_LIMIT_MS ? TEST_LIMIT_MS - past : 1;
}

static inline bool test_is_over(void)
{
    return test_now_ms() - test_began_ms >= TEST_LIMIT_MS;
}

/* Wait until the condition, an expression, is true: for changes without an event. */
#define TEST_UNTIL(condition)                                                                      \
    do {                                                                                           \
        while (!(condition)) {                                                                     \
            if (test_is_over())                                                                    \
                fail_msg("still not true: %s", #condition);                                        \
            usleep(1000);                                                                          \
        }                                                                                          \
    } while (0)

/* Compares texts; a failure shows both. */
#define CHECK_STR(got, want)  check_str_at((got), (want), __FILE__, __LINE__)
#define CHECK_CSTR(got, want) check_str_at((got), str_from(want), __FILE__, __LINE__)

static inline void check_str_at(struct str got, struct str want, const char *file, int line)
{
    if (str_eq(got, want))
        return;
    print_error("got:  %.*s\nwant: %.*s\n", STR_ARG(got), STR_ARG(want));
    _fail(file, line);
}
