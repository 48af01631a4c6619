#include "base/library.h"

#include <math.h>

#include "test.h"

static __typeof__(cos) *cosine;
static int (*nothing)(void);

TEST(a_library_is_loaded_and_its_functions_work)
{
    struct error err = {0};
    const struct library_symbol symbols[] = {{"cos", &cosine}, {0}};
    for (int i = 0; i < 2; i++) {
        assert_true(library_open("libm.so.6", symbols, &err));
        assert_true(cosine(0.0) == 1.0);
    }
}

TEST(a_missing_library_or_function_is_named)
{
    struct error err = {0};
    const struct library_symbol symbols[] = {{"cos", &cosine}, {"no_such_thing", &nothing}, {0}};
    assert_false(library_open("libm.so.6", symbols, &err));
    assert_int_equal(err.code, ERR_IO);
    assert_string_equal(err.text, "cannot use libm.so.6: it has no no_such_thing");
    assert_null(nothing);
    assert_false(library_open("libnone.so.9", symbols, &err));
    assert_non_null(strstr(err.text, "cannot load libnone.so.9: "));
}
