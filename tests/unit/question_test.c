#include "agent/question.h"

#include "base/utf8.h"
#include "test.h"

static struct arena arena;
static struct error err;

static int setup(void **state)
{
    err = (struct error){0};
    return 0;
}

static int teardown(void **state)
{
    arena_done(&arena);
    return 0;
}

/* ---- plan_task */

/* "AC-1 text|AC-2 text", or "! why". */
static void check_plan(const char *answer, const char *want)
{
    static struct question_plan plan;
    struct buf got = {0};
    err = (struct error){0};
    if (question_read_plan(&arena, str_from(answer), &plan, &err)) {
        assert_int_equal(err.code, ERR_NONE);
        for (size_t i = 0; i < plan.count; i++)
            buf_printf(&got, "%s%.*s %.*s", i ? "|" : "", STR_ARG(plan.criteria[i].id),
                       STR_ARG(plan.criteria[i].text));
        if (plan.plan.n)
            buf_printf(&got, "; %.*s", STR_ARG(plan.plan));
    } else {
        buf_printf(&got, "! %s", err.text);
    }
    CHECK_CSTR(buf_str(&got), want);
    buf_done(&got);
}

#define CRITERIA "\"acceptance_criteria\": [{\"id\": \"AC-1\", \"description\": \"a\"}]"

TEST(plan_may_be_anywhere_in_the_answer)
{
    static const char *const answers[] = {
        "{" CRITERIA "}",
        "{\"type\": \"plan_task\", \"version\": 1, \"payload\": {" CRITERIA "}}",
        "{\"payload\": {\"payload\": {" CRITERIA "}}}",
        "  \n{" CRITERIA "}\n\n",
        "Sure! Here it is: {" CRITERIA "} Hope {that} helps.",
        "```json\n{" CRITERIA "}\n```",
        "Text before\n\n```\n{" CRITERIA "}\n```\nand behind, with `code` in it.",
        "~~~~json\n{" CRITERIA "}\n~~~~",
        "```json\n{" CRITERIA "}", /* the fence was never closed */
        "I use {placeholders} like \"{\" here.\n{" CRITERIA "}",
        "{\"acceptanceCriteria\": [{\"id\": \"AC-1\", \"description\": \"a\"}]}",
        "{\"acceptance_criteria\": [{\"id\": \"AC-1\", \"description\": \"a\",},],}", /* nearly */
        "acceptance_criteria:\n  - id: AC-1\n    description: a\n",
        "```yaml\ntype: plan_task\npayload:\n  acceptance_criteria:\n  - id: AC-1\n"
        "    description: a\n```",
        "Here is the plan.\n\ntype: plan_task\nversion: 1\nacceptance_criteria:\n  - id: AC-1\n"
        "    description: a\n\nTell me if you want more, or less.\n",
        "{" CRITERIA ", \"plan\": null}",
    };
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
        check_plan(answers[i], "AC-1 a");
}

TEST(last_object_that_fits_counts)
{
    check_plan("Of the form {\"acceptance_criteria\": [{\"id\": \"X\", \"description\": \"no\"}]}:"
               "\n```json\n{" CRITERIA "}\n```\n{\"confidence\": 1}",
               "AC-1 a");
    check_plan("{\"note\": {\"acceptance_criteria\": 1}}\n{" CRITERIA "}\n{\"b\": 2}", "AC-1 a");
}

TEST(criteria_without_an_id_get_one)
{
    check_plan("{\"acceptance_criteria\": [\"first\", {\"description\": \"second\"}, "
               "{\"id\": null, \"text\": \"third\"}, {\"id\": 7, \"criterion\": \"fourth\"}]}",
               "AC-1 first|AC-2 second|AC-3 third|7 fourth");
    check_plan("{\"acceptance_criteria\": [{\"id\": \"AC-2\", \"description\": \"x\"}, \"y\", "
               "{\"id\": \"AC-3\", \"description\": \"z\"}]}",
               "AC-2 x|AC-4 y|AC-3 z");
    check_plan("{\"acceptance_criteria\": [\"a\"], \"plan\": \" first this, then that \"}",
               "AC-1 a; first this, then that");
}

TEST(invalid_plan_has_a_reason)
{
    check_plan("", "! it is empty");
    check_plan(" \n\t ", "! it is empty");
    check_plan("I cannot do that.", "! it contains no JSON object");
    check_plan("{\"acceptance_criteria\": [{\"id\": \"AC-1\", \"desc",
               "! it ends inside the JSON object");
    check_plan("{\"criteria\": []}", "! the object has no member \"acceptance_criteria\"");
    check_plan("{\"type\": \"next_action\", \"decision\": {}}",
               "! type must be plan_task, not \"next_action\"");
    check_plan("{\"acceptance_criteria\": []}", "! acceptance_criteria is empty");
    check_plan("{\"acceptance_criteria\": {}}",
               "! acceptance_criteria must be a list, not an object");
    check_plan("{\"acceptance_criteria\": [\" \"]}",
               "! the description of a criterion must be text, not \" \"");
    check_plan("{\"acceptance_criteria\": [{\"id\": \"AC-1\"}]}",
               "! the description of a criterion is missing: it must be text");
    check_plan("{\"acceptance_criteria\": [3]}",
               "! the description of a criterion must be text, not 3");
    check_plan("{\"acceptance_criteria\": [{\"id\": [], \"description\": \"a\"}]}",
               "! the id of a criterion must be text, not an array");
    check_plan("{\"acceptance_criteria\": [{\"id\": \"A\", \"description\": \"a\"}, "
               "{\"id\": \"B\", \"description\": \"a\"}, {\"id\": \"A\", \"description\": \"b\"}]}",
               "! criteria 1 and 3 have the same id");
    check_plan("{" CRITERIA ", \"plan\": 1}", "! plan must be text, not 1");
}

TEST(syntax_error_has_its_place)
{
    static struct question_plan plan;
    assert_false(question_read_plan(&arena, STR("{\n  \"acceptance_criteria\": [\n    ] ]\n}"),
                                    &plan, &err));
    assert_int_equal(err.code, ERR_SYNTAX);
    assert_non_null(strstr(err.text, "the answer:3:7: "));
}

TEST(plan_is_bounded)
{
    static struct question_plan plan;
    struct buf text = {0};
    buf_add(&text, STR("{\"acceptance_criteria\": ["));
    for (unsigned i = 0; i < QUESTION_MAX_CRITERIA; i++)
        buf_add(&text, i ? STR(", \"a\"") : STR("\"a\""));
    buf_add(&text, STR("]}"));
    assert_true(question_read_plan(&arena, buf_str(&text), &plan, &err));
    assert_int_equal(plan.count, QUESTION_MAX_CRITERIA);
    text.n -= 2;
    buf_add(&text, STR(", \"a\"]}"));
    assert_false(question_read_plan(&arena, buf_str(&text), &plan, &err));
    CHECK_CSTR(str_from(err.text), "there are 101 criteria, more than 100");

    buf_clear(&text);
    buf_add(&text, STR("{\"acceptance_criteria\": [{\"id\": \""));
    for (int i = 0; i < 5000; i++)
        buf_add(&text, STR("\xc3\xbc"));
    buf_add(&text, STR("\", \"description\": \""));
    for (int i = 0; i < 5000; i++)
        buf_add(&text, STR("\xc3\xbc"));
    buf_add(&text, STR("\"}]}"));
    assert_true(question_read_plan(&arena, buf_str(&text), &plan, &err));
    assert_int_equal(plan.criteria[0].id.n, QUESTION_MAX_ID);
    assert_int_equal(plan.criteria[0].text.n, QUESTION_MAX_TEXT);
    assert_true(utf8_is_valid(plan.criteria[0].text));

    buf_clear(&text);
    buf_add(&text, STR("{\"acceptance_criteria\": [\"a\"], \"x\": \""));
    while (text.n <= QUESTION_MAX_ANSWER)
        buf_add(&text, STR("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"));
    buf_add(&text, STR("\"}"));
    assert_false(question_read_plan(&arena, buf_str(&text), &plan, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    buf_done(&text);
}

/* With quadratic time each of these would take minutes. */
TEST(hostile_answers_are_rejected_quickly)
{
    static const char *const parts[] = {"{",  "{}", "{\"",  "```\n", "a: b\n\n", "{{}",  "}",
                                        "- ", "[",  "x:\n", "{a: ",  "&a [*a,",  "\\\"{"};
    static struct question_plan plan;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        struct buf text = {0};
        while (text.n < QUESTION_MAX_ANSWER - 16)
            buf_add(&text, str_from(parts[i]));
        assert_false(question_read_plan(&arena, buf_str(&text), &plan, &err));
        buf_done(&text);
        arena_reset(&arena);
    }
}

/* ---- next_action */

static void add_value(struct buf *out, const char *name, const struct json *v)
{
    if (v)
        buf_printf(out, " %s %zu", name, json_count(v));
}

static void check_next(const char *answer, const char *want)
{
    struct question_next n;
    struct buf got = {0};
    err = (struct error){0};
    if (!question_read_next(&arena, str_from(answer), &n, &err)) {
        buf_printf(&got, "! %s", err.text);
    } else {
        buf_printf(&got, "%s", n.complete ? "complete" : "work");
        if (n.reason.n)
            buf_printf(&got, " (%.*s)", STR_ARG(n.reason));
        if (n.prompt.n)
            buf_printf(&got, ": %.*s", STR_ARG(n.prompt));
        if (n.call.tool != AGENT_NONE)
            buf_printf(&got, " %s", agent_kind_name(n.call.tool));
        if (n.call.model.n)
            buf_printf(&got, " model %.*s", STR_ARG(n.call.model));
        if (n.mode.n)
            buf_printf(&got, " mode %.*s", STR_ARG(n.mode));
        add_value(&got, "flags", n.call.flags);
        add_value(&got, "env", n.call.env);
        add_value(&got, "specific", n.call.tool_specific);
        if (n.use_stdin)
            buf_add(&got, STR(" stdin"));
    }
    CHECK_CSTR(buf_str(&got), want);
    buf_done(&got);
}

TEST(next_action_is_read)
{
    check_next("{\"decision\": {\"action\": \"mark_complete\"}}", "complete");
    check_next("{\"decision\": {\"action\": \"Mark-Complete\", \"reason\": \"all met\"}, "
               "\"worker_call\": null}",
               "complete (all met)");
    check_next("{\"decision\": \"mark_complete\", \"reason\": \"r\"}", "complete (r)");
    check_next("{\"action\": \"run_worker\", \"worker_call\": {\"prompt\": \"do\"}}", "work: do");
    check_next("{\"type\": \"next_action\", \"version\": 1, \"payload\": {\"decision\": "
               "{\"action\": \"run_worker\", \"reason\": \"\"}, \"workerCall\": {\"workerType\": "
               "\"claude-code\", \"mode\": \"exec\", \"prompt\": \"do\", \"model\": \"m\", "
               "\"flags\": [\"-x\"], \"env\": {\"A\": \"1\", \"B\": \"2\"}, \"toolSpecific\": "
               "{\"k\": 1}, \"useStdin\": true}}}",
               "work: do claude-code model m mode exec flags 1 env 2 specific 1 stdin");
    check_next("{\"decision\": {\"action\": \"run_worker\"}, \"worker_call\": {\"worker_type\": "
               "\"something-new\", \"prompt\": \"do\", \"model\": null, \"flags\": null}}",
               "work: do");
    check_next("```yaml\ndecision:\n  action: run_worker\nworker_call:\n  prompt: |\n    Do it.\n"
               "    ```sh\n    make\n    ```\n```\n",
               "work: Do it.\n```sh\nmake\n```");
    check_next("```json\n{\"decision\": {\"action\": \"run_worker\"}, \"worker_call\": "
               "{\"prompt\": \"say ```\\n{x\\n```\"}}\n```",
               "work: say ```\n{x\n```");
}

TEST(invalid_next_action_has_a_reason)
{
    check_next("{\"decision\": {\"action\": \"sleep\"}}",
               "! decision.action must be \"run_worker\" or \"mark_complete\", not \"sleep\"");
    check_next("{\"decision\": {}}",
               "! decision.action is missing: it must be \"run_worker\" or \"mark_complete\"");
    check_next("{\"decision\": {\"action\": \"run_worker\"}}",
               "! worker_call is missing: it must be an object");
    check_next("{\"decision\": {\"action\": \"run_worker\"}, \"worker_call\": {\"prompt\": \" \"}}",
               "! worker_call.prompt is empty: write what the worker must do");
    check_next("{\"decision\": {\"action\": \"run_worker\"}, \"worker_call\": {\"prompt\": 5}}",
               "! prompt must be text, not 5");
    check_next("{\"decision\": {\"action\": \"run_worker\"}, \"worker_call\": {\"prompt\": \"a\", "
               "\"flags\": [1]}}",
               "! worker_call.flags must be a list of texts, not an array");
    check_next("{\"decision\": {\"action\": \"run_worker\"}, \"worker_call\": {\"prompt\": \"a\", "
               "\"env\": {\"A\": 1}}}",
               "! worker_call.env must be an object of texts, not an object");
    check_next("{\"decision\": {\"action\": \"run_worker\"}, \"worker_call\": {\"prompt\": \"a\", "
               "\"tool_specific\": \"x\"}}",
               "! worker_call.tool_specific must be an object, not \"x\"");
    check_next("{\"decision\": {\"action\": \"run_worker\"}, \"worker_call\": {\"prompt\": \"a\", "
               "\"use_stdin\": \"yes\"}}",
               "! worker_call.use_stdin must be true or false, not \"yes\"");
    check_next("{\"worker_call\": []}",
               "! decision.action is missing: it must be \"run_worker\" or \"mark_complete\"");
}

/* ---- completion_assessment */

static struct question_plan two(void)
{
    return (struct question_plan){
        .criteria = {{.id = STR("AC-1"), .text = STR("a"), .mark = QUESTION_FAILED},
                     {.id = STR("AC-2"), .text = STR("b"), .comment = STR("old")}},
        .count = 2};
}

static void check_assessment(const char *answer, const char *want)
{
    static const char *const marks[] = {"open", "passed", "failed"};
    struct question_plan plan = two();
    struct question_assessment s;
    struct buf got = {0};
    err = (struct error){0};
    if (question_read_assessment(&arena, str_from(answer), &plan, &s, &err)) {
        buf_printf(&got, "%s %zu/%zu %s %s", s.satisfied ? "yes" : "no", s.passed, s.failed,
                   marks[plan.criteria[0].mark], marks[plan.criteria[1].mark]);
        for (size_t i = 0; i < plan.count; i++)
            if (plan.criteria[i].comment.n)
                buf_printf(&got, " (%.*s)", STR_ARG(plan.criteria[i].comment));
        if (s.summary.n)
            buf_printf(&got, "; %.*s", STR_ARG(s.summary));
        for (size_t i = 0; i < s.risk_count; i++)
            buf_printf(&got, "; risk %.*s", STR_ARG(s.risks[i]));
    } else {
        buf_printf(&got, "! %s", err.text);
        /* An invalid answer changes nothing. */
        assert_int_equal(plan.criteria[0].mark, QUESTION_FAILED);
        CHECK_CSTR(plan.criteria[1].comment, "old");
    }
    CHECK_CSTR(buf_str(&got), want);
    buf_done(&got);
}

TEST(assessment_marks_the_criteria)
{
    check_assessment("{\"all_criteria_satisfied\": true, \"by_criterion\": [{\"id\": \"AC-1\", "
                     "\"status\": \"passed\"}, {\"id\": \"AC-2\", \"status\": \"PASS\"}]}",
                     "yes 2/0 passed passed");
    check_assessment("{\"allCriteriaSatisfied\": false, \"summary\": \"not yet\", \"byCriterion\": "
                     "[{\"id\": \"ac-2\", \"status\": \"failed\", \"comment\": \"no test\"}], "
                     "\"risks\": [\"slow\", {\"description\": \"big\"}]}",
                     "no 0/1 open failed (no test); not yet; risk slow; risk big");
    check_assessment("{\"all_criteria_satisfied\": true}", "yes 0/0 open open");
    check_assessment("all_criteria_satisfied: true\nby_criterion:\n- {id: AC-1, status: passed}\n",
                     "yes 1/0 passed open");
}

TEST(contradicting_assessment_is_not_satisfied)
{
    check_assessment("{\"all_criteria_satisfied\": true, \"by_criterion\": [{\"id\": \"AC-1\", "
                     "\"status\": \"failed\"}, {\"id\": \"AC-2\", \"status\": \"passed\"}]}",
                     "no 1/1 failed passed");
}

TEST(invalid_assessment_has_a_reason)
{
    check_assessment("{\"all_criteria_satisfied\": \"yes\"}",
                     "! all_criteria_satisfied must be true or false, not \"yes\"");
    check_assessment("{\"by_criterion\": []}",
                     "! all_criteria_satisfied is missing: it must be true or false");
    check_assessment("{\"all_criteria_satisfied\": true, \"by_criterion\": {}}",
                     "! by_criterion must be a list, not an object");
    check_assessment("{\"all_criteria_satisfied\": true, \"by_criterion\": [{\"id\": \"AC-3\", "
                     "\"status\": \"passed\"}]}",
                     "! the id in by_criterion must be one of the acceptance criteria, not "
                     "\"AC-3\"");
    check_assessment("{\"all_criteria_satisfied\": true, \"by_criterion\": [{\"id\": \"AC-1\", "
                     "\"status\": \"passed\"}, {\"id\": \"AC-1\", \"status\": \"passed\"}]}",
                     "! the id in by_criterion must be unique, not \"AC-1\"");
    check_assessment("{\"all_criteria_satisfied\": true, \"by_criterion\": [{\"id\": \"AC-1\", "
                     "\"status\": \"maybe\"}]}",
                     "! status must be \"passed\" or \"failed\", not \"maybe\"");
    check_assessment("{\"all_criteria_satisfied\": true, \"by_criterion\": [1]}",
                     "! the id in by_criterion is missing: it must be one of the acceptance "
                     "criteria");
    check_assessment("{\"all_criteria_satisfied\": true, \"risks\": \"none\"}",
                     "! risks must be a list of texts, not \"none\"");
    check_assessment("{\"all_criteria_satisfied\": true, \"risks\": [2]}",
                     "! a risk must be text, not 2");
}

TEST(surplus_risks_are_left_out)
{
    struct question_plan plan = two();
    struct question_assessment s;
    struct buf text = {0};
    buf_add(&text, STR("{\"all_criteria_satisfied\": true, \"risks\": [\"r\""));
    for (int i = 0; i < 100; i++)
        buf_add(&text, STR(", \"r\""));
    buf_add(&text, STR("]}"));
    assert_true(question_read_assessment(&arena, buf_str(&text), &plan, &s, &err));
    assert_int_equal(s.risk_count, QUESTION_MAX_RISKS);
    buf_done(&text);
}

TEST(questions_have_names_and_categories)
{
    assert_string_equal(question_name(QUESTION_PLAN), "plan_task");
    assert_string_equal(question_name(QUESTION_NEXT), "next_action");
    assert_string_equal(question_name(QUESTION_ASSESS), "completion_assessment");
    assert_int_equal(question_category(QUESTION_PLAN), CATEGORY_TASK);
    assert_int_equal(question_category(QUESTION_NEXT), CATEGORY_EXECUTION);
    assert_int_equal(question_category(QUESTION_ASSESS), CATEGORY_EXECUTION);
}

int main(void)
{
    return test_run(setup, teardown);
}
