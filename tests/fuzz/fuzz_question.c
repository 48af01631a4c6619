/* The bytes as the answer to each of the three questions: an accepted answer is bounded text that
 * the next prompt can contain, a refused one gives a message. */
#include <assert.h>

#include "agent/question.h"
#include "base/utf8.h"
#include "fuzz.h"

static void check_text(struct str s, size_t max)
{
    assert(s.n <= max && utf8_is_valid(s));
}

static void check_sentence(const struct error *err)
{
    assert(err->code != ERR_NONE && err->text[0] && utf8_is_valid(str_from(err->text)));
}

static void read_plan(struct arena *a, struct str answer, struct question_plan *plan)
{
    struct error err = {0};
    if (!question_read_plan(a, answer, plan, &err)) {
        check_sentence(&err);
        plan->count = 1;
        plan->plan = STR("");
        plan->criteria[0] = (struct question_criterion){.id = STR("AC-1"), .text = STR("a")};
        return;
    }
    assert(plan->count >= 1 && plan->count <= QUESTION_MAX_CRITERIA);
    for (size_t i = 0; i < plan->count; i++) {
        check_text(plan->criteria[i].id, QUESTION_MAX_ID);
        check_text(plan->criteria[i].text, QUESTION_MAX_TEXT);
        assert(plan->criteria[i].id.n && plan->criteria[i].text.n);
        for (size_t k = 0; k < i; k++)
            assert(!str_eq(plan->criteria[i].id, plan->criteria[k].id));
    }
}

static void read_next(struct arena *a, struct str answer)
{
    struct error err = {0};
    struct question_next next;
    if (!question_read_next(a, answer, &next, &err)) {
        check_sentence(&err);
        return;
    }
    assert(next.complete || next.prompt.n);
    check_text(next.prompt, QUESTION_MAX_WORK);
    assert(!next.call.flags || json_is(next.call.flags, JSON_ARRAY));
    assert(!next.call.env || json_is(next.call.env, JSON_OBJECT));
}

static void read_assessment(struct arena *a, struct str answer, struct question_plan *plan)
{
    struct error err = {0};
    struct question_assessment s = {0};
    bool ok = question_read_assessment(a, answer, plan, &s, &err);
    if (!ok)
        check_sentence(&err);
    assert(s.passed + s.failed <= plan->count && (!s.satisfied || s.failed == 0));

    struct task_file t = {.id = STR("T"), .title = STR("t"), .prd = answer};
    struct question_run run = {answer, answer, answer, answer};
    struct question_history h = {.plan = plan, .runs = &run, .run_count = 1, .assessment = &s};
    struct buf out = {0}, again = {0};
    question_prompt_next(&out, &t, &h);
    question_prompt_repair(&again, buf_str(&out), answer, err.text);
    assert(again.n <= QUESTION_MAX_PROMPT && utf8_is_valid(buf_str(&again)));
    buf_done(&out);
    buf_done(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static struct question_plan plan;
    struct arena a = {0};
    struct str answer = str_make((const char *)bytes, n);
    read_plan(&a, answer, &plan);
    read_next(&a, answer);
    read_assessment(&a, answer, &plan);
    arena_done(&a);
    return 0;
}
