/* The first line is a pointer, the rest a text. After setting a value, it is found there and the
 * text is still JSON; after removing it, it is absent. Invalid JSON is harmless. */
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
        assert(is_json(buf_str(&out)) || pointer.n > 100); /* a long pointer makes it too deep */
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
