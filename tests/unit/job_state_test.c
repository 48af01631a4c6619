#include "bridge/job_state.h"

#include "base/buf.h"
#include "test.h"

TEST(every_pair_is_as_specified)
{
    static const char *const effect[] = {"", " tell", " end", " forward_cancel"};
    struct buf got = {0};
    for (enum job_state s = JOB_QUEUED; s < JOB_STATE_COUNT; s++)
        for (enum job_event e = 0; e < JOB_EVENT_COUNT; e++) {
            struct job_move m = job_state_step(s, e);
            if (m.next != JOB_NONE)
                buf_printf(&got, "%s %s: %s%s\n", job_state_name(s), job_state_event_name(e),
                           job_state_name(m.next), effect[m.effect]);
        }
    CHECK_STR(buf_str(&got), STR("queued refused: failed end\n"
                                 "queued sent: running tell\n"
                                 "queued cancel: cancelled end\n"
                                 "queued shutdown: failed end\n"
                                 "running rejected: failed end\n"
                                 "running progress: running tell\n"
                                 "running succeeded: succeeded end\n"
                                 "running failed: failed end\n"
                                 "running timeout: timeout end\n"
                                 "running cancelled: cancelled end\n"
                                 "running deadline: timeout end\n"
                                 "running not_found: failed end\n"
                                 "running link_lost: running\n"
                                 "running gone: failed end\n"
                                 "running cancel: running forward_cancel\n"
                                 "running shutdown: failed end\n"));
    buf_done(&got);
}

TEST(a_move_ends_a_job_if_and_only_if_its_state_is_terminal)
{
    for (enum job_state s = JOB_QUEUED; s < JOB_STATE_COUNT; s++)
        for (enum job_event e = 0; e < JOB_EVENT_COUNT; e++) {
            struct job_move m = job_state_step(s, e);
            assert_int_equal(m.effect == JOB_DO_END, job_state_is_terminal(m.next));
            if (job_state_is_terminal(s))
                assert_int_equal(m.next, JOB_NONE);
            if (m.next == JOB_NONE)
                assert_int_equal(m.effect, JOB_DO_NOTHING);
        }
}

/* The table of section 7: what a wish to cancel gets, and that the machine agrees. */
TEST(the_answer_to_a_cancel_depends_on_the_state)
{
    struct buf got = {0};
    for (enum job_state s = JOB_QUEUED; s < JOB_STATE_COUNT; s++) {
        enum job_state next = job_state_step(s, JOB_ON_CANCEL).next;
        buf_printf(&got, "%s: %s, %s\n", job_state_name(s),
                   job_state_cancel_name(job_state_cancel(s)),
                   next == JOB_NONE ? "as it is" : job_state_name(next));
    }
    CHECK_STR(buf_str(&got), STR("queued: cancelled, cancelled\n"
                                 "running: cancel_requested, running\n"
                                 "succeeded: rejected, as it is\n"
                                 "failed: rejected, as it is\n"
                                 "timeout: rejected, as it is\n"
                                 "cancelled: rejected, as it is\n"));
    buf_done(&got);
}

TEST(a_reported_state_is_an_event)
{
    static const char *const words[] = {"queued",   "running",   "succeeded", "failed",
                                        "timeout",  "cancelled", "none",      "Running",
                                        "running ", "",          "done"};
    struct buf got = {0};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        enum job_event e = job_state_event(str_from(words[i]));
        buf_printf(&got, "'%s': %s\n", words[i],
                   e == JOB_EVENT_COUNT ? "nothing" : job_state_event_name(e));
    }
    CHECK_STR(buf_str(&got), STR("'queued': progress\n"
                                 "'running': progress\n"
                                 "'succeeded': succeeded\n"
                                 "'failed': failed\n"
                                 "'timeout': timeout\n"
                                 "'cancelled': cancelled\n"
                                 "'none': nothing\n"
                                 "'Running': nothing\n"
                                 "'running ': nothing\n"
                                 "'': nothing\n"
                                 "'done': nothing\n"));
    buf_done(&got);
}

TEST(names_are_those_of_the_wire)
{
    struct buf got = {0};
    for (enum job_state s = JOB_NONE; s < JOB_STATE_COUNT; s++)
        buf_printf(&got, "%s%s\n", job_state_name(s), job_state_is_terminal(s) ? " terminal" : "");
    CHECK_STR(buf_str(&got), STR("none\n"
                                 "queued\n"
                                 "running\n"
                                 "succeeded terminal\n"
                                 "failed terminal\n"
                                 "timeout terminal\n"
                                 "cancelled terminal\n"));
    buf_done(&got);
}
