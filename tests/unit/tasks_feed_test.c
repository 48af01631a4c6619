/* Logs, events, and many tasks at once. */
#include <inttypes.h>
#include <stdlib.h>

#include "task/run_id.h"
#include "tasks_kit.h"

/* ---- logs and events */

struct pieces {
    struct tasks_log_filter want;
    struct buf out;
};

static void on_piece(const struct log_piece *p, void *ctx)
{
    buf_printf(&((struct pieces *)ctx)->out, "%" PRIu64 ":%.*s ", p->seq, STR_ARG(p->text));
}

static bool log_work(struct store *s, void *ctx, struct error *err)
{
    struct pieces *p = ctx;
    buf_clear(&p->out);
    return tasks_log(s, &p->want, on_piece, p, err);
}

TEST(log_pieces_are_stored_once_and_in_order)
{
    struct kit k;
    kit_begin(&k);
    kit_add(&k, "a", "");
    struct transaction_claim c = kit_claim(&k, "me");
    const struct transaction_log logs[] = {{c.task, 1, 2, 5, STR("zwei\n")},
                                           {c.task, 1, 1, 5, STR("eins \xe2\x82\xac")},
                                           {c.task, 1, 2, 9, STR("another two")},
                                           {c.task, 1, 3, 9, STR("dr\xff\0ei")},
                                           {77, 1, 1, 5, STR("of no task")}};
    struct transaction t = kit_transaction(&k, "me", 0);
    t.logs = logs;
    t.log_count = 5;
    kit_run(&k, &t);
    transaction_done(&t);
    struct pieces p = {.want = {.task = c.task, .number = 1}};
    assert_true(store_run(k.store, STORE_READ, log_work, &p, NULL));
    CHECK_CSTR(buf_str(&p.out), "1:eins \xe2\x82\xac 2:zwei\n 3:dr\xef\xbf\xbd ei ");
    p.want.after = 1;
    p.want.most = 1;
    assert_true(store_run(k.store, STORE_READ, log_work, &p, NULL));
    CHECK_CSTR(buf_str(&p.out), "2:zwei\n ");
    p.want = (struct tasks_log_filter){.task = 77, .number = 1};
    assert_true(store_run(k.store, STORE_READ, log_work, &p, NULL));
    assert_int_equal(p.out.n, 0);
    buf_done(&p.out);
    kit_done(&k);
}

struct feed {
    struct tasks_event_filter want;
    struct buf out;
    int64_t last;
    size_t count;
    struct arena arena;
};

static void on_event(const struct task_event_row *e, void *ctx)
{
    struct feed *f = ctx;
    assert_true(e->id > f->last && e->at > 0);
    f->last = e->id;
    f->count++;
    struct str told = e->told, run = STR(",\"run\":\"");
    size_t at = str_find(told, run);
    if (at < told.n) { /* of a claim: its run id is random */
        char id[RUN_ID_SIZE];
        assert_true(told.n == at + run.n + sizeof id - 1 + 2);
        memcpy(id, told.p + at + run.n, sizeof id - 1);
        id[sizeof id - 1] = 0;
        assert_true(run_id_is(id));
        told = arena_printf(&f->arena, "%.*s,run}", (int)at, told.p);
    }
    if (f->out.n < 4096)
        buf_printf(&f->out, "%" PRId64 " %.*s %.*s\n", e->task, STR_ARG(e->kind), STR_ARG(told));
}

static bool feed_work(struct store *s, void *ctx, struct error *err)
{
    struct feed *f = ctx;
    buf_clear(&f->out);
    f->count = 0;
    f->last = f->want.after;
    return tasks_events(s, &f->want, on_event, f, err);
}

TEST(every_change_is_in_the_feed)
{
    struct kit k;
    struct feed f = {0};
    kit_begin(&k);
    kit_add(&k, "a", "");
    kit_add(&k, "b", "a");
    struct transaction_claim c = kit_claim(&k, "me");
    struct transaction_end end = kit_ending(&c, TASK_GIVE_UP);
    snprintf(end.follow_up.why, sizeof end.follow_up.why, "it said \"no\"");
    struct transaction t = kit_transaction(&k, "me", 0);
    t.ends = &end;
    t.end_count = 1;
    kit_run(&k, &t);
    transaction_done(&t);
    kit_retry(&k, "a");
    c = kit_claim(&k, "me");
    kit_end(&k, "me", &c, TASK_SUCCEED);
    kit_cancel(&k, "b");
    kit_mode(&k, tasks_pause);
    assert_true(store_run(k.store, STORE_READ, feed_work, &f, NULL));
    CHECK_CSTR(buf_str(&f.out), "1 added {\"state\":\"READY\"}\n"
                                "2 added {\"state\":\"PENDING\"}\n"
                                "1 claimed {\"owner\":\"me\",run}\n"
                                "1 blocked {\"owner\":\"me\",\"why\":\"it said \\\"no\\\"\"}\n"
                                "2 blocked {\"because\":1}\n"
                                "1 revived {}\n"
                                "2 released {}\n"
                                "1 claimed {\"owner\":\"me\",run}\n"
                                "1 succeeded {\"owner\":\"me\"}\n"
                                "2 ready {}\n"
                                "2 cancelled {}\n"
                                "0 paused {}\n");
    f.want = (struct tasks_event_filter){.after = f.last - 1, .most = 5};
    assert_true(store_run(k.store, STORE_READ, feed_work, &f, NULL));
    assert_in_range(f.count, 1, 5);
    buf_done(&f.out);
    arena_done(&f.arena);
    kit_done(&k);
}

/* ---- many */

#define MANY 10000u

static struct task_new *make_many(struct kit *k, const char *prefix, bool is_chain)
{
    struct task_new *news = mem_zalloc(MANY * sizeof *news);
    for (unsigned i = 0; i < MANY; i++) {
        char name[32], needs[32] = "";
        snprintf(name, sizeof name, "%s%u", prefix, i);
        if (i)
            snprintf(needs, sizeof needs, "%s%u", prefix, is_chain ? i - 1 : 0);
        news[i] = kit_new(k, name, needs);
    }
    return news;
}

static bool count_work(struct store *s, void *ctx, struct error *err)
{
    return tasks_count(s, ctx, err);
}

static uint64_t count_of(struct kit *k, enum task_state state)
{
    struct tasks_counts c = {0};
    assert_true(store_run(k->store, STORE_READ, count_work, &c, NULL));
    return c.by_state[state];
}

TEST(long_chains_and_wide_fans_are_blocked_released_and_freed)
{
    struct kit k;
    struct error err = {0};
    kit_begin(&k);
    for (unsigned is_chain = 0; is_chain < 2; is_chain++) {
        const char *first = is_chain ? "c0" : "f0";
        struct task_new *news = make_many(&k, is_chain ? "c" : "f", is_chain);
        if (!kit_try_add(&k, news, MANY, &err))
            fail_msg("%s", err.text);
        free(news);
        assert_int_equal(kit_cancel(&k, first).touched, MANY - 1);
        assert_int_equal(count_of(&k, TASK_BLOCKED), MANY - 1);
        assert_int_equal(kit_retry(&k, first).touched, MANY - 1);
        assert_int_equal(count_of(&k, TASK_PENDING), MANY - 1);
        struct transaction_claim c = kit_claim(&k, "me");
        kit_end(&k, "me", &c, TASK_GIVE_UP);
        assert_int_equal(count_of(&k, TASK_BLOCKED), MANY);
        kit_retry(&k, first);
        c = kit_claim(&k, "me");
        kit_end(&k, "me", &c, TASK_SUCCEED);
        assert_int_equal(count_of(&k, TASK_READY), is_chain ? 1 : MANY - 1);
        kit_sql(&k, "UPDATE status SET state = 'CANCELLED' WHERE state <> 'SUCCEEDED'");
    }
    struct feed f = {0}; /* of 100,000 events only the newest, those of the chain, are kept */
    assert_true(store_run(k.store, STORE_READ, feed_work, &f, NULL));
    assert_in_range(f.count, TASKS_KEEP_EVENT, TASKS_KEEP_EVENT + 1000);
    assert_true(strtol(f.out.p, NULL, 10) > (long)MANY);
    f.want.after = f.last;
    assert_true(store_run(k.store, STORE_READ, feed_work, &f, NULL));
    assert_int_equal(f.count, 0);
    buf_done(&f.out);
    arena_done(&f.arena);
    kit_done(&k);
}
