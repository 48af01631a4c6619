#include "agent/run_result.h"

#include <sys/stat.h>

#include "folder_fixture.h"

static struct arena arena;

static int setup(void **state)
{
    return enter_folder() ? 0 : -1;
}

static int teardown(void **state)
{
    arena_done(&arena);
    return leave_folder() ? 0 : -1;
}

static struct run_result read_back(void)
{
    struct run_result r = {0};
    struct error err = {0};
    if (!run_result_read("result.json", &arena, &r, &err))
        fail_msg("%s", err.text);
    return r;
}

static void write_out(const struct run_result *r)
{
    struct error err = {0};
    if (!run_result_write("result.json", r, &err))
        fail_msg("%s", err.text);
}

/* Single quotes stand for double ones. */
static void put_json(const char *text)
{
    char *json = arena_cstr(&arena, str_from(text));
    for (char *p = json; *p; p++)
        *p = *p == '\'' ? '"' : *p;
    put("result.json", json);
}

static void check_refused(enum error_code want)
{
    struct error err = {0};
    struct run_result r = {.state = STR("as it was")};
    assert_false(run_result_read("result.json", &arena, &r, &err));
    assert_int_equal(err.code, want);
    CHECK_CSTR(r.state, "as it was");
}

static struct run_result sample(void)
{
    return (struct run_result){.run = STR("R-1"),
                               .task = STR("menu \"x\""),
                               .state = STR("FAILED"),
                               .outcome = STR("rate_limited"),
                               .why = STR("nobody is left\nat all"),
                               .tool = STR("mock"),
                               .model = STR("m"),
                               .transcripts = STR("/var/runs/R-1"),
                               .stopped = true,
                               .nobody = true,
                               .until = 1794823200123,
                               .input_tokens = 12,
                               .output_tokens = 3,
                               .worker_runs = 2,
                               .cost_usd = 0.25,
                               .files = STR("[{\"path\":\"a.cs\",\"change\":\"modified\"}]")};
}

TEST_FIXTURE(setup, teardown);

TEST(a_written_result_reads_back)
{
    struct run_result want = sample();
    write_out(&want);
    struct run_result got = read_back();
    CHECK_STR(got.run, want.run);
    CHECK_STR(got.task, want.task);
    CHECK_STR(got.state, want.state);
    CHECK_STR(got.outcome, want.outcome);
    CHECK_STR(got.why, want.why);
    CHECK_STR(got.tool, want.tool);
    CHECK_STR(got.model, want.model);
    CHECK_STR(got.transcripts, want.transcripts);
    CHECK_STR(got.files, want.files);
    assert_true(got.stopped && got.nobody);
    assert_int_equal(got.until, want.until);
    assert_int_equal(got.input_tokens, 12);
    assert_int_equal(got.output_tokens, 3);
    assert_int_equal(got.worker_runs, 2);
    assert_true(got.cost_usd == 0.25);
}

TEST(the_file_has_the_format_of_the_header)
{
    struct buf text = {0};
    struct stat st;
    struct run_result r = sample();
    write_out(&r);
    assert_int_equal(stat("result.json", &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    assert_true(file_read("result.json", 10000, &text, NULL));
    CHECK_CSTR(buf_str(&text),
               "{\"version\":1,\"run\":\"R-1\",\"task\":\"menu \\\"x\\\"\",\"state\":\"FAILED\","
               "\"stopped\":true,\"outcome\":\"rate_limited\",\"nobody\":true,"
               "\"until\":\"2026-11-16T10:00:00.123Z\",\"why\":\"nobody is left\\nat all\","
               "\"tool\":\"mock\",\"model\":\"m\",\"input_tokens\":12,\"output_tokens\":3,"
               "\"cost_usd\":0.25,\"worker_runs\":2,"
               "\"files\":[{\"path\":\"a.cs\",\"change\":\"modified\"}],"
               "\"transcripts\":\"/var/runs/R-1\"}\n");
    buf_done(&text);
}

TEST(unknown_members_are_empty)
{
    write_out(&(struct run_result){.state = STR("COMPLETE")});
    struct run_result r = read_back();
    CHECK_CSTR(r.outcome, "");
    CHECK_CSTR(r.files, "[]");
    assert_int_equal(r.until, 0);
    assert_false(r.nobody || r.stopped);
}

TEST(more_files_than_fit_are_counted)
{
    struct run_result_files f = {0};
    for (unsigned i = 0; i < RUN_RESULT_MAX_FILES + 7; i++) {
        char path[32];
        snprintf(path, sizeof path, "%u.cs", i);
        run_result_add_file(&f, str_from(path), STR("added"));
    }
    struct run_result r = {.state = STR("COMPLETE"), .files = run_result_list_files(&f)};
    struct str end = STR("{\"path\":\"999.cs\",\"change\":\"added\"},"
                         "{\"path\":\"and 7 more\",\"change\":\"more\"}]");
    assert_true(str_ends(r.files, end));
    write_out(&r);
    CHECK_STR(read_back().files, r.files);
    run_result_files_done(&f);
}

/* The longest and oddest names that a file system allows. */
TEST(odd_file_names_stay_within_the_limit)
{
    struct run_result_files f = {0};
    char name[4096], why[3 * RUN_RESULT_MAX_WHY];
    memset(name, 1, sizeof name); /* six characters each in JSON */
    memset(why, 2, sizeof why);
    for (unsigned i = 0; i < RUN_RESULT_MAX_FILES; i++)
        run_result_add_file(&f, str_make(name, sizeof name), STR("added"));
    struct str odd = str_make(why, sizeof why);
    struct run_result r = {.state = STR("FAILED"),
                           .files = run_result_list_files(&f),
                           .why = odd,
                           .transcripts = odd,
                           .run = odd,
                           .model = odd};
    assert_true(str_find(r.files, STR(" more\",\"change\":\"more\"}]")) < r.files.n);
    write_out(&r);
    struct run_result got = read_back();
    assert_int_equal(got.why.n, RUN_RESULT_MAX_WHY);
    assert_int_equal(got.model.n, RUN_RESULT_MAX_NAME);
    CHECK_STR(got.files, r.files);
    run_result_files_done(&f);
}

TEST(other_files_are_refused)
{
    static const char *const wrong[] = {
        "",
        "{",
        "null",
        "[]",
        "7",
        "{'version': 1}",
        "{'version': 2, 'state': 'COMPLETE'}",
        "{'version': '1', 'state': 'COMPLETE'}",
        "{'version': 1, 'state': 'RUNNING'}",
        "{'version': 1, 'state': 7}",
        "{'version': 1, 'state': 'COMPLETE'} more",
        "{'version': 1, 'state': 'COMPLETE', 'state': 'FAILED'}",
        "{'version': 1, 'state': 'COMPLETE', 'why': '\xff'}",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        put_json(wrong[i]);
        check_refused(ERR_CONFIG_PARSE);
    }
    unlink("result.json");
    check_refused(ERR_IO);
    mkdir("result.json", 0700);
    check_refused(ERR_IO);
    rmdir("result.json");
    assert_int_equal(mkfifo("result.json", 0600), 0);
    check_refused(ERR_IO); /* without waiting for a writer */
    unlink("result.json");
    put("result.json", "{}");
    assert_int_equal(truncate("result.json", RUN_RESULT_MAX + 1), 0);
    check_refused(ERR_LIMIT);
}

TEST(members_of_a_wrong_type_are_ignored)
{
    put_json("{'version': 1, 'state': 'FAILED', 'run': 1, 'why': ['x'], 'stopped': 'true', "
             "'nobody': 1, 'until': 'tomorrow', 'input_tokens': -1, 'output_tokens': 1.5, "
             "'worker_runs': 99999999999999999999, 'cost_usd': 1e999, 'tool': {'a': 1}, "
             "'files': [1, 'a', {'path': ''}, {'change': 'added'}, {'path': 'b', 'change': 2}, "
             "[], {'path': 'c', 'change': 'added', 'x': 1}]}");
    struct run_result r = read_back();
    CHECK_CSTR(r.run, "");
    CHECK_CSTR(r.why, "");
    CHECK_CSTR(r.tool, "");
    assert_false(r.stopped || r.nobody);
    assert_int_equal(r.until, 0);
    assert_int_equal(r.input_tokens + r.output_tokens + r.worker_runs, 0);
    assert_true(r.cost_usd == 0);
    CHECK_CSTR(r.files, "[{\"path\":\"b\",\"change\":\"\"},{\"path\":\"c\",\"change\":\"added\"}]");
    put_json("{'version': 1, 'state': 'FAILED', 'files': {'path': 'a'}, 'cost_usd': -1, "
             "'input_tokens': 18446744073709551615, 'until': '0001-01-01T00:00:00Z'}");
    r = read_back();
    CHECK_CSTR(r.files, "[]");
    assert_true(r.cost_usd == 0);
    assert_int_equal(r.input_tokens, INT64_MAX);
    assert_int_equal(r.until, 0);
}

TEST(nul_becomes_a_blank)
{
    put_json("{'version': 1, 'state': 'FAILED', 'why': 'a\\u0000b', 'files': [{'path': "
             "'x\\u0000y', 'change': '\\u0000'}]}");
    struct run_result r = read_back();
    CHECK_CSTR(r.why, "a b");
    CHECK_CSTR(r.files, "[{\"path\":\"x y\",\"change\":\" \"}]");
}

TEST(a_missing_folder_is_an_error)
{
    struct error err = {0};
    struct run_result r = sample();
    assert_false(run_result_write("no/result.json", &r, &err));
    assert_int_equal(err.code, ERR_IO);
}
