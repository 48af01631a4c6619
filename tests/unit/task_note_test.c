#include "agent/task_note.h"

#include "folder_fixture.h"

static struct task_file task;
static struct question_plan plan;

static int setup(void **state)
{
    if (!enter_folder())
        return -1;
    task = (struct task_file){.id = STR("T-1"),
                              .title = STR("Jump higher"),
                              .repo = project_folder,
                              .test_command = STR("make test"),
                              .max_loops = 10};
    plan = (struct question_plan){
        .criteria = {{.id = STR("AC-1"), .text = STR("it jumps"), .mark = QUESTION_PASSED},
                     {.id = STR("AC-2"),
                      .text = STR("it lands"),
                      .mark = QUESTION_FAILED,
                      .comment = STR("it does not")},
                     {.id = STR("AC-3"), .text = STR("it\nrests")}},
        .count = 3,
        .plan = STR("first this")};
    return 0;
}

static int teardown(void **state)
{
    return leave_folder() ? 0 : -1;
}

static void sh(const char *script)
{
    assert_int_equal(system(script), 0);
}

/* Write the note and return its text. */
static struct buf write_note(const struct task_note *n, const struct secrets *secrets)
{
    struct error err = {0};
    struct buf path = {0}, text = {0};
    if (!task_note_write(n, secrets, &path, &err))
        print_error("%s\n", err.text);
    assert_true(path.n > 0);
    assert_true(file_read(path.p, 1 << 20, &text, &err));
    buf_done(&path);
    return text;
}

TEST_FIXTURE(setup, teardown);

TEST(a_note_describes_the_whole_run)
{
    struct task_note_loop loops[] = {
        {STR("codex-cli gpt-5.2"), STR("ok"), STR("I did it."), STR(" M A.cs | +3 -1\n"), 1000,
         13500},
        {STR("claude-code"), STR("budget"), STR(""), STR(""), 20000, 400000},
        {.who = STR("gemini-cli"), .started = 500000},
    };
    struct question_assessment s = {
        .summary = STR("nearly"), .risks = {STR("slow"), STR("old")}, .risk_count = 2};
    struct task_note n = {.task = &task,
                          .state = RUN_FAILED,
                          .why = STR("max_loops is used up"),
                          .plan = &plan,
                          .assessment = &s,
                          .loops = loops,
                          .loop_count = 3,
                          .test_end = STR("exit 2 after 3.2 s"),
                          .test_output = STR("1 failed"),
                          .started = 0,
                          .ended = 61000,
                          .input_tokens = 1200,
                          .output_tokens = 34,
                          .cost_usd = 0.0125};
    struct buf got = write_note(&n, NULL);
    CHECK_CSTR(buf_str(&got), "# Jump higher\n\n"
                              "- Task: T-1\n"
                              "- State: **FAILED**: max_loops is used up\n"
                              "- Started: 1970-01-01T00:00:00.000Z\n"
                              "- Ended: 1970-01-01T00:01:01.000Z, after 61.0 s\n"
                              "- Worker runs: 3 of at most 10\n"
                              "- Tokens: 1200 in, 34 out\n"
                              "- Cost: 0.0125 USD, as far as it is known\n\n"
                              "## Acceptance criteria\n\n"
                              "- [x] AC-1: it jumps\n"
                              "- [ ] (failed) AC-2: it lands -- it does not\n"
                              "- [ ] AC-3: it rests\n\n"
                              "## Plan\n\n```text\nfirst this\n```\n\n"
                              "## Worker runs\n\n"
                              "### Run 1: codex-cli gpt-5.2: ok, 12.5 s\n\n"
                              "```text\nI did it.\n```\n\n"
                              "Changed:\n\n```text\n M A.cs | +3 -1\n```\n\n"
                              "### Run 2: claude-code: budget, 6 min\n\n"
                              "No file was changed.\n\n"
                              "### Run 3: gemini-cli: running\n\n"
                              "## Test\n\nmake test: exit 2 after 3.2 s\n\n"
                              "```text\n1 failed\n```\n\n"
                              "## Assessment\n\n```text\nnearly\n```\n\n"
                              "## Risks\n\n- slow\n- old\n");
    buf_done(&got);
}

TEST(a_note_of_the_beginning_is_short)
{
    struct task_note n = {.task = &task, .state = RUN_PLANNING};
    struct buf got = write_note(&n, NULL);
    CHECK_CSTR(buf_str(&got), "# Jump higher\n\n"
                              "- Task: T-1\n"
                              "- State: **PLANNING**\n"
                              "- Started: 1970-01-01T00:00:00.000Z\n"
                              "- Worker runs: 0 of at most 10\n");
    buf_done(&got);
}

TEST(texts_of_agents_do_not_break_out_of_their_block)
{
    struct task_note_loop loop = {STR("a\n# b <script>\xc2\x9b"),
                                  STR("ok"),
                                  STR("```\n# Fake\n````sh\n\x1b[31mred\xff\0\xc2\x9b\xc2\xa0"),
                                  STR(""),
                                  0,
                                  1};
    struct task_note n = {.task = &task, .loops = &loop, .loop_count = 1};
    struct buf got = write_note(&n, NULL);
    assert_non_null(
        strstr(got.p, "### Run 1: a # b \\<script> : ok, 0.0 s\n\n"
                      "`````text\n```\n# Fake\n````sh\n [31mred\xef\xbf\xbd  \xc2\xa0\n`````\n"));
    buf_done(&got);
}

TEST(long_texts_are_cut)
{
    static char much[100000];
    memset(much, 'x', sizeof much);
    memcpy(much, "BEGIN", 5);
    memcpy(much + sizeof much - 3, "END", 3);
    struct task_note_loop loop = {.who = str_make(much, sizeof much),
                                  .outcome = STR("ok"),
                                  .said = str_make(much, sizeof much)};
    struct task_note n = {.task = &task,
                          .loops = &loop,
                          .loop_count = 1,
                          .test_end = STR("exit 1"),
                          .test_output = str_make(much, sizeof much)};
    struct buf got = write_note(&n, NULL);
    assert_true(got.n < 3 * TASK_NOTE_MAX_TEXT);
    assert_non_null(strstr(got.p, "```text\nBEGINx"));
    assert_non_null(strstr(got.p, "xEND\n```"));
    assert_non_null(strstr(got.p, "```text\n[...]\nx"));
    buf_done(&got);
}

TEST(secrets_are_masked)
{
    struct secrets secrets = {0};
    struct task_note_loop loop = {.who = STR("x"), .said = STR("the key is hunter2-hunter2!")};
    struct task_note n = {
        .task = &task, .why = STR("401 for hunter2-hunter2"), .loops = &loop, .loop_count = 1};
    secrets_add(&secrets, STR("hunter2-hunter2"));
    struct buf got = write_note(&n, &secrets);
    assert_null(strstr(got.p, "hunter2"));
    assert_non_null(strstr(got.p, "the key is ****!"));
    secrets_done(&secrets);
    buf_done(&got);
}

static void check_name(struct str id, const char *want)
{
    struct buf path = {0};
    struct error err = {0};
    struct task_note n = {.task = &task};
    task.id = id;
    assert_true(task_note_write(&n, NULL, &path, &err));
    assert_true(str_starts(buf_str(&path), str_from(project_folder)));
    CHECK_CSTR(str_skip(buf_str(&path), strlen(project_folder)), want);
    buf_done(&path);
}

TEST(an_id_becomes_a_file_name)
{
    check_name(STR("T-1.2_b"), "/.agent-runner/task-T-1.2_b.md");
    check_name(STR("../../etc/passwd"), "/.agent-runner/task-.._.._etc_passwd.md");
    check_name(STR("a b\xc3\xbc\n/"), "/.agent-runner/task-a_b___.md");
    static char much[1000];
    memset(much, 'y', sizeof much);
    struct buf path = {0};
    struct error err = {0};
    task.id = str_make(much, sizeof much);
    assert_true(task_note_write(&(struct task_note){.task = &task}, NULL, &path, &err));
    assert_int_equal(path.n, strlen(project_folder) + strlen("/.agent-runner/task-.md") + 100);
    buf_done(&path);
}

/* The repo of another person must not lead this program to other files. */
TEST(links_are_not_followed)
{
    struct task_note n = {.task = &task};
    struct error err = {0};
    sh("mkdir outside && ln -s outside .agent-runner");
    assert_false(task_note_write(&n, NULL, NULL, &err));
    assert_int_equal(err.code, ERR_IO);
    sh("test -z \"$(ls outside)\" && rm .agent-runner && mkdir .agent-runner && echo mine > mine "
       "&& "
       "ln -s ../mine .agent-runner/task-T-1.md");
    assert_false(task_note_write(&n, NULL, NULL, &err));
    sh("test \"$(cat mine)\" = mine && rm .agent-runner/task-T-1.md && "
       "mkdir .agent-runner/task-T-1.md");
    assert_false(task_note_write(&n, NULL, NULL, &err));
    sh("rm -r .agent-runner && touch .agent-runner");
    assert_false(task_note_write(&n, NULL, NULL, &err));
}

TEST(a_replaced_note_leaves_no_other_file)
{
    struct task_note n = {.task = &task};
    struct buf first = write_note(&n, NULL);
    n.state = RUN_COMPLETE;
    struct buf second = write_note(&n, NULL);
    assert_non_null(strstr(second.p, "**COMPLETE**"));
    sh("test \"$(ls -A .agent-runner)\" = task-T-1.md");
    buf_done(&first);
    buf_done(&second);
}
