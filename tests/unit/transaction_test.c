#include "orchestrator/transaction.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "tasks_kit.h"

#define HOUR 3600000

/* ---- the table and the SQL */

/* Put task s into a state directly, with all fields that belong to it; s needs u. */
static void put(struct kit *k, enum task_state state, enum task_event event)
{
    struct store_statement st = {
        "UPDATE status SET state = ?1, owner = ?2, attempts = 1, due = 1, open_needs = ?3,"
        " because = ?4, cancel = 0 WHERE task = 2",
        {STORE_TEXT(str_from(task_state_name(state))), STORE_TEXT(STR("me")),
         STORE_INT(event == TASK_REOPEN || event == TASK_FREE || event == TASK_UPSTREAM ||
                   event == TASK_RELEASE),
         STORE_INT(event == TASK_RELEASE)}};
    struct error err = {0};
    if (!store_run(k->store, STORE_ROWS, kit_sql_work, &st, &err))
        fail_msg("%s", err.text);
}

/* Trigger the event through the public functions. */
static void happen(struct kit *k, enum task_event event)
{
    const struct transaction_claim u = {.task = 1, .number = 1}, s = {.task = 2, .number = 1};
    struct kit_change c = {.name = "s", .change = tasks_retry};
    struct transaction t = kit_transaction(k, "me", event == TASK_CLAIM ? 1 : 0);
    switch (event) {
    case TASK_CLAIM:
    case TASK_DUE:
        kit_run(k, &t);
        break;
    case TASK_SUCCEED:
    case TASK_RETRY:
    case TASK_FAIL:
    case TASK_GIVE_UP:
    case TASK_BACK:
        kit_end(k, "me", &s, event);
        break;
    case TASK_CANCEL:
        c.change = tasks_cancel;
        (void)!store_run(k->store, STORE_ROWS, kit_change_work, &c, NULL);
        if (c.out.asked)
            kit_end(k, "me", &s, TASK_BACK);
        break;
    case TASK_FREE:
    case TASK_UPSTREAM:
        kit_sql(k, "UPDATE status SET state = 'RUNNING', owner = 'me', attempts = 1"
                   " WHERE task = 1");
        kit_end(k, "me", &u, event == TASK_FREE ? TASK_SUCCEED : TASK_FAIL);
        break;
    case TASK_RELEASE:
        kit_sql(k, "UPDATE status SET state = 'CANCELLED' WHERE task = 1");
        kit_retry(k, "u");
        break;
    case TASK_REVIVE:
    case TASK_REOPEN:
        kit_sql(k, "UPDATE status SET state = 'READY' WHERE task = 1");
        (void)!store_run(k->store, STORE_ROWS, kit_change_work, &c, NULL);
        break;
    case TASK_EVENT_COUNT:
        break;
    }
    transaction_done(&t);
}

/* A retry in RETRY_WAIT is the event TASK_DUE, whatever the dependencies are. */
static enum task_state want_after(enum task_state state, enum task_event event)
{
    if (state == TASK_RETRY_WAIT && (event == TASK_REVIVE || event == TASK_REOPEN))
        return task_state_next(state, TASK_DUE);
    if (state == TASK_RETRY_WAIT && event != TASK_CANCEL)
        return event == TASK_FREE || event == TASK_RELEASE || event == TASK_UPSTREAM ||
                       event == TASK_CLAIM ||
                       task_state_next(TASK_RUNNING, event) != TASK_STATE_COUNT
                   ? TASK_READY /* every transaction ends due waits */
                   : task_state_next(state, event);
    enum task_state next = task_state_next(state, event);
    return next == TASK_STATE_COUNT ? state : next;
}

TEST(the_sql_makes_exactly_the_transitions_of_the_table)
{
    struct kit k;
    kit_begin(&k);
    kit_add(&k, "u", "");
    kit_add(&k, "s", "u");
    for (enum task_state s = 0; s < TASK_STATE_COUNT; s++)
        for (enum task_event e = 0; e < TASK_EVENT_COUNT; e++) {
            kit_sql(&k, "DELETE FROM attempt");
            kit_sql(&k, "UPDATE status SET state = 'CANCELLED', owner = '' WHERE task = 1");
            put(&k, s, e);
            happen(&k, e);
            enum task_state got = kit_row(&k, "s").state, want = want_after(s, e);
            if (s == TASK_RETRY_WAIT && e == TASK_RELEASE)
                want = s; /* a change by a person runs no transaction */
            if (s == TASK_RETRY_WAIT && e == TASK_CLAIM)
                want = TASK_RUNNING; /* freed and claimed at once */
            if (got != want)
                fail_msg("%s %s: %s, not %s", task_state_name(s), task_state_event_name(e),
                         task_state_name(got), task_state_name(want));
        }
    kit_done(&k);
}

/* ---- claims */

TEST(tasks_are_claimed_in_the_order_of_entry)
{
    struct kit k;
    kit_begin(&k);
    kit_add(&k, "z", "");
    kit_add(&k, "a", "");
    kit_add(&k, "m", "");
    struct transaction t = kit_transaction(&k, "me", 2);
    kit_run(&k, &t);
    assert_int_equal(t.claim_count, 2);
    CHECK_CSTR(t.claims[0].name, "z");
    CHECK_CSTR(t.claims[1].name, "a");
    assert_int_equal(t.claims[0].number, 1);
    CHECK_CSTR(t.claims[0].spec, "version: 1\n");
    CHECK_CSTR(t.claims[0].pool, "default");
    CHECK_CSTR(kit_states(&k), "z RUNNING, a RUNNING, m READY");
    struct task_row r = kit_row(&k, "z");
    assert_true(r.started > 0 && r.lease_until >= r.started + (int64_t)KIT_LEASE - 1000);
    CHECK_CSTR(r.owner, "me");
    transaction_done(&t);
    kit_done(&k);
}

TEST(slots_of_a_pool_claim_only_its_tasks)
{
    struct kit k;
    kit_begin(&k);
    struct task_new news[] = {kit_new(&k, "a", ""), kit_new(&k, "g", ""), kit_new(&k, "b", "")};
    news[1].pool = STR("gpu");
    assert_true(kit_try_add(&k, news, 3, NULL));
    const struct transaction_slot slots[] = {
        {STR("none"), 5}, {STR("gpu"), 5}, {STR("default"), 1}};
    struct transaction t = kit_transaction(&k, "me", 0);
    t.slots = slots;
    t.slot_count = 3;
    kit_run(&k, &t);
    CHECK_CSTR(kit_states(&k), "a RUNNING, g RUNNING, b READY");
    assert_int_equal(t.claim_count, 2);
    CHECK_CSTR(t.claims[1].pool, "gpu");
    transaction_done(&t);
    kit_done(&k);
}

TEST(nothing_is_claimed_while_paused)
{
    struct kit k;
    kit_begin(&k);
    kit_add(&k, "a", "");
    kit_mode(&k, tasks_pause);
    struct transaction t = kit_transaction(&k, "me", 1);
    kit_run(&k, &t);
    assert_true(t.claim_count == 0 && t.control.mode == TASKS_PAUSED && !t.is_idle);
    kit_mode(&k, tasks_resume);
    kit_run(&k, &t);
    assert_int_equal(t.claim_count, 1);
    transaction_done(&t);
    kit_done(&k);
}

TEST(a_freed_task_is_claimed_in_the_same_transaction)
{
    struct kit k;
    kit_begin(&k);
    kit_add(&k, "a", "");
    kit_add(&k, "b", "a");
    kit_add(&k, "c", "a b");
    struct transaction_claim c = kit_claim(&k, "me");
    struct transaction_end end = kit_ending(&c, TASK_SUCCEED);
    struct transaction t = kit_transaction(&k, "me", 4);
    t.ends = &end;
    t.end_count = 1;
    kit_run(&k, &t);
    assert_int_equal(t.claim_count, 1);
    CHECK_CSTR(t.claims[0].name, "b");
    CHECK_CSTR(kit_states(&k), "a SUCCEEDED, b RUNNING, c PENDING");
    transaction_done(&t);
    kit_done(&k);
}

/* ---- ends */

struct attempts {
    struct buf out;
    struct attempt_row last; /* numbers only */
};

static void on_attempt(const struct attempt_row *a, void *ctx)
{
    struct attempts *all = ctx;
    buf_printf(&all->out, "%u %.*s %.*s@%.*s pieces %" PRIu64 "%s; ", a->number, STR_ARG(a->end),
               STR_ARG(a->owner), STR_ARG(a->host), a->pieces, a->ended ? "" : " runs");
    all->last = *a;
}

static bool attempts_work(struct store *s, void *ctx, struct error *err)
{
    buf_clear(&((struct attempts *)ctx)->out);
    return tasks_attempts(s, 1, on_attempt, ctx, err);
}

static void check_attempts(struct kit *k, const char *want)
{
    struct attempts all = {0};
    struct error err = {0};
    if (!store_run(k->store, STORE_READ, attempts_work, &all, &err))
        fail_msg("%s", err.text);
    CHECK_CSTR(buf_str(&all.out), want);
    buf_done(&all.out);
}

TEST(each_attempt_is_stored_with_its_end)
{
    struct kit k;
    kit_begin(&k);
    kit_add(&k, "a", "");
    struct transaction_claim c = kit_claim(&k, "me");
    check_attempts(&k, "1  me@host pieces 0 runs; ");
    kit_end(&k, "me", &c, TASK_BACK);
    c = kit_claim(&k, "you");
    struct transaction_end end = kit_ending(&c, TASK_RETRY);
    end.outcome = STR("rate_limited");
    end.follow_up.counts = false;
    end.follow_up.wait_ms = 0;
    struct transaction t = kit_transaction(&k, "you", 1);
    t.ends = &end;
    t.end_count = 1;
    kit_run(&k, &t);
    assert_int_equal(t.claim_count, 0); /* its wait ends with a later transaction */
    kit_sql(&k, "UPDATE status SET due = 1");
    transaction_done(&t);
    c = kit_claim(&k, "me");
    assert_int_equal(c.number, 3);
    assert_int_equal(c.tries.counted, 0);
    end = kit_ending(&c, TASK_SUCCEED);
    end.tool = STR("mock");
    end.model = STR("m\xff\0x"); /* invalid text */
    end.input_tokens = UINT64_MAX;
    end.cost_usd = (double)NAN;
    end.exit_code = -1;
    t = kit_transaction(&k, "me", 0);
    t.renews = true;
    t.host = STR("ho\xfft");
    t.ends = &end;
    t.end_count = 1;
    kit_run(&k, &t);
    transaction_done(&t);
    check_attempts(&k, "1 stopped me@host pieces 0; 2 limited you@host pieces 0; 3 succeeded"
                       " me@ho\xef\xbf\xbdt pieces 0; ");
    CHECK_CSTR(kit_states(&k), "a SUCCEEDED");
    kit_done(&k);
}

TEST(an_end_applies_only_to_the_running_attempt)
{
    struct kit k;
    kit_begin(&k);
    kit_add(&k, "a", "");
    struct transaction_claim c = kit_claim(&k, "me"), other = c;
    kit_end(&k, "you", &c, TASK_SUCCEED);
    other.number++;
    kit_end(&k, "me", &other, TASK_SUCCEED);
    other.task = 99;
    kit_end(&k, "me", &other, TASK_SUCCEED);
    CHECK_CSTR(kit_states(&k), "a RUNNING");
    kit_end(&k, "me", &c, TASK_BACK);
    kit_end(&k, "me", &c, TASK_SUCCEED); /* its end was already reported */
    CHECK_CSTR(kit_states(&k), "a READY");
    check_attempts(&k, "1 stopped me@host pieces 0; ");
    kit_done(&k);
}

TEST(waits_and_attempts_follow_the_policy)
{
    struct kit k;
    kit_begin(&k);
    kit_add(&k, "a", "");
    for (unsigned i = 0; i < 3; i++) {
        struct transaction_claim c = kit_claim(&k, "me");
        assert_int_equal(c.tries.counted, i ? 1 : 0);
        assert_int_equal(c.tries.lost, i > 1 ? 1 : 0);
        struct transaction_end end = kit_ending(&c, TASK_RETRY);
        end.follow_up.counts = i == 0;
        end.follow_up.lost = i > 0;
        end.follow_up.wait_ms = i == 2 ? UINT64_MAX : HOUR;
        snprintf(end.follow_up.why, sizeof end.follow_up.why, "because of %u", i);
        struct transaction t = kit_transaction(&k, "me", 0);
        t.ends = &end;
        t.end_count = 1;
        kit_run(&k, &t);
        assert_true(t.next_ms >= HOUR - 60000 && (t.next_ms <= HOUR || i == 2));
        transaction_done(&t);
        struct task_row r = kit_row(&k, "a");
        assert_int_equal(r.state, TASK_RETRY_WAIT);
        assert_true(r.due >= r.changed + HOUR - 60000);
        assert_true(str_starts(r.why, STR("because of ")));
        kit_sql(&k, "UPDATE status SET due = 1");
    }
    kit_done(&k);
}

/* ---- leases */

static void end_lease(struct kit *k, const char *owner)
{
    struct store_statement st = {"UPDATE orchestrator SET lease_until = 1, grace = 0 WHERE id = ?1",
                                 {STORE_TEXT(str_from(owner))}};
    struct error err = {0};
    if (!store_run(k->store, STORE_ROWS, kit_sql_work, &st, &err))
        fail_msg("%s", err.text);
}

TEST(another_owner_takes_over_after_the_lease)
{
    struct kit k;
    kit_begin(&k);
    kit_add(&k, "a", "");
    struct transaction_claim mine = kit_claim(&k, "me");
    struct transaction t = kit_transaction(&k, "you", 1);
    kit_run(&k, &t);
    assert_int_equal(t.claim_count, 0); /* the lease holds, and its end is known */
    assert_in_range(t.next_ms, KIT_LEASE / 2, 2 * KIT_LEASE);
    end_lease(&k, "me");
    kit_run(&k, &t);
    assert_int_equal(t.claim_count, 1);
    assert_int_equal(t.claims[0].number, 2);
    assert_int_equal(t.claims[0].tries.lost, 1);
    transaction_done(&t);
    kit_end(&k, "me", &mine, TASK_SUCCEED); /* too late */
    CHECK_CSTR(kit_states(&k), "a RUNNING");
    check_attempts(&k, "1 lost me@host pieces 0; 2  you@host pieces 0 runs; ");
    t = kit_transaction(&k, "me", 0);
    t.renews = true;
    kit_run(&k, &t);
    assert_int_equal(t.hold_count, 0); /* so the owner knows that it lost the task */
    transaction_done(&t);
    kit_done(&k);
}

TEST(an_owner_that_renews_keeps_its_attempts)
{
    struct kit k;
    kit_begin(&k);
    kit_add(&k, "a", "");
    kit_claim(&k, "me");
    end_lease(&k, "me");
    struct transaction t = kit_transaction(&k, "me", 0);
    t.renews = true;
    kit_run(&k, &t);
    assert_int_equal(t.hold_count, 1);
    transaction_done(&t);
    t = kit_transaction(&k, "you", 1);
    kit_run(&k, &t);
    assert_int_equal(t.claim_count, 0);
    transaction_done(&t);
    kit_done(&k);
}

/* A claim always gets a full lease. */
TEST(a_claim_renews_a_lease_that_is_short)
{
    struct kit k;
    kit_begin(&k);
    kit_add(&k, "a", "");
    kit_add(&k, "b", "");
    kit_claim(&k, "me");
    end_lease(&k, "me");
    kit_claim(&k, "me");
    struct task_row r = kit_row(&k, "b");
    assert_true(r.lease_until >= r.started + (int64_t)KIT_LEASE - 1000);
    kit_done(&k);
}

TEST(a_lost_attempt_with_a_cancel_request_is_cancelled)
{
    struct kit k;
    kit_begin(&k);
    kit_add(&k, "a", "");
    kit_add(&k, "b", "a");
    kit_claim(&k, "me");
    kit_cancel(&k, "a");
    end_lease(&k, "me");
    struct transaction t = kit_transaction(&k, "you", 1);
    kit_run(&k, &t);
    CHECK_CSTR(kit_states(&k), "a CANCELLED, b BLOCKED");
    check_attempts(&k, "1 lost me@host pieces 0; ");
    assert_true(t.is_idle && t.has_failed);
    transaction_done(&t);
    kit_done(&k);
}

TEST(repeated_losses_leave_the_task_to_a_person)
{
    struct kit k;
    kit_begin(&k);
    kit_add(&k, "a", "");
    kit_add(&k, "b", "a");
    kit_claim(&k, "me");
    for (unsigned i = 0; i < 2; i++) {
        static const char *const owners[] = {"me", "you"};
        end_lease(&k, owners[i % 2]);
        struct transaction t = kit_transaction(&k, owners[(i + 1) % 2], 1);
        t.max_lost = 2;
        kit_run(&k, &t);
        assert_int_equal(t.claim_count, i == 0);
        transaction_done(&t);
    }
    CHECK_CSTR(kit_states(&k), "a BLOCKED, b BLOCKED");
    assert_int_equal(kit_row(&k, "a").lost, 2);
    assert_true(kit_row(&k, "a").why.n > 0);
    check_attempts(&k, "1 lost me@host pieces 0; 2 lost you@host pieces 0; ");
    kit_done(&k);
}

/* ---- run again */

TEST(repeating_a_committed_transaction_changes_nothing)
{
    struct kit k;
    kit_begin(&k);
    kit_add(&k, "a", "");
    kit_add(&k, "b", "");
    kit_add(&k, "c", "a b");
    struct transaction_claim c = kit_claim(&k, "me");
    struct transaction_end end = kit_ending(&c, TASK_SUCCEED);
    const struct transaction_log logs[] = {{c.task, c.number, 1, 5, STR("one")},
                                           {c.task, c.number, 2, 5, STR("two")}};
    struct transaction t = kit_transaction(&k, "me", 1);
    t.ends = &end;
    t.end_count = 1;
    t.logs = logs;
    t.log_count = 2;
    t.renews = true;
    for (unsigned i = 0; i < 3; i++) {
        kit_run(&k, &t);
        assert_int_equal(t.claim_count, 1);
        CHECK_CSTR(t.claims[0].name, "b");
        assert_int_equal(t.hold_count, 1);
        CHECK_CSTR(kit_states(&k), "a SUCCEEDED, b RUNNING, c PENDING");
        assert_int_equal(kit_row(&k, "c").open_needs, 1);
        check_attempts(&k, "1 succeeded me@host pieces 2; ");
    }
    transaction_done(&t);
    kit_done(&k);
}

struct known {
    struct transaction transaction;
    struct transaction_hold hold;
    struct transaction_claim found;
};

static bool known_work(struct store *s, void *ctx, struct error *err)
{
    struct known *n = ctx;
    return transaction_work(s, &n->transaction, err) &&
           transaction_claim_of(s, &n->transaction, &n->hold, &n->found, err);
}

TEST(the_claim_of_an_unknown_attempt_can_be_read)
{
    struct kit k;
    struct error err = {0};
    kit_begin(&k);
    kit_add(&k, "a", "");
    struct transaction_claim c = kit_claim(&k, "me");
    struct known n = {.transaction = kit_transaction(&k, "me", 0),
                      .hold = {c.task, c.number, false}};
    assert_true(store_run(k.store, STORE_ROWS, known_work, &n, &err));
    CHECK_CSTR(n.found.name, "a");
    CHECK_CSTR(n.found.spec, "version: 1\n");
    n.hold.number++;
    assert_true(store_run(k.store, STORE_ROWS, known_work, &n, &err));
    assert_int_equal(n.found.task, 0);
    transaction_done(&n.transaction);
    kit_done(&k);
}

/* ---- idle, orchestrators */

TEST(idle_means_nothing_can_run_without_a_person)
{
    struct kit k;
    kit_begin(&k);
    struct transaction t = kit_transaction(&k, "me", 1);
    kit_run(&k, &t);
    assert_true(t.is_idle && !t.has_failed && t.next_ms == 0);
    kit_add(&k, "a", "");
    kit_add(&k, "b", "a");
    kit_run(&k, &t);
    assert_true(!t.is_idle && t.claim_count == 1);
    struct transaction_claim c = t.claims[0];
    struct transaction other = kit_transaction(&k, "you", 1);
    kit_run(&k, &other);
    assert_true(!other.is_idle);
    transaction_done(&other);
    kit_end(&k, "me", &c, TASK_FAIL);
    other = kit_transaction(&k, "you", 1);
    kit_run(&k, &other);
    assert_true(other.is_idle && other.has_failed);
    transaction_done(&other);
    transaction_done(&t);
    kit_done(&k);
}

struct owners {
    struct buf out;
};

static void on_owner(const struct orchestrator_row *o, void *ctx)
{
    buf_printf(ctx, "%.*s@%.*s pid %" PRId64 " workers %" PRId64 " running %" PRId64 "; ",
               STR_ARG(o->id), STR_ARG(o->host), o->pid, o->workers, o->running);
    assert_true(o->seen >= o->started && o->started > 0);
}

static bool owners_work(struct store *s, void *ctx, struct error *err)
{
    buf_clear(ctx);
    return tasks_orchestrators(s, on_owner, ctx, err);
}

TEST(orchestrators_are_listed_while_they_exist)
{
    struct kit k;
    struct buf out = {0};
    kit_begin(&k);
    kit_add(&k, "a", "");
    struct transaction t = kit_transaction(&k, "me", 1);
    t.renews = true;
    kit_run(&k, &t);
    assert_true(store_run(k.store, STORE_READ, owners_work, &out, NULL));
    CHECK_CSTR(buf_str(&out), "me@host pid 7 workers 4 running 1; ");
    struct transaction_end end = kit_ending(&t.claims[0], TASK_SUCCEED);
    transaction_done(&t);
    t = kit_transaction(&k, "me", 0);
    t.leaves = true;
    kit_run(&k, &t); /* only after all ends are reported */
    assert_true(store_run(k.store, STORE_READ, owners_work, &out, NULL));
    CHECK_CSTR(buf_str(&out), "me@host pid 7 workers 4 running 1; ");
    t.ends = &end;
    t.end_count = 1;
    kit_run(&k, &t);
    assert_true(store_run(k.store, STORE_READ, owners_work, &out, NULL));
    CHECK_CSTR(buf_str(&out), "");
    transaction_done(&t);
    buf_done(&out);
    kit_done(&k);
}

/* The lease of an owner without a row starts when a transaction notices it. */
TEST(an_unknown_owner_gets_a_lease)
{
    struct kit k;
    kit_begin(&k);
    kit_add(&k, "a", "");
    kit_claim(&k, "me");
    kit_sql(&k, "DELETE FROM orchestrator");
    struct transaction t = kit_transaction(&k, "you", 1);
    t.renews = true;
    kit_run(&k, &t);
    assert_int_equal(t.claim_count, 0);
    transaction_done(&t);
    end_lease(&k, "me");
    assert_int_equal(kit_claim(&k, "you").number, 2);
    kit_done(&k);
}
