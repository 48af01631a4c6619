/* The Task YAML of an attempt, compared with files of tests/golden: NAME.spec.yaml with one of
 * *.tooling.json makes NAME.yaml. */
#include <stdlib.h>

#include "base/file.h"
#include "orchestrator/executor.h"
#include "task/task_file.h"
#include "test.h"

static struct arena arena;

static int teardown(void **state)
{
    arena_done(&arena);
    return 0;
}

static struct str read_golden(const char *name)
{
    struct buf text = {0};
    struct error err = {0};
    if (!file_read(arena_printf(&arena, "%s/%s", GOLDEN, name).p, 1 << 20, &text, &err))
        fail_msg("%s", err.text);
    struct str copy = arena_str(&arena, buf_str(&text));
    buf_done(&text);
    return copy;
}

static struct tooling *read_tooling(const char *name)
{
    struct error err = {0};
    struct doc d = {0};
    struct tooling *t = NULL;
    if (doc_read(&d, read_golden(name), &(struct doc_source){name, DOC_JSON}, &err))
        t = tooling_read(&d, STR(""), &err);
    doc_done(&d);
    if (!t)
        fail_msg("%s", err.text);
    return t;
}

static struct task_file *read_task(struct str text)
{
    struct error err = {0};
    struct task_file *t = task_file_read(text, "/t.yaml", &err);
    if (!t)
        fail_msg("%s", err.text);
    return t;
}

static struct str make(struct str spec, struct tooling *tooling)
{
    struct transaction_claim claim = {.task = 1, .number = 1, .name = STR("x"), .spec = spec};
    struct error err = {0};
    struct buf out = {0};
    if (!executor_task_yaml(&claim, tooling, &out, &err))
        fail_msg("%s", err.text);
    struct str copy = arena_str(&arena, buf_str(&out));
    buf_done(&out);
    return copy;
}

static struct str as_text(const struct tooling *t)
{
    struct buf out = {0};
    tooling_write_yaml(t, &out, 0);
    struct str copy = arena_str(&arena, buf_str(&out));
    buf_done(&out);
    return copy;
}

static struct str without_tooling(struct task_file *t)
{
    struct buf out = {0};
    struct tooling *own = t->tooling;
    t->tooling = NULL;
    t->has_meta = t->has_worker = false;
    task_file_write(t, NULL, &out);
    t->tooling = own;
    struct str copy = arena_str(&arena, buf_str(&out));
    buf_done(&out);
    return copy;
}

/* MULTIVERSE_GOLDEN=write writes the file instead. */
static void check_golden(const char *name, struct str got)
{
    const char *mode = getenv("MULTIVERSE_GOLDEN");
    if (mode && !strcmp(mode, "write"))
        assert_true(file_replace(arena_printf(&arena, "%s/%s", GOLDEN, name).p, got, 0644, NULL));
    CHECK_STR(got, read_golden(name));
}

/* Check the bytes, and that they read back as the same task with the effective tooling. */
static void check(const char *spec, const char *tooling, const char *want)
{
    struct error err = {0};
    struct str text = read_golden(spec);
    struct tooling *user = read_tooling(tooling);
    struct str got = make(text, user);
    check_golden(want, got);

    struct task_file *before = read_task(text), *after = read_task(got);
    struct tooling *holds = task_file_tooling(before, user, &err);
    assert_non_null(holds);
    assert_non_null(after->tooling);
    CHECK_STR(as_text(after->tooling), as_text(holds));
    assert_int_equal(after->tooling->forced, holds->forced);
    assert_int_equal(after->warning_count, before->tooling ? before->warning_count : 0);
    CHECK_STR(make(got, NULL), got); /* a second time changes nothing, with any tooling */
    struct tooling *other = tooling_default();
    CHECK_STR(make(got, other), got);
    CHECK_STR(without_tooling(after), without_tooling(before));

    tooling_unref(other);
    tooling_unref(holds);
    tooling_unref(user);
    task_file_free(before);
    task_file_free(after);
}

TEST_FIXTURE(NULL, teardown);

TEST(the_users_tooling_is_embedded)
{
    check("everything.spec.yaml", "everything.tooling.json", "everything.yaml");
}

TEST(candidates_of_the_task_replace_those_of_the_tooling)
{
    check("named.spec.yaml", "plain.tooling.json", "named.yaml");
    check("half.spec.yaml", "plain.tooling.json", "half.yaml");
}

/* Force mode overrides everything. */
TEST(force_mode_holds_over_candidates_of_the_task)
{
    check("named.spec.yaml", "everything.tooling.json", "forced.yaml");
}

TEST(a_task_with_its_own_tooling_keeps_it)
{
    check("own.spec.yaml", "everything.tooling.json", "own.yaml");
}

TEST(without_a_tooling_none_is_embedded)
{
    struct task_file *t = read_task(make(read_golden("named.spec.yaml"), NULL));
    assert_null(t->tooling);
    assert_true(t->has_meta && t->has_worker);
    task_file_free(t);
}

TEST(a_wrong_spec_is_an_error)
{
    static const char *const wrong[] = {
        "",
        "{",
        "\xff",
        "version: 2",
        "version: 1\ntask: {repo: /}",
        "version: 1\ntask: {repo: /no/where, prd: x}",
        "version: 1\ntask: {repo: /, prd: x}\nrunner: {tooling: {}}",
        "version: 1\ntask: {repo: /, prd: x}\nrunner: {meta: {kind: nobody}}",
    };
    struct tooling *user = tooling_default();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct transaction_claim claim = {.name = STR("x"), .spec = str_from(wrong[i])};
        struct error err = {0};
        struct buf out = {0};
        assert_false(executor_task_yaml(&claim, user, &out, &err));
        assert_true(err.code == ERR_CONFIG_PARSE || err.code == ERR_CONFIG_VALIDATION);
        assert_int_equal(out.n, 0);
    }
    tooling_unref(user);
}
