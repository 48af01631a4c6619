/* Reads the bytes as a configuration, JSON if they begin with a brace, else YAML. A valid one is
 * written as YAML, which reads back without a warning and is then written identically. */
#include <assert.h>
#include <stdlib.h>

#include "fuzz.h"
#include "tooling/tooling.h"

static struct tooling *read_as(struct str text, enum doc_format format, struct error *err)
{
    struct doc d = {0};
    struct tooling *t = NULL;
    if (doc_read(&d, text, &(struct doc_source){"f", format}, err))
        t = tooling_read(&d, STR(""), err);
    doc_done(&d);
    return t;
}

static void check_tooling(const struct tooling *t)
{
    assert(t->profile_count > 0 && t->active && t->warning_count <= TOOLING_MAX_WARNINGS);
    for (size_t i = 0; i < t->profile_count; i++)
        for (enum category c = 0; c < CATEGORY_COUNT; c++) {
            const struct tooling_category *s = &t->profiles[i].categories[c];
            double sum = 0;
            assert(s->count <= TOOLING_MAX_CANDIDATES && s->strategy < STRATEGY_COUNT);
            for (size_t j = 0; j < s->count; j++) {
                assert(s->candidates[j].tool != AGENT_NONE && s->candidates[j].weight >= 0);
                sum += s->candidates[j].weight;
            }
            assert(s->count == 0 || (sum > 0 && sum < 1e12));
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error err = {0};
    enum doc_format format = size && data[0] == '{' ? DOC_JSON : DOC_YAML;
    struct tooling *t = read_as(str_make((const char *)data, size), format, &err);
    if (!t) {
        assert(err.code != ERR_NONE && str_starts(str_from(err.text), STR("f")));
        return 0;
    }
    struct buf once = buf_make(DOC_MAX_YAML_BYTES), twice = {0};
    check_tooling(t);
    tooling_write_yaml(t, &once, 0);
    if (!once.overflow) { /* a text that is too long cannot be read again */
        struct tooling *again = read_as(buf_str(&once), DOC_YAML, &err);
        assert(again);
        check_tooling(again);
        tooling_write_yaml(again, &twice, 0);
        assert(str_eq(buf_str(&once), buf_str(&twice)));
        tooling_unref(again);
    }
    buf_done(&once);
    buf_done(&twice);
    tooling_unref(t);
    return 0;
}
