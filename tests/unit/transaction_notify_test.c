/* Which changes notify which channels: notifications are recorded instead of sent. */
#include "orchestrator/transaction.h"

#include "tasks_kit.h"

static struct buf told;

bool __wrap_store_notify(struct store *s, const char *channel, struct error *err);

bool __wrap_store_notify(struct store *s, const char *channel, struct error *err)
{
    (void)s;
    (void)err;
    if (str_find(buf_str(&told), str_from(channel)) == told.n)
        buf_printf(&told, "%s%s", told.n ? " " : "", channel);
    return true;
}

#define CHECK_TOLD(want) check_told((want), __FILE__, __LINE__)

static void check_told(const char *want, const char *file, int line)
{
    check_str_at(buf_str(&told), str_from(want), file, line);
    buf_clear(&told);
}

static void run_ending(struct kit *k, const struct transaction_claim *c, enum task_event event,
                       uint32_t free)
{
    struct transaction_end end = kit_ending(c, event);
    struct transaction t = kit_transaction(k, "me", free);
    t.ends = &end;
    t.end_count = 1;
    kit_run(k, &t);
    transaction_done(&t);
}

TEST(others_are_notified_of_ready_tasks_that_were_not_claimed)
{
    struct kit k;
    kit_begin(&k);
    kit_add(&k, "a", "");
    CHECK_TOLD("log work");
    kit_add(&k, "b", "a");
    CHECK_TOLD("log"); /* nothing to do yet */
    kit_add(&k, "c", "a");
    kit_add(&k, "d", "b c");
    kit_add(&k, "e", "");
    buf_clear(&told);
    struct transaction_claim c = kit_claim(&k, "me");
    CHECK_TOLD("log");
    run_ending(&k, &c, TASK_SUCCEED, 2); /* b and c are freed and claimed at once */
    CHECK_TOLD("log");
    const struct transaction_claim b = {.task = 2, .number = 1}, other = {.task = 3, .number = 1};
    run_ending(&k, &b, TASK_BACK, 0); /* nobody claims it */
    CHECK_TOLD("log work");
    run_ending(&k, &other, TASK_SUCCEED, 0); /* d still waits for b */
    CHECK_TOLD("log");
    kit_done(&k);
}

TEST(the_end_of_all_work_is_notified)
{
    struct kit k;
    kit_begin(&k);
    kit_add(&k, "a", "");
    struct transaction_claim c = kit_claim(&k, "me");
    buf_clear(&told);
    run_ending(&k, &c, TASK_SUCCEED, 1);
    CHECK_TOLD("log work");
    kit_done(&k);
}

TEST(changes_by_people_and_log_pieces_have_their_channels)
{
    struct kit k;
    kit_begin(&k);
    kit_add(&k, "a", "");
    kit_add(&k, "b", "a");
    struct transaction_claim c = kit_claim(&k, "me");
    buf_clear(&told);
    kit_cancel(&k, "a");
    CHECK_TOLD("log control");
    kit_end(&k, "me", &c, TASK_BACK);
    buf_clear(&told);
    kit_retry(&k, "a");
    CHECK_TOLD("log work");
    kit_mode(&k, tasks_pause);
    CHECK_TOLD("log control");
    struct transaction t = kit_transaction(&k, "me", 0);
    kit_run(&k, &t);
    CHECK_TOLD(""); /* nothing happened */
    const struct transaction_log piece = {.task = 1, .number = 1, .seq = 1, .text = STR("x")};
    t.logs = &piece;
    t.log_count = 1;
    kit_run(&k, &t);
    CHECK_TOLD("log");
    transaction_done(&t);
    kit_done(&k);
}

int main(void)
{
    int failed = test_run(NULL, NULL);
    buf_done(&told);
    return failed;
}
