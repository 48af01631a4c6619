#include "orchestrator/tasks.h"

#include <inttypes.h>
#include <stdlib.h>

#include "tasks_kit.h"

/* ---- adding */

static void check_refused(struct kit *k, const struct task_new *news, size_t count,
                          const char *want)
{
    struct error err = {0};
    struct str before = arena_str(&k->arena, kit_states(k));
    assert_false(kit_try_add(k, news, count, &err));
    assert_int_equal(err.code, ERR_INVALID_PARAMS);
    CHECK_CSTR(str_from(err.text), want);
    CHECK_STR(kit_states(k), before); /* nothing was added */
}

TEST(an_error_names_what_is_wrong_with_a_batch)
{
    struct kit k;
    kit_begin(&k);
    kit_add(&k, "build", "");
    struct task_new one[] = {kit_new(&k, "new", ""), kit_new(&k, "build", "")};
    check_refused(&k, one, 2, "there is a task build already: it is READY");
    struct task_new twice[] = {kit_new(&k, "a", ""), kit_new(&k, "b", ""), kit_new(&k, "a", "")};
    check_refused(&k, twice, 3, "duplicate task: a");
    struct task_new unknown[] = {kit_new(&k, "a", "biuld")};
    check_refused(&k, unknown, 1,
                  "the task a needs \"biuld\", which does not exist: did you mean"
                  " build?");
    struct task_new far[] = {kit_new(&k, "a", "something-else")};
    check_refused(&k, far, 1, "the task a needs \"something-else\", which does not exist");
    struct task_new cycle[] = {kit_new(&k, "x", "a"), kit_new(&k, "a", "b"), kit_new(&k, "b", "a")};
    check_refused(&k, cycle, 3, "these tasks need each other in a cycle: a -> b -> a");
    struct task_new self[] = {kit_new(&k, "a", "a")};
    check_refused(&k, self, 1, "these tasks need each other in a cycle: a -> a");
    kit_done(&k);
}

TEST(a_long_cycle_is_cut_in_the_middle)
{
    struct kit k;
    kit_begin(&k);
    struct task_new news[100];
    for (unsigned i = 0; i < 100; i++) {
        char name[16], needs[16];
        snprintf(name, sizeof name, "t%u", i);
        snprintf(needs, sizeof needs, "t%u", (i + 1) % 100);
        news[i] = kit_new(&k, name, needs);
    }
    check_refused(&k, news, 100,
                  "these tasks need each other in a cycle: t0 -> t1 -> t2 -> t3 -> t4 -> t5 -> t6"
                  " -> t7 -> t8 -> t9 -> (89 more) -> t99 -> t0");
    kit_done(&k);
}

TEST(names_are_one_printable_line)
{
    static const struct {
        struct str name;
        const char *want; /* NULL: it is valid */
    } cases[] = {
        {STR_INIT(""), "the name of a task \"\" is empty"},
        {STR_INIT(" a"), "the name of a task \" a\" begins or ends with blanks"},
        {STR_INIT("a\t"), "the name of a task \"a\\u0009\" has characters that cannot be printed"},
        {STR_INIT("a\nb"),
         "the name of a task \"a\\u000ab\" has characters that cannot be printed"},
        {STR_INIT("a\xff"), "the name of a task \"a\xef\xbf\xbd\" is not valid UTF-8"},
        {STR_INIT("a\0b"),
         "the name of a task \"a\\u0000b\" has characters that cannot be printed"},
        {STR_INIT("#12"),
         "the name of a task \"#12\" is a number: a name must not be # and digits only"},
        {STR_INIT("a \xc2\x85"),
         "the name of a task \"a \\u0085\" has characters that cannot be printed"},
        {STR_INIT("#"), NULL},
        {STR_INIT("#12a"), NULL},
        {STR_INIT("two words"), NULL},
        {STR_INIT("\xc3\xa4\xe2\x82\xac'\"; DROP TABLE task"), NULL},
    };
    struct kit k;
    kit_begin(&k);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct task_new t = {.name = cases[i].name, .spec = STR("x")};
        struct error err = {0};
        if (cases[i].want)
            check_refused(&k, &t, 1, cases[i].want);
        else if (!kit_try_add(&k, &t, 1, &err))
            fail_msg("%s", err.text);
    }
    char longest[TASKS_MAX_NAME + 2];
    memset(longest, 'x', sizeof longest);
    struct task_new t = {.name = str_make(longest, TASKS_MAX_NAME)};
    assert_true(kit_try_add(&k, &t, 1, NULL));
    t.name.n++;
    check_refused(&k, &t, 1,
                  "the name of a task \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...\" is too long:"
                  " at most 128 bytes");
    t = (struct task_new){.name = STR("a"), .pool = STR(" p")};
    check_refused(&k, &t, 1, "the name of a pool \" p\" begins or ends with blanks");
    t = (struct task_new){.name = STR("a"), .spec = STR("a\0b")};
    check_refused(&k, &t, 1, "the file of the task a is not valid UTF-8");
    kit_done(&k);
}

TEST(a_row_has_everything_that_was_given)
{
    struct kit k;
    kit_begin(&k);
    struct task_new t = kit_new(&k, "a", "");
    t.title = STR("A title");
    t.repo = STR("/repo");
    t.pool = STR("gpu");
    t.goal = STR("world peace");
    t.max_attempts = 7;
    struct error err = {0};
    assert_true(kit_try_add(&k, &t, 1, &err));
    struct task_row r = kit_row(&k, "a");
    assert_int_equal(r.id, 1);
    CHECK_CSTR(r.title, "A title");
    CHECK_CSTR(r.repo, "/repo");
    CHECK_CSTR(r.pool, "gpu");
    CHECK_CSTR(r.goal, "world peace");
    CHECK_CSTR(r.spec, "version: 1\n");
    assert_int_equal(r.max_attempts, 7);
    assert_int_equal(r.state, TASK_READY);
    assert_true(r.added > 0 && r.changed >= r.added && !r.started && !r.ended && !r.due);
    assert_int_equal(kit_row(&k, "#1").id, 1);
    kit_done(&k);
}

TEST(the_state_of_a_new_task_follows_from_its_dependencies)
{
    struct kit k;
    kit_begin(&k);
    kit_add(&k, "good", "");
    kit_add(&k, "bad", "");
    kit_add(&k, "waits", "bad");
    struct transaction_claim c = kit_claim(&k, "me");
    kit_end(&k, "me", &c, TASK_SUCCEED);
    c = kit_claim(&k, "me");
    kit_end(&k, "me", &c, TASK_FAIL);
    struct task_new news[] = {
        kit_new(&k, "last", "middle good"), /* before its dependencies */
        kit_new(&k, "middle", "waits"),
        kit_new(&k, "free", "good good"),
    };
    struct error err = {0};
    if (!kit_try_add(&k, news, 3, &err))
        fail_msg("%s", err.text);
    CHECK_CSTR(kit_states(&k), "good SUCCEEDED, bad FAILED, waits BLOCKED, last BLOCKED,"
                               " middle BLOCKED, free READY");
    CHECK_CSTR(kit_row(&k, "last").why, "needs bad, which is FAILED");
    assert_int_equal(kit_row(&k, "last").open_needs, 1);
    kit_retry(&k, "bad");
    CHECK_CSTR(kit_states(&k), "good SUCCEEDED, bad READY, waits PENDING, last PENDING,"
                               " middle PENDING, free READY");
    kit_done(&k);
}

TEST(a_number_is_never_reused)
{
    struct kit k;
    kit_begin(&k);
    kit_add(&k, "a", "");
    kit_add(&k, "b", "");
    struct error err = {0};
    assert_true(store_run(k.store, STORE_ROWS, kit_remove_work, "b", &err));
    kit_add(&k, "c", "");
    assert_int_equal(kit_row(&k, "c").id, 3);
    kit_done(&k);
}

/* ---- looking */

struct listing {
    struct tasks_filter filter;
    struct buf out;
};

static bool list_work(struct store *s, void *ctx, struct error *err)
{
    struct listing *l = ctx;
    buf_clear(&l->out);
    return tasks_each(s, &l->filter, kit_on_state, &l->out, err);
}

static void check_list(struct kit *k, struct tasks_filter f, const char *want)
{
    struct listing l = {.filter = f};
    struct error err = {0};
    if (!store_run(k->store, STORE_READ, list_work, &l, &err))
        fail_msg("%s", err.text);
    CHECK_CSTR(buf_str(&l.out), want);
    buf_done(&l.out);
}

TEST(a_list_is_filtered_and_cut_into_pages)
{
    struct kit k;
    kit_begin(&k);
    struct task_new gpu = kit_new(&k, "g", "");
    gpu.pool = STR("gpu");
    kit_add(&k, "a", "");
    kit_add(&k, "b", "a");
    assert_true(kit_try_add(&k, &gpu, 1, NULL));
    kit_cancel(&k, "a");
    check_list(&k, (struct tasks_filter){0}, "a CANCELLED, b BLOCKED, g READY");
    check_list(&k, (struct tasks_filter){.states = 1u << TASK_READY | 1u << TASK_BLOCKED},
               "b BLOCKED, g READY");
    check_list(&k, (struct tasks_filter){.pool = STR("gpu")}, "g READY");
    check_list(&k, (struct tasks_filter){.after = 1, .most = 1}, "b BLOCKED");
    check_list(&k, (struct tasks_filter){.states = 1u << TASK_RUNNING}, "");
    kit_done(&k);
}

static struct str not_found(struct kit *k, const char *name)
{
    return kit_refused(k, (struct kit_change){.name = name, .change = tasks_cancel},
                       ERR_TASK_NOT_FOUND);
}

TEST(an_unknown_name_suggests_the_nearest)
{
    struct kit k;
    kit_begin(&k);
    CHECK_CSTR(not_found(&k, "shop-menu"), "there is no task \"shop-menu\"");
    kit_add(&k, "shop-menu", "");
    kit_add(&k, "shop-list", "");
    CHECK_CSTR(not_found(&k, "shop-mneu"),
               "there is no task \"shop-mneu\": did you mean shop-menu?");
    CHECK_CSTR(not_found(&k, "3"), "there is no task \"3\"; a number is written '#3'");
    CHECK_CSTR(not_found(&k, "#3"), "there is no task \"#3\"");
    CHECK_CSTR(not_found(&k, "#99999999999999999999"),
               "there is no task \"#99999999999999999999\"");
    CHECK_CSTR(not_found(&k, ""), "there is no task \"\"");
    CHECK_CSTR(not_found(&k, "\xff\xfe"), "there is no task \"\xef\xbf\xbd\xef\xbf\xbd\"");
    kit_done(&k);
}

struct edges {
    struct buf out;
    int64_t id;
};

static void on_edge(struct task_edge e, void *ctx)
{
    buf_printf(&((struct edges *)ctx)->out, "%" PRId64 ">%" PRId64 " ", e.task, e.needs);
}

static bool edges_work(struct store *s, void *ctx, struct error *err)
{
    struct edges *e = ctx;
    buf_clear(&e->out);
    return tasks_edges(s, e->id, on_edge, e, err);
}

TEST(edges_are_listed_for_all_tasks_or_for_one)
{
    struct kit k;
    kit_begin(&k);
    kit_add(&k, "a", "");
    kit_add(&k, "b", "a");
    kit_add(&k, "c", "a b");
    struct edges e = {0};
    assert_true(store_run(k.store, STORE_READ, edges_work, &e, NULL));
    CHECK_CSTR(buf_str(&e.out), "2>1 3>1 3>2 ");
    e.id = 2;
    assert_true(store_run(k.store, STORE_READ, edges_work, &e, NULL));
    CHECK_CSTR(buf_str(&e.out), "2>1 3>2 ");
    buf_done(&e.out);
    kit_done(&k);
}

static bool each_work(struct store *s, void *ctx, struct error *err)
{
    return tasks_each(s, NULL, kit_on_state, ctx, err);
}

TEST(a_row_with_an_unknown_state_is_reported_and_can_be_removed)
{
    struct kit k;
    kit_begin(&k);
    kit_add(&k, "a", "");
    kit_add(&k, "b", "");
    kit_sql(&k, "UPDATE status SET state = 'HAPPY', attempts = -5, because = 77 WHERE task = 2");
    struct error err = {0};
    struct buf out = {0};
    assert_false(store_run(k.store, STORE_READ, each_work, &out, &err));
    CHECK_CSTR(str_from(err.text),
               "the task #2 has an unknown state; the store was written by another program,"
               " or is damaged");
    CHECK_CSTR(
        kit_refused(&k, (struct kit_change){.name = "b", .change = tasks_cancel}, ERR_TASK_STATE),
        "b has an unknown state: it can only be removed");
    CHECK_CSTR(
        kit_refused(&k, (struct kit_change){.name = "b", .change = tasks_retry}, ERR_TASK_STATE),
        "b has an unknown state: it can only be removed");
    assert_true(store_run(k.store, STORE_ROWS, kit_remove_work, "b", &err));
    CHECK_CSTR(kit_states(&k), "a READY");
    buf_done(&out);
    kit_done(&k);
}

/* ---- changing */

TEST(cancel_blocks_dependents_and_is_their_reason)
{
    struct kit k;
    kit_begin(&k);
    kit_add(&k, "a", "");
    kit_add(&k, "b", "a");
    kit_add(&k, "c", "b");
    kit_add(&k, "d", "");
    struct tasks_change c = kit_cancel(&k, "b");
    assert_int_equal(c.before, TASK_PENDING);
    assert_int_equal(c.after, TASK_CANCELLED);
    assert_int_equal(c.touched, 1);
    assert_false(c.asked);
    CHECK_CSTR(kit_states(&k), "a READY, b CANCELLED, c BLOCKED, d READY");
    CHECK_CSTR(kit_row(&k, "c").why, "needs b, which is CANCELLED");
    CHECK_CSTR(
        kit_refused(&k, (struct kit_change){.name = "b", .change = tasks_cancel}, ERR_TASK_STATE),
        "b is CANCELLED: it has already ended");
    c = kit_retry(&k, "b");
    assert_int_equal(c.after, TASK_PENDING);
    assert_int_equal(c.touched, 1);
    CHECK_CSTR(kit_states(&k), "a READY, b PENDING, c PENDING, d READY");
    kit_done(&k);
}

TEST(a_running_task_is_asked_to_stop)
{
    struct kit k;
    kit_begin(&k);
    kit_add(&k, "a", "");
    kit_add(&k, "b", "a");
    struct transaction_claim claim = kit_claim(&k, "me");
    struct tasks_change c = kit_cancel(&k, "a");
    assert_true(c.asked && c.after == TASK_RUNNING);
    assert_true(kit_row(&k, "a").cancel);
    assert_true(kit_cancel(&k, "a").asked); /* a second cancel is accepted */
    CHECK_CSTR(kit_states(&k), "a RUNNING, b PENDING");
    struct transaction t = kit_transaction(&k, "me", 0);
    t.renews = true;
    kit_run(&k, &t);
    assert_true(t.hold_count == 1 && t.holds[0].cancel);
    transaction_done(&t);
    kit_end(&k, "me", &claim, TASK_RETRY); /* whatever its end is */
    CHECK_CSTR(kit_states(&k), "a CANCELLED, b BLOCKED");
    kit_done(&k);
}

TEST(a_task_that_succeeds_despite_a_cancel_has_succeeded)
{
    struct kit k;
    kit_begin(&k);
    kit_add(&k, "a", "");
    kit_add(&k, "b", "a");
    struct transaction_claim claim = kit_claim(&k, "me");
    kit_cancel(&k, "a");
    kit_end(&k, "me", &claim, TASK_SUCCEED);
    CHECK_CSTR(kit_states(&k), "a SUCCEEDED, b READY");
    kit_done(&k);
}

TEST(a_refused_retry_gives_the_reason)
{
    struct kit k;
    kit_begin(&k);
    kit_add(&k, "a", "");
    kit_add(&k, "b", "a");
    struct kit_change a = {.name = "a", .change = tasks_retry};
    struct kit_change b = {.name = "b", .change = tasks_retry};
    CHECK_CSTR(kit_refused(&k, a, ERR_TASK_STATE), "a is READY: it starts by itself");
    struct transaction_claim claim = kit_claim(&k, "me");
    CHECK_CSTR(kit_refused(&k, a, ERR_TASK_STATE), "a is RUNNING: cancel it first");
    kit_end(&k, "me", &claim, TASK_GIVE_UP);
    CHECK_CSTR(kit_refused(&k, b, ERR_TASK_STATE), "b is blocked by a: retry that one");
    kit_retry(&k, "a");
    claim = kit_claim(&k, "me");
    assert_int_equal(claim.number, 2);
    assert_int_equal(claim.tries.counted, 0); /* all attempts are given back */
    kit_end(&k, "me", &claim, TASK_SUCCEED);
    CHECK_CSTR(kit_refused(&k, a, ERR_TASK_STATE),
               "a is SUCCEEDED: it is done: to redo it, add it under another name");
    kit_done(&k);
}

TEST(a_retry_ends_the_wait)
{
    struct kit k;
    kit_begin(&k);
    kit_add(&k, "a", "");
    struct transaction_claim claim = kit_claim(&k, "me");
    kit_end(&k, "me", &claim, TASK_RETRY);
    assert_true(kit_row(&k, "a").due > 0);
    assert_int_equal(kit_retry(&k, "a").after, TASK_READY);
    assert_int_equal(kit_row(&k, "a").due, 0);
    kit_done(&k);
}

/* d needs both and is released only when both are. */
TEST(a_task_blocked_by_two_is_released_by_the_second)
{
    struct kit k;
    kit_begin(&k);
    kit_add(&k, "a", "");
    kit_add(&k, "b", "");
    kit_add(&k, "d", "a b");
    kit_add(&k, "e", "d");
    kit_cancel(&k, "a");
    kit_cancel(&k, "b");
    assert_int_equal(kit_retry(&k, "b").touched, 0);
    CHECK_CSTR(kit_states(&k), "a CANCELLED, b READY, d BLOCKED, e BLOCKED");
    CHECK_CSTR(kit_row(&k, "e").why, "needs a, which is CANCELLED");
    assert_int_equal(kit_retry(&k, "a").touched, 2);
    CHECK_CSTR(kit_states(&k), "a READY, b READY, d PENDING, e PENDING");
    kit_done(&k);
}

TEST(a_revived_task_is_blocked_by_another_failed_dependency)
{
    struct kit k;
    kit_begin(&k);
    kit_add(&k, "a", "");
    kit_add(&k, "b", "a");
    kit_add(&k, "c", "b");
    kit_cancel(&k, "b");
    kit_cancel(&k, "a");
    struct tasks_change c = kit_retry(&k, "b");
    assert_int_equal(c.after, TASK_BLOCKED);
    CHECK_CSTR(kit_row(&k, "b").why, "needs a, which is CANCELLED");
    CHECK_CSTR(kit_row(&k, "c").why, "needs a, which is CANCELLED");
    kit_retry(&k, "a");
    CHECK_CSTR(kit_states(&k), "a READY, b PENDING, c PENDING");
    kit_done(&k);
}

TEST(removing_a_task_removes_all_its_rows)
{
    struct kit k;
    struct error err = {0};
    kit_begin(&k);
    kit_add(&k, "a", "");
    kit_add(&k, "b", "a");
    assert_false(store_run(k.store, STORE_ROWS, kit_remove_work, "a", &err));
    assert_int_equal(err.code, ERR_TASK_STATE);
    CHECK_CSTR(str_from(err.text), "a is needed by b: remove that one first");
    struct transaction_claim claim = kit_claim(&k, "me");
    assert_true(store_run(k.store, STORE_ROWS, kit_remove_work, "b", &err));
    assert_false(store_run(k.store, STORE_ROWS, kit_remove_work, "a", &err));
    CHECK_CSTR(str_from(err.text), "a is RUNNING: cancel it first");
    kit_end(&k, "me", &claim, TASK_SUCCEED);
    assert_true(store_run(k.store, STORE_ROWS, kit_remove_work, "a", &err));
    CHECK_CSTR(kit_states(&k), "");
    kit_add(&k, "a", ""); /* the name is free, and nothing is left of the old task */
    assert_int_equal(kit_row(&k, "a").attempts, 0);
    kit_done(&k);
}

/* ---- the whole */

static bool control_work(struct store *s, void *ctx, struct error *err)
{
    return tasks_control(s, ctx, err);
}

TEST(pause_resume_and_stop_are_visible_to_all)
{
    struct kit k;
    struct tasks_control c;
    kit_begin(&k);
    assert_true(store_run(k.store, STORE_READ, control_work, &c, NULL));
    assert_true(c.mode == TASKS_RUNNING && c.stops == 0);
    kit_mode(&k, tasks_pause);
    assert_true(store_run(k.store, STORE_READ, control_work, &c, NULL));
    assert_true(c.mode == TASKS_PAUSED && c.stops == 0 && c.since > 0);
    int64_t since = c.since;
    kit_mode(&k, tasks_stop);
    assert_true(store_run(k.store, STORE_READ, control_work, &c, NULL));
    assert_true(c.mode == TASKS_PAUSED && c.stops == 1 && c.since == since);
    kit_mode(&k, tasks_resume);
    assert_true(store_run(k.store, STORE_READ, control_work, &c, NULL));
    assert_true(c.mode == TASKS_RUNNING && c.stops == 1);
    kit_done(&k);
}
