#include "agent/run.h"

#include "base/buf.h"
#include "test.h"

/* Print every pair of state and event, so that an unintended transition shows up. */
TEST(every_transition_is_in_the_picture)
{
    struct buf got = {0};
    for (enum run_state s = 0; s < RUN_STATE_COUNT; s++)
        for (enum run_event e = 0; e < RUN_EVENT_COUNT; e++) {
            enum run_state next = run_step(s, e);
            assert_true(next <= RUN_STATE_COUNT);
            if (next != RUN_STATE_COUNT)
                buf_printf(&got, "%s %s: %s\n", run_state_name(s), run_event_name(e),
                           run_state_name(next));
        }
    CHECK_CSTR(buf_str(&got), "PENDING begin: PLANNING\n"
                              "PENDING fail: FAILED\n"
                              "PLANNING planned: RUNNING\n"
                              "PLANNING fail: FAILED\n"
                              "RUNNING worked: RUNNING\n"
                              "RUNNING marked: VALIDATING\n"
                              "RUNNING fail: FAILED\n"
                              "VALIDATING more: RUNNING\n"
                              "VALIDATING passed: COMPLETE\n"
                              "VALIDATING fail: FAILED\n");
    buf_done(&got);
}

TEST(only_the_last_two_states_are_final)
{
    for (enum run_state s = 0; s < RUN_STATE_COUNT; s++)
        assert_int_equal(run_is_over(s), s == RUN_COMPLETE || s == RUN_FAILED);
}

TEST(a_final_state_accepts_no_event)
{
    for (enum run_event e = 0; e < RUN_EVENT_COUNT; e++) {
        assert_int_equal(run_step(RUN_COMPLETE, e), RUN_STATE_COUNT);
        assert_int_equal(run_step(RUN_FAILED, e), RUN_STATE_COUNT);
    }
}
