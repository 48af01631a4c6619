#include "agent/runner.h"

#include "runner_fixture.h"

#define PLANNED                                                                                    \
    "PLANNING\nask plan_task\ntask m: ok\nplan AC-1: it jumps\nRUNNING\n"                          \
    "ask next_action\nexecution m: ok\n"
#define NEXT     "ask next_action\nexecution m: ok\n"
#define ASSESSED "VALIDATING\nask completion_assessment\nexecution m: ok\n"

/* ---- the usual course */

TEST_FIXTURE(setup, teardown);

TEST(a_task_is_planned_worked_on_verified_and_complete)
{
    set_task("test: {command: 'echo tested; test -f jump'}", "");
    set_agents(PLAN_IS ", " WORK_IS ", " DONE_IS ", " YES_IS,
               MOCK("w", "{'write': {'jump': 'high\\n'}, 'say': 'it jumps now'}"));
    run(RUN_COMPLETE, PLANNED "worker w: ok\n" NEXT ASSESSED "test 0\nCOMPLETE");
    assert_false(was_stopped);
    assert_int_equal(ended.n, 0);
    assert_int_equal(warned.n, 0);
    CONTAINS(buf_str(&changed), "jump | 5 bytes");
    CHECK_CSTR(buf_str(&answers), "run_worker\nmark_complete\n1 of 1 criteria passed\n");
    assert_true(last.input_tokens > 0 && last.output_tokens > 0);
    CONTAINS(note(), "**COMPLETE**");
    CONTAINS(note(), "- [x] AC-1: it jumps");
    CONTAINS(note(), "### Run 1: mock w: ok");
    CONTAINS(note(), "it jumps now");
    CONTAINS(note(), "test -f jump: exit 0 after");
    CONTAINS(note(), "tested");
}

TEST(each_question_has_its_category)
{
    set_task("", "");
    configure(
        "{'profiles': [{'id': 'p', 'categories': {"
        "'meta': {'candidates': [" MOCK(
            "no", "") "]}, "
                      "'plan': {'candidates': [" MOCK(
                          "no", "") "]}, "
                                    "'task': {'candidates': [" MOCK(
                                        "t",
                                        PLAN_IS) "]}, "
                                                 "'execution': {'candidates': [" MOCK(
                                                     "e", WORK_IS
                                                     ", " DONE_IS
                                                     ", " YES_IS) "]}, "
                                                                  "'worker': {'candidates': [" MOCK(
                                                                      "w",
                                                                      "{'say': 'done'}") "]}}}]}");
    run(RUN_COMPLETE, "PLANNING\nask plan_task\ntask t: ok\nplan AC-1: it jumps\nRUNNING\n"
                      "ask next_action\nexecution e: ok\nworker w: ok\n"
                      "ask next_action\nexecution e: ok\n"
                      "VALIDATING\nask completion_assessment\nexecution e: ok\nCOMPLETE");
    assert_true(file_exists("calls/01-task-mock.out"));
    assert_true(file_exists("calls/02-execution-mock.out"));
    assert_true(file_exists("calls/03-worker-mock.out"));
    assert_true(file_exists("calls/04-execution-mock.out"));
    assert_true(file_exists("calls/05-execution-mock.out"));
}

TEST(a_task_may_be_complete_without_any_work)
{
    set_task("", "");
    set_agents(PLAN_IS ", " DONE_IS ", " YES_IS, MOCK("w", "{'say': 'no'}"));
    run(RUN_COMPLETE, PLANNED ASSESSED "COMPLETE");
    CONTAINS(note(), "Worker runs: 0 of at most 10");
}

TEST(force_mode_uses_one_candidate_for_everything)
{
    set_task("", "");
    configure("{'profiles': [{'id': 'p', 'categories': {'meta': {'candidates': "
              "[" MOCK("no", "") "]}}}], 'force': {'enabled': true, 'tool': 'mock', 'model': 'm', "
                                 "'toolSpecific': {'script': [" PLAN_IS ", " WORK_IS ", " DONE_IS
                                 ", " YES_IS ", {'say': 'done'}]}}}");
    run(RUN_COMPLETE, PLANNED "worker m: ok\n" NEXT ASSESSED "COMPLETE");
}

/* ---- loops */

TEST(the_output_of_a_failed_test_goes_into_the_next_question)
{
    set_task("test: {command: 'echo the answer is; cat jump; grep -q high jump'}", "");
    set_agents(
        PLAN_IS
        ", " WORK_IS ", " DONE_IS ", " YES_IS ", "
        "{'when': [{'prompt_has': 'next_action'}, {'prompt_has': 'test command FAILED'}, "
        "{'prompt_has': 'the answer is\\nlow'}], 'say': '{\\\"decision\\\": "
        "\\\"run_worker\\\", \\\"worker_call\\\": {\\\"prompt\\\": \\\"again\\\"}}'}, " DONE_IS
        ", " YES_IS,
        MOCK("w", "{'write': {'jump': 'low\\n'}, 'say': 'done'}, {'write': {'jump': "
                  "'high\\n'}, 'say': 'done', 'when': {'prompt_has': 'again'}}"));
    run(RUN_COMPLETE, PLANNED "worker w: ok\n" NEXT ASSESSED "test 1\nRUNNING\n" NEXT
                              "worker w: ok\n" NEXT ASSESSED "test 0\nCOMPLETE");
    CONTAINS(read_text("calls/06-test.out"), "low");
    CONTAINS(note(), "Run 2");
}

/* A program that can write into the folder must not decide where this one writes. */
TEST(a_link_in_place_of_a_transcript_is_replaced)
{
    put("victim", "as it was");
    assert_int_equal(symlink(in_folder("victim"), "calls/04-test.out"), 0);
    set_task("test: {command: 'echo tested'}", "");
    set_agents(PLAN_IS ", " DONE_IS ", " YES_IS, MOCK("w", "{'say': 'done'}"));
    run(RUN_COMPLETE, PLANNED ASSESSED "test 0\nCOMPLETE");
    CHECK_CSTR(read_text("calls/04-test.out"), "tested\n");
    CHECK_CSTR(read_text("victim"), "as it was");
}

TEST(an_unmet_criterion_leads_to_more_work)
{
    set_task("test: {command: 'true'}", "");
    set_agents(PLAN_IS
               ", " DONE_IS ", " NO_IS ", "
               "{'when': [{'prompt_has': 'next_action'}, {'prompt_has': 'it falls'}], 'say': "
               "'{\\\"decision\\\": \\\"run_worker\\\", \\\"worker_call\\\": {\\\"prompt\\\": "
               "\\\"catch it\\\"}}'}, " DONE_IS ", " YES_IS,
               MOCK("w", "{'when': {'prompt_has': 'catch it'}, 'say': 'done'}"));
    run(RUN_COMPLETE,
        PLANNED ASSESSED "RUNNING\n" NEXT "worker w: ok\n" NEXT ASSESSED "test 0\nCOMPLETE");
}

TEST(the_next_question_contains_what_was_done)
{
    set_task("", "");
    set_agents(
        PLAN_IS
        ", " WORK_IS ", "
        "{'when': [{'prompt_has': 'next_action'}, {'prompt_has': '## Run 1: mock w: ok'}, "
        "{'prompt_has': 'I made a file'}, {'prompt_has': 'jump | 5 bytes'}, {'prompt_has': "
        "'1 of 10 worker runs'}, {'prompt_has': 'make it jump'}], 'say': '{\\\"decision\\\": "
        "\\\"mark_complete\\\"}'}, " YES_IS,
        MOCK("w", "{'write': {'jump': 'high\\n'}, 'say': 'I made a file'}"));
    run(RUN_COMPLETE, PLANNED "worker w: ok\n" NEXT ASSESSED "COMPLETE");
}

TEST(max_loops_ends_the_run)
{
    set_task("", "max_loops: 2");
    set_agents(PLAN_IS ", " WORK_IS ", " WORK_IS ", " WORK_IS,
               MOCK("w", "{'say': 'done', 'repeat': 5}"));
    run(RUN_FAILED, PLANNED "worker w: ok\n" NEXT "worker w: ok\n" NEXT "FAILED");
    CHECK_CSTR(buf_str(&ended), "it is not complete after 2 worker runs, which is max_loops");
    CONTAINS(note(), "**FAILED**: it is not complete after 2 worker runs");
}

TEST(marking_complete_without_work_ends_the_run)
{
    set_task("", "");
    set_agents(PLAN_IS ", " DONE_IS ", " NO_IS ", " DONE_IS ", " NO_IS ", " DONE_IS ", " NO_IS
                       ", " DONE_IS,
               MOCK("w", "{'say': 'no'}"));
    run(RUN_FAILED, PLANNED ASSESSED "RUNNING\n" NEXT ASSESSED "RUNNING\n" NEXT ASSESSED
                                     "RUNNING\n" NEXT "FAILED");
    CONTAINS(buf_str(&ended), "marked complete again and again");
}

/* ---- malformed answers */

TEST(a_malformed_answer_is_asked_for_again)
{
    set_task("", "");
    set_agents("{'say': 'I would rather not.'}, {'when': [{'prompt_has': 'plan_task'}, "
               "{'prompt_has': 'it contains no JSON object'}, {'prompt_has': 'I would rather "
               "not.'}], 'say': '{\\\"acceptance_criteria\\\": []}'}, {'when': {'prompt_has': "
               "'acceptance_criteria is empty'}, 'say': '{\\\"acceptance_criteria\\\": [\\\"it "
               "jumps\\\"]}'}, " DONE_IS ", " YES_IS,
               MOCK("w", "{'say': 'no'}"));
    run(RUN_COMPLETE,
        "PLANNING\nask plan_task\ntask m: ok\nask plan_task again\ntask m: ok\n"
        "ask plan_task again\ntask m: ok\nplan AC-1: it jumps\nRUNNING\n" NEXT ASSESSED "COMPLETE");
    CONTAINS(buf_str(&warned),
             "the answer to plan_task cannot be used: it contains no JSON object");
    CONTAINS(buf_str(&warned), "cannot be used: acceptance_criteria is empty");
}

TEST(three_malformed_answers_end_the_run)
{
    set_task("", "");
    set_agents(PLAN_IS ", {'say': 'no', 'repeat': 10}", MOCK("w", "{'say': 'no'}"));
    run(RUN_FAILED, "PLANNING\nask plan_task\ntask m: ok\nplan AC-1: it jumps\nRUNNING\n" NEXT
                    "ask next_action again\nexecution m: ok\nask next_action again\n"
                    "execution m: ok\nFAILED");
    CHECK_CSTR(buf_str(&ended),
               "the answer to next_action cannot be used: it contains no JSON object "
               "(3 tries)");
}

TEST(an_unanswered_question_ends_the_run)
{
    set_task("", "");
    set_agents("{'fail': 'request', 'message': 'too long'}", MOCK("w", "{'say': 'no'}"));
    run(RUN_FAILED, "PLANNING\nask plan_task\ntask m: request\nFAILED");
    CONTAINS(buf_str(&ended), "plan_task: mock m: request, ");
    CONTAINS(buf_str(&ended), "too long");
}

/* ---- limits */

TEST(without_an_available_candidate_nothing_runs)
{
    set_task("", "");
    configure("{'profiles': [{'id': 'p', 'categories': {'meta': {'candidates': [{'tool': "
              "'codex-cli', 'cliPath': '/nowhere/codex'}]}}}]}");
    run(RUN_FAILED, "PLANNING\nask plan_task\nFAILED");
    CONTAINS(buf_str(&ended), "plan_task: no candidate for task: codex-cli");
    assert_int_equal(count_files("calls"), 0);
}

TEST(a_question_falls_back_to_the_next_candidate)
{
    set_task("", "");
    configure(
        "{'profiles': [{'id': 'p', 'categories': {'meta': {'strategy': 'priority', "
        "'candidates': [" MOCK("a", "{'fail': 'rate_limited', 'after_ms': 3600000}") ", " MOCK(
            "b", "{'fail': 'overloaded'}") ", " MOCK("c",
                                                     PLAN_IS ", " DONE_IS ", " YES_IS) "]}}}]}");
    run(RUN_COMPLETE, "PLANNING\nask plan_task\ntask a: rate_limited\ntask b: overloaded\n"
                      "task c: ok\nplan AC-1: it jumps\nRUNNING\nask next_action\nexecution c: ok\n"
                      "VALIDATING\nask completion_assessment\nexecution c: ok\nCOMPLETE");
    check_cooldowns("mock|*|b overloaded\nmock|login|a rate_limited\n");
}

TEST(the_prompt_of_the_next_worker_lists_the_changes)
{
    set_task("", "");
    set_agents(PLAN_IS ", " WORK_IS ", " DONE_IS ", " YES_IS,
               MOCK("a", "{'write': {'half': 'a\\nb\\n'}, 'fail': 'rate_limited'}") ", " MOCK(
                   "b", "{'when': [{'prompt_has': 'mock: rate_limited'}, {'prompt_has': 'continue "
                        "in place'}, {'prompt_has': '?? half | +2 -0'}, {'prompt_has': 'make it "
                        "jump'}], 'write': {'half': 'a\\nb\\nc\\n'}, 'say': 'done'}"));
    assert_int_equal(system("cd repo && git init -q ."), 0);
    run(RUN_COMPLETE, PLANNED "worker a: rate_limited\nworker b: ok\n" NEXT ASSESSED "COMPLETE");
    CHECK_CSTR(buf_str(&changed), "?? half | +2 -0\n?? half | +3 -0\n");
    CONTAINS(note(), "### Run 1: mock a, then mock b: ok");
}

TEST(without_a_worker_left_the_run_fails_with_the_reason)
{
    set_task("", "");
    set_agents(PLAN_IS ", " WORK_IS, MOCK("a", "{'write': {'half': 'x'}, 'fail': 'rate_limited'}"));
    run(RUN_FAILED, PLANNED "worker a: rate_limited\nFAILED");
    CONTAINS(buf_str(&ended), "no candidate for worker: mock a: ");
    CONTAINS(buf_str(&ended), "the first is back at ");
    CONTAINS(note(), "### Run 1: mock a: no candidate is left");
    CONTAINS(note(), "half | 1 bytes");
}

TEST(next_action_follows_a_worker_at_its_time_limit)
{
    set_task("", "worker: {max_run_time_sec: 1}");
    set_agents(PLAN_IS ", " WORK_IS
                       ", {'when': [{'prompt_has': 'next_action'}, {'prompt_has': 'mock "
                       "w: budget'}], 'say': '{\\\"decision\\\": \\\"mark_complete\\\"}'}, " YES_IS,
               MOCK("w", "{'sleep_ms': 3600000, 'say': 'late'}"));
    run(RUN_COMPLETE, PLANNED "worker w: budget\n" NEXT ASSESSED "COMPLETE");
}

TEST(next_action_follows_a_refused_worker)
{
    set_task("", "");
    set_agents(
        PLAN_IS
        ", " WORK_IS ", {'when': [{'prompt_has': 'next_action'}, {'prompt_has': 'the "
        "prompt is too long'}], 'say': '{\\\"decision\\\": \\\"mark_complete\\\"}'}, " YES_IS,
        MOCK("w", "{'fail': 'request', 'message': 'the prompt is too long'}"));
    run(RUN_COMPLETE, PLANNED "worker w: request\n" NEXT ASSESSED "COMPLETE");
}

TEST(a_limited_worker_in_force_mode_ends_the_run)
{
    set_task("", "");
    configure("{'profiles': [{'id': 'p', 'categories': {'meta': {'candidates': "
              "[" MOCK("no", "") "]}}}], 'force': {'enabled': true, 'tool': 'mock', 'model': 'm', "
                                 "'toolSpecific': {'script': [" PLAN_IS ", " WORK_IS
                                 ", {'fail': 'usage_limited', 'after_ms': 3600000}]}}}");
    run(RUN_FAILED, PLANNED "worker m: usage_limited\nFAILED");
    CONTAINS(buf_str(&ended), "force mode is on");
    check_cooldowns("");
}

/* ---- sandbox, secrets, the note */

TEST(a_hanging_test_fails)
{
    set_task("test: {command: 'echo it hangs; sleep 3600'}", "");
    options.test_limit_ms = 300;
    set_agents(PLAN_IS ", " DONE_IS ", " YES_IS ", {'when': [{'prompt_has': 'next_action'}, "
                       "{'prompt_has': 'it hangs'}], 'say': 'enough', 'repeat': 3}",
               MOCK("w", "{'say': 'no'}"));
    start();
    loop_run(loop);
    assert_int_equal(state_at_end, RUN_FAILED);
    CONTAINS(buf_str(&seen), "test 143\nRUNNING\n");
    CONTAINS(note(), "no end after ");
}

TEST(an_answer_at_its_time_limit_ends_the_run)
{
    set_task("", "");
    options.meta_limit_ms = 300;
    set_agents("{'sleep_ms': 3600000, 'say': 'late'}", MOCK("w", "{'say': 'no'}"));
    run(RUN_FAILED, "PLANNING\nask plan_task\ntask m: budget\nFAILED");
}

TEST(a_missing_sandbox_blames_no_candidate)
{
    set_task("", "sandbox: docker, worker: {docker_image: 'x:1'}");
    set_agents(PLAN_IS, MOCK("w", "{'say': 'no'}"));
    setenv("PATH", in_folder("bin"), 1);
    run(RUN_FAILED, "FAILED");
    CONTAINS(buf_str(&ended), "sandbox docker: ");
    CONTAINS(buf_str(&ended), "set runner.sandbox to none");
    check_cooldowns("");
}

TEST(overrides_that_are_left_out_are_a_warning)
{
    set_task("", "worker: {env: {JUMP_HEIGHT: '2'}}");
    set_agents(PLAN_IS ", " STEP("next_action",
                                 "{\\\"decision\\\": \\\"run_worker\\\", \\\"worker_call\\\": "
                                 "{\\\"worker_type\\\": \\\"mock\\\", \\\"prompt\\\": \\\"go\\\", "
                                 "\\\"env\\\": {\\\"PATH\\\": \\\"/evil\\\"}}}") ", " DONE_IS
                                                                                 ", " YES_IS,
               MOCK("w", "{'say_env': 'JUMP_HEIGHT'}"));
    run(RUN_COMPLETE, PLANNED "worker w: ok\n" NEXT ASSESSED "COMPLETE");
    CONTAINS(buf_str(&warned),
             "left out of what the model asked for its worker: variable \"PATH\"");
    CONTAINS(note(), "```text\n2\n```");
}

TEST(secrets_appear_nowhere)
{
    char command[256];
    setenv("JUMP_SECRET", "sesame-sesame-42", 1);
    secrets_add_environment(&secrets);
    set_task("test: {command: 'echo $JUMP_SECRET; exit 1'}", "max_loops: 1");
    set_agents(PLAN_IS ", " WORK_IS ", " DONE_IS ", " YES_IS
                       ", {'say_env': 'JUMP_SECRET', 'repeat': 9}",
               MOCK("w", "{'say_env': 'JUMP_SECRET', 'write': {'a': 'b'}}"));
    start();
    loop_run(loop);
    unsetenv("JUMP_SECRET");
    assert_int_equal(state_at_end, RUN_FAILED);
    CONTAINS(note(), "****");
    struct buf *const texts[] = {&seen, &warned, &steps, &answers, &ended, &changed};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        LACKS(buf_str(texts[i]), "sesame");
    snprintf(command, sizeof command, "! grep -rq sesame repo calls state.db*");
    assert_int_equal(system(command), 0);
}

TEST(a_note_that_cannot_be_written_is_one_warning)
{
    put("repo/.agent-runner", "in the way");
    set_task("", "");
    set_agents(PLAN_IS ", " DONE_IS ", " YES_IS, MOCK("w", "{'say': 'no'}"));
    run(RUN_COMPLETE, PLANNED ASSESSED "COMPLETE");
    size_t at = str_find(buf_str(&warned), STR("the note is not written"));
    assert_true(at < warned.n);
    LACKS(str_skip(buf_str(&warned), at + 1), "the note is not written");
}

TEST(tokens_and_cost_are_summed)
{
    set_task("", "");
    set_agents("{'when': {'prompt_has': 'plan_task'}, 'usage': {'input_tokens': 1000, "
               "'output_tokens': 10}, 'say': '{\\\"acceptance_criteria\\\": [\\\"it jumps\\\"]}'}, "
               "{'when': {'prompt_has': 'next_action'}, 'usage': {'input_tokens': 200, "
               "'output_tokens': 2}, 'say': '{\\\"decision\\\": \\\"run_worker\\\", "
               "\\\"worker_call\\\": {\\\"prompt\\\": \\\"go\\\"}}'}",
               MOCK("a", "{'usage': {'input_tokens': 30, 'output_tokens': 3}, 'fail': "
                         "'rate_limited'}"));
    run(RUN_FAILED, PLANNED "worker a: rate_limited\nFAILED");
    assert_true(last.input_tokens >= 1200 && last.input_tokens <= 1230);
    assert_true(last.output_tokens >= 12 && last.output_tokens <= 15);
    CONTAINS(note(), "- Tokens: 12");
}
