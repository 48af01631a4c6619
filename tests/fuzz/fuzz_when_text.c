/* Reads the bytes as a sentence with a time, as a duration, and as the rule of a time zone. */
#include <assert.h>
#include <stdlib.h>

#include "base/when_text.h"
#include "base/zone.h"
#include "fuzz.h"

#define NOW  1794735000000
#define YEAR (366ll * 86400000)

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct str text = str_make((const char *)bytes, n);
    int64_t at, offset;
    uint64_t ms;
    setenv("TZ", "Europe/Lisbon", 1);
    if (when_text_find(text, NOW, &at))
        assert(at >= 0 && at < NOW + 275 * YEAR); /* an epoch, or a year up to 2200 */
    if (when_text_span(text, &ms))
        assert(ms <= WHEN_TEXT_MAX_MS);
    if (zone_rule_offset(text, NOW / 1000, &offset))
        assert(offset > -8 * 86400 && offset < 8 * 86400);
    return 0;
}
