#include "agent/question.h"
#include "base/utf8.h"
#include "test.h"

static struct arena arena;
static struct error err;

static int teardown(void **state)
{
    arena_done(&arena);
    return 0;
}

static struct question_plan two(void)
{
    return (struct question_plan){
        .criteria = {{.id = STR("AC-1"), .text = STR("a"), .mark = QUESTION_FAILED},
                     {.id = STR("AC-2"), .text = STR("b"), .comment = STR("old")}},
        .count = 2};
}

static struct str big(size_t n)
{
    char *p = arena_zalloc(&arena, n + 1);
    for (size_t i = 0; i < n; i++)
        p[i] = i % 61 == 60 ? '\n' : "ab\xc3\xbc\xff"[i % 5];
    return str_make(p, n);
}

static struct task_file small_task(void)
{
    return (struct task_file){.id = STR("T-7"),
                              .title = STR("Jump higher"),
                              .prd = STR("The player jumps higher."),
                              .max_loops = 10};
}

static struct question_history small_history(const struct question_plan *plan)
{
    static const struct question_run runs[] = {
        {STR_INIT("add the field"), STR_INIT("I added it"), STR_INIT("codex-cli: ok"),
         STR_INIT(" M Player.cs | +3 -1")},
        {STR_INIT("use the field"), STR_INIT(""), STR_INIT("claude-code: budget"), STR_INIT("")},
    };
    return (struct question_history){.plan = plan,
                                     .runs = runs,
                                     .run_count = 2,
                                     .test_output = STR("1 of 3 failed"),
                                     .test_failed = true};
}

#define HAS(out, text) assert_true(str_find(buf_str(out), STR(text)) < (out)->n)

static void check_only_names(const struct buf *out, enum question own)
{
    for (enum question q = 0; q < QUESTION_COUNT; q++)
        assert_int_equal(str_find(buf_str(out), str_from(question_name(q))) < out->n, q == own);
}

TEST(prompt_contains_what_is_known_and_wanted)
{
    struct task_file t = small_task();
    struct question_plan plan = two();
    struct question_history h = small_history(&plan);
    struct buf out = {0};

    question_prompt_plan(&out, &t);
    HAS(&out, "T-7");
    HAS(&out, "<requirements>\nThe player jumps higher.\n</requirements>");
    HAS(&out, "\"acceptance_criteria\": [{\"id\": \"AC-1\"");
    check_only_names(&out, QUESTION_PLAN);

    buf_clear(&out);
    question_prompt_next(&out, &t, &h);
    HAS(&out, "- AC-1 (failed): a\n");
    HAS(&out, "- AC-2: b -- old\n");
    HAS(&out, "## Run 1: codex-cli: ok\n");
    HAS(&out, "<report>\nI added it\n</report>");
    HAS(&out, "<changed-files>\nM Player.cs | +3 -1\n</changed-files>");
    HAS(&out, "No file was changed.");
    HAS(&out, "test command FAILED");
    HAS(&out, "1 of 3 failed");
    HAS(&out, "2 of 10 worker runs are used");
    HAS(&out, "\"action\": \"mark_complete\"");
    check_only_names(&out, QUESTION_NEXT);

    buf_clear(&out);
    h.assessment = &(struct question_assessment){.summary = STR("AC-2 is open")};
    question_prompt_assess(&out, &t, &h);
    HAS(&out, "AC-2 is open");
    HAS(&out, "all_criteria_satisfied");
    check_only_names(&out, QUESTION_ASSESS);
    buf_done(&out);
}

TEST(example_in_a_prompt_is_a_valid_answer)
{
    static struct question_plan plan;
    struct task_file t = small_task();
    struct question_plan of_two = two();
    struct question_history h = {.plan = &of_two};
    struct question_next next;
    struct question_assessment s;
    struct buf out = {0};
    question_prompt_plan(&out, &t);
    assert_true(question_read_plan(&arena, buf_str(&out), &plan, &err));
    assert_int_equal(plan.count, 2);
    buf_clear(&out);
    question_prompt_next(&out, &t, &h);
    assert_true(question_read_next(&arena, buf_str(&out), &next, &err));
    assert_true(next.complete);
    buf_clear(&out);
    question_prompt_assess(&out, &t, &h);
    assert_true(question_read_assessment(&arena, buf_str(&out), &plan, &s, &err));
    assert_false(s.satisfied);
    buf_done(&out);
}

TEST(repair_prompt_has_the_question_the_answer_and_the_error)
{
    struct buf out = {0};
    question_prompt_repair(&out, STR("THE QUESTION"), STR("{\"a\": 1} </last-answer> x"),
                           "decision is\nmissing");
    assert_true(str_starts(buf_str(&out), STR("THE QUESTION\n")));
    HAS(&out, "could not be used: decision is missing\n");
    HAS(&out, "<last-answer>\n{\"a\": 1} < /last-answer> x\n</last-answer>");
    buf_done(&out);
}

TEST(worker_prompt_lists_the_changes_of_another_agent)
{
    struct task_file t = small_task();
    struct question_plan plan = two();
    struct question_work work = {.plan = &plan, .prompt = STR("Add the field.")};
    struct buf out = {0};
    question_prompt_work(&out, &t, &work);
    assert_true(str_starts(buf_str(&out), STR("Add the field.\n")));
    HAS(&out, "The player jumps higher.");
    HAS(&out, "- AC-2: b");
    assert_int_equal(str_find(buf_str(&out), STR("Another agent")), out.n);
    check_only_names(&out, QUESTION_COUNT);

    buf_clear(&out);
    work.ended = STR("claude-code: usage_limited");
    work.left = STR(" M Player.cs | +3 -1");
    question_prompt_work(&out, &t, &work);
    HAS(&out, "stopped before it was done (claude-code: usage_limited)");
    HAS(&out, "continue in place");
    HAS(&out, "M Player.cs | +3 -1");

    buf_clear(&out);
    work.left = STR("");
    question_prompt_work(&out, &t, &work);
    HAS(&out, "It had changed no files.");
    buf_done(&out);
}

TEST(largest_prompt_is_bounded_and_valid_text)
{
    static struct question_plan plan;
    static struct question_run runs[QUESTION_MAX_RUNS];
    static struct str list[500];
    struct str much = big(1u << 20);
    struct task_file t = {.id = much,
                          .title = much,
                          .prd = much,
                          .description = much,
                          .phase_name = much,
                          .language = much,
                          .test_command = much,
                          .file_paths = list,
                          .file_path_count = 500,
                          .constraints = list,
                          .constraint_count = 500,
                          .max_loops = 100};
    struct question_assessment s = {.summary = much};
    struct question_history h = {.plan = &plan,
                                 .runs = runs,
                                 .run_count = QUESTION_MAX_RUNS,
                                 .assessment = &s,
                                 .test_output = much};
    for (size_t i = 0; i < 500; i++)
        list[i] = much;
    for (size_t i = 0; i < QUESTION_MAX_RUNS; i++)
        runs[i] = (struct question_run){much, much, much, much};
    for (plan.count = 0; plan.count < QUESTION_MAX_CRITERIA; plan.count++)
        plan.criteria[plan.count] =
            (struct question_criterion){.id = much, .text = much, .comment = much};
    plan.plan = much;
    struct buf out = {0}, repair = {0};
    question_prompt_next(&out, &t, &h);
    question_prompt_repair(&repair, buf_str(&out), much, much.p);
    assert_true(utf8_is_valid(buf_str(&repair)));
    assert_true(repair.n <= QUESTION_MAX_PROMPT);
    assert_true(out.n > QUESTION_MAX_PROMPT / 2); /* not everything was left out */
    buf_clear(&out);
    question_prompt_assess(&out, &t, &h);
    assert_true(out.n <= QUESTION_MAX_PROMPT);
    buf_clear(&out);
    question_prompt_work(&out, &t, &(struct question_work){&plan, much, much, much});
    assert_true(out.n <= QUESTION_MAX_PROMPT);
    assert_true(utf8_is_valid(buf_str(&out)));
    buf_done(&out);
    buf_done(&repair);
}

TEST(cut_text_keeps_both_ends)
{
    struct task_file t = small_task();
    struct buf prd = {0}, out = {0};
    buf_add(&prd, STR("BEGIN"));
    for (int i = 0; i < 100000; i++)
        buf_add(&prd, STR(" word"));
    buf_add(&prd, STR("END"));
    t.prd = buf_str(&prd);
    question_prompt_plan(&out, &t);
    HAS(&out, "<requirements>\nBEGIN word");
    HAS(&out, "wordEND\n</requirements>");
    HAS(&out, "bytes left out ...]");
    buf_done(&prd);
    buf_done(&out);
}

int main(void)
{
    return test_run(NULL, teardown);
}
