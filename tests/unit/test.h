/* cmocka, and the checks of our own types. A test is a sentence that is true:
 *
 *     static void a_late_result_is_dropped(void **state) { (void)state; ... }
 */
#pragma once

/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <stdio.h>

#include "base/str.h"

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
