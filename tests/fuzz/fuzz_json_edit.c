/* The first line is a pointer, the rest a text. A value that is set is found there and all is still
 * JSON; one that is removed is not there any more. What is no JSON does no harm. */
#include <assert.h>

#include "base/json.h"
#include "base/json_edit.h"
#include "fuzz.h"

static bool is_json(struct str text)
{
    struct arena a = {0};
    bool ok = json_parse(&a, text, NULL, NULL) != NULL;
    arena_done(&a);
    return ok;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = str_make((const char *)data, size), pointer, value;
    struct buf out = {0};
    str_cut(&text, '\n', &pointer);
    bool found = json_edit_find(text, pointer, &value);
    if (json_edit_set(&out, text, pointer, STR("\"new\""))) {
        assert(is_json(text) && json_edit_find(buf_str(&out), pointer, &value));
        assert(str_eq(value, STR("\"new\"")));
        assert(is_json(buf_str(&out)) || pointer.n > 100); /* a long way makes it too deep */
    } else {
        assert(!found || !is_json(text));
    }
    buf_clear(&out);
    if (json_edit_remove(&out, text, pointer)) {
        assert(is_json(text) && is_json(buf_str(&out)));
        assert(!json_edit_find(buf_str(&out), pointer, &value));
    }
    buf_done(&out);
    return 0;
}
