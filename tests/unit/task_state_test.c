#include "orchestrator/task_state.h"

#include "base/buf.h"
#include "test.h"

/* The printed table: every pair is visited, so an unintended transition shows up here. */
TEST(every_transition_is_as_in_the_picture)
{
    struct buf got = {0};
    for (enum task_state s = 0; s < TASK_STATE_COUNT; s++)
        for (enum task_event e = 0; e < TASK_EVENT_COUNT; e++) {
            enum task_state next = task_state_next(s, e);
            if (next != TASK_STATE_COUNT)
                buf_printf(&got, "%s %s: %s\n", task_state_name(s), task_state_event_name(e),
                           task_state_name(next));
        }
    CHECK_CSTR(buf_str(&got), "PENDING free: READY\n"
                              "PENDING cancel: CANCELLED\n"
                              "PENDING upstream: BLOCKED\n"
                              "READY claim: RUNNING\n"
                              "READY cancel: CANCELLED\n"
                              "RUNNING succeed: SUCCEEDED\n"
                              "RUNNING retry: RETRY_WAIT\n"
                              "RUNNING fail: FAILED\n"
                              "RUNNING give_up: BLOCKED\n"
                              "RUNNING back: READY\n"
                              "RUNNING cancel: CANCELLED\n"
                              "RETRY_WAIT due: READY\n"
                              "RETRY_WAIT cancel: CANCELLED\n"
                              "BLOCKED cancel: CANCELLED\n"
                              "BLOCKED release: PENDING\n"
                              "BLOCKED revive: READY\n"
                              "BLOCKED reopen: PENDING\n"
                              "FAILED revive: READY\n"
                              "FAILED reopen: PENDING\n"
                              "CANCELLED revive: READY\n"
                              "CANCELLED reopen: PENDING\n");
    buf_done(&got);
}

TEST(only_a_person_changes_a_final_state)
{
    for (enum task_state s = 0; s < TASK_STATE_COUNT; s++)
        for (enum task_event e = 0; e < TASK_EVENT_COUNT; e++)
            if (task_is_final(s) && task_state_next(s, e) != TASK_STATE_COUNT)
                assert_true(s != TASK_SUCCEEDED && (e == TASK_REVIVE || e == TASK_REOPEN));
}

TEST(a_state_is_found_by_its_name)
{
    enum task_state found = TASK_STATE_COUNT;
    for (enum task_state s = 0; s < TASK_STATE_COUNT; s++) {
        assert_true(task_state_find(str_from(task_state_name(s)), &found));
        assert_int_equal(found, s);
    }
    assert_false(task_state_find(STR("ready"), &found));
    assert_false(task_state_find(STR("READY "), &found));
    assert_false(task_state_find(STR(""), &found));
    assert_int_equal(found, TASK_STATE_COUNT - 1); /* unchanged */
}
