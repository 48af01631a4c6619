#include <assert.h>

#include "tooling/tooling.h"
#include "tooling_default_json.h" /* data/tooling.json, by tools/gen_bytes.py */

struct str tooling_default_text(void)
{
    return str_make(tooling_default_json, sizeof tooling_default_json);
}

struct tooling *tooling_default(void)
{
    struct doc doc = {0};
    struct tooling *t = NULL;
    if (doc_read(&doc, tooling_default_text(), &(struct doc_source){"default", DOC_JSON}, NULL))
        t = tooling_read(&doc, STR(""), NULL);
    assert(t && t->warning_count == 0);
    doc_done(&doc);
    return t;
}
