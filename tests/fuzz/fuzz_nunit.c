/* Reads the bytes as the result of a test run: the result is bounded, and its counts are
 * correct. */
#include <assert.h>

#include "base/utf8.h"
#include "editor/nunit.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct nunit_result r;
    struct error err = {0};
    if (!nunit_parse(str_make((const char *)bytes, n), "r.xml", &r, &err)) {
        assert(err.text[0] != '\0');
        return 0;
    }
    assert(r.total == r.passed + r.failed + r.skipped + r.inconclusive);
    assert(r.failure_count <= r.failed && r.failure_count <= NUNIT_MAX_FAILURES);
    assert(r.skipped_name_count <= r.skipped && r.skipped_name_count <= NUNIT_MAX_SKIPPED);
    for (size_t i = 0; i < r.failure_count; i++) {
        assert(r.failures[i].message.n <= NUNIT_MAX_TEXT);
        assert(r.failures[i].stack_trace.n <= NUNIT_MAX_TEXT);
        assert(utf8_is_valid(r.failures[i].message));
    }
    nunit_done(&r);
    return 0;
}
