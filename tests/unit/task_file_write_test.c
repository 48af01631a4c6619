/* A task as YAML: compared with files of tests/golden, and read back. */
#include <stdlib.h>

#include "base/file.h"
#include "task/task_file.h"
#include "test.h"

static struct task_file *read_ok(const char *text)
{
    struct error err = {0};
    struct task_file *t = task_file_read(str_from(text), "jump.task.yaml", &err);
    if (!t)
        print_error("%s\n", err.text);
    assert_non_null(t);
    return t;
}

/* MULTIVERSE_GOLDEN=write updates it instead. */
static void check_golden(const char *stem, struct str got)
{
    struct buf path = {0}, want = {0};
    const char *mode = getenv("MULTIVERSE_GOLDEN");
    buf_printf(&path, "%s/%s.yaml", GOLDEN, stem);
    if (mode && !strcmp(mode, "write"))
        assert_true(file_replace(path.p, got, 0644, NULL));
    assert_true(file_read(path.p, 1 << 20, &want, NULL));
    CHECK_STR(got, buf_str(&want));
    buf_done(&path);
    buf_done(&want);
}

static struct task_file *read_golden(const char *stem)
{
    struct buf path = {0}, text = {0};
    buf_printf(&path, "%s/%s.yaml", GOLDEN, stem);
    assert_true(file_read(path.p, 1 << 20, &text, NULL));
    struct task_file *t = read_ok(text.p);
    buf_done(&path);
    buf_done(&text);
    return t;
}

static void check_candidate(const struct candidate *a, const struct candidate *b)
{
    assert_int_equal(a->tool, b->tool);
    CHECK_STR(a->model, b->model);
    CHECK_STR(a->cli_path, b->cli_path);
    CHECK_STR(a->system_prompt, b->system_prompt);
    assert_true(a->weight == b->weight);
    assert_true(!a->flags == !b->flags && (!a->flags || json_equal(a->flags, b->flags)));
    assert_true(!a->env == !b->env && (!a->env || json_equal(a->env, b->env)));
    assert_true(!a->tool_specific == !b->tool_specific &&
                (!a->tool_specific || json_equal(a->tool_specific, b->tool_specific)));
}

static void check_texts(const struct str *a, size_t n, const struct str *b, size_t m)
{
    assert_int_equal(n, m);
    for (size_t i = 0; i < n; i++)
        CHECK_STR(a[i], b[i]);
}

static void check_equal(const struct task_file *a, const struct task_file *b)
{
    CHECK_STR(a->id, b->id);
    CHECK_STR(a->title, b->title);
    CHECK_STR(a->description, b->description);
    CHECK_STR(a->phase_name, b->phase_name);
    CHECK_STR(a->prd, b->prd);
    CHECK_STR(a->language, b->language);
    CHECK_STR(a->test_command, b->test_command);
    CHECK_STR(a->docker_image, b->docker_image);
    assert_string_equal(a->repo, b->repo);
    assert_string_equal(a->test_cwd, b->test_cwd);
    check_texts(a->dependencies, a->dependency_count, b->dependencies, b->dependency_count);
    check_texts(a->file_paths, a->file_path_count, b->file_paths, b->file_path_count);
    check_texts(a->constraints, a->constraint_count, b->constraints, b->constraint_count);
    assert_int_equal(a->wbs_level, b->wbs_level);
    assert_int_equal(a->max_loops, b->max_loops);
    assert_int_equal(a->max_run_time_ms, b->max_run_time_ms);
    assert_int_equal(a->mcp_auto, b->mcp_auto);
    assert_int_equal(a->sandbox, b->sandbox);
    assert_int_equal(a->has_meta, b->has_meta);
    assert_int_equal(a->has_worker, b->has_worker);
    check_candidate(&a->meta, &b->meta);
    check_candidate(&a->worker, &b->worker);
    assert_true(!a->worker_env == !b->worker_env &&
                (!a->worker_env || json_equal(a->worker_env, b->worker_env)));
    assert_int_equal(!a->tooling, !b->tooling);
    for (enum category c = 0; a->tooling && c < CATEGORY_COUNT; c++) {
        const struct tooling_category *x = tooling_category(a->tooling, c),
                                      *y = tooling_category(b->tooling, c);
        assert_int_equal(x->count, y->count);
        for (size_t i = 0; i < x->count; i++)
            check_candidate(&x->candidates[i], &y->candidates[i]);
    }
}

/* Write, read, and write again. */
static void check_writing(const char *stem)
{
    char in[64];
    snprintf(in, sizeof in, "%s.in", stem);
    struct task_file *t = read_golden(in);
    struct buf first = {0}, second = {0};
    task_file_write(t, NULL, &first);
    check_golden(stem, buf_str(&first));
    struct task_file *again = read_golden(stem);
    check_equal(t, again);
    task_file_write(again, NULL, &second);
    CHECK_STR(buf_str(&second), buf_str(&first));
    task_file_free(t);
    task_file_free(again);
    buf_done(&first);
    buf_done(&second);
}

TEST(written_task_reads_back_equal)
{
    check_writing("full");
    check_writing("minimal");
    check_writing("embedded");
}

TEST(tooling_is_embedded)
{
    struct tooling *user = tooling_default();
    struct task_file *t = read_golden("minimal.in");
    struct buf out = {0};
    task_file_write(t, user, &out);
    check_golden("with_default_tooling", buf_str(&out));
    struct task_file *again = read_golden("with_default_tooling");
    assert_non_null(again->tooling);
    CHECK_CSTR(again->tooling->active->id, "balanced");
    assert_int_equal(again->tooling->profile_count, 2);
    task_file_free(t);
    task_file_free(again);
    tooling_unref(user);
    buf_done(&out);
}

TEST(any_text_reads_back_equal)
{
    static const char *const texts[] = {"a",
                                        "a\n",
                                        "a\n\n\n",
                                        "\na",
                                        " a\nb",
                                        "a\n b\n",
                                        "a\n\tb",
                                        "a\t\n",
                                        "# no comment\nb",
                                        "- a\n- b",
                                        "---\n...",
                                        "a: b\nc: {",
                                        "\xef\xbb\xbfx\ny",
                                        "a\r\nb",
                                        "a\n \n",
                                        "a\n  \nb",
                                        "\xe2\x80\xa8\nb",
                                        "'\"\\\n%",
                                        "a\x7f\nb",
                                        "|\n>",
                                        "a\n\n  b\n\nc",
                                        "@a",
                                        "&a *b",
                                        "!!str a"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct error err = {0};
        struct task_file *t = read_ok("version: 1\ntask: {prd: a, repo: /}\n");
        struct buf out = {0};
        t->prd = str_from(texts[i]);
        t->file_paths = &t->prd;
        t->file_path_count = 1;
        task_file_write(t, NULL, &out);
        struct task_file *again = task_file_read(buf_str(&out), "a.yaml", &err);
        if (!again)
            print_error("%s\n%s\n", err.text, out.p);
        assert_non_null(again);
        CHECK_STR(again->prd, t->prd);
        CHECK_STR(again->file_paths[0], str_trim(t->prd));
        task_file_free(t);
        task_file_free(again);
        buf_done(&out);
    }
}
