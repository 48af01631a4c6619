#include "bridge/request_state.h"

#include "base/buf.h"
#include "test.h"

/* The machine, printed: every pair is visited, so a move that nobody asked for shows up here. */
TEST(every_pair_is_as_specified)
{
    static const char *const effect[] = {"", " wait", " send", " answer", " forward_cancel"};
    struct buf got = {0};
    for (enum request_state s = REQUEST_RECEIVED; s < REQUEST_STATE_COUNT; s++)
        for (enum request_event e = 0; e < REQUEST_EVENT_COUNT; e++) {
            struct request_move m = request_state_step(s, e);
            if (m.next != REQUEST_NONE)
                buf_printf(&got, "%s %s: %s%s\n", request_state_name(s),
                           request_state_event_name(e), request_state_name(m.next),
                           effect[m.effect]);
        }
    CHECK_STR(buf_str(&got), STR("received refused: failed answer\n"
                                 "received admitted: queued\n"
                                 "received editor_busy: waiting_editor_ready wait\n"
                                 "waiting_editor_ready refused: failed answer\n"
                                 "waiting_editor_ready editor_ready: queued\n"
                                 "waiting_editor_ready wait_over: failed answer\n"
                                 "waiting_editor_ready cancel: cancelled answer\n"
                                 "waiting_editor_ready shutdown: failed answer\n"
                                 "queued refused: failed answer\n"
                                 "queued editor_busy: waiting_editor_ready wait\n"
                                 "queued slot_free: running send\n"
                                 "queued cancel: cancelled answer\n"
                                 "queued shutdown: failed answer\n"
                                 "running result: succeeded answer\n"
                                 "running error: failed answer\n"
                                 "running bad_response: failed answer\n"
                                 "running unknown: failed answer\n"
                                 "running cancelled: cancelled answer\n"
                                 "running deadline: timeout answer\n"
                                 "running link_lost: running\n"
                                 "running gone: failed answer\n"
                                 "running cancel: running forward_cancel\n"
                                 "running shutdown: failed answer\n"));
    buf_done(&got);
}

TEST(a_move_that_does_not_exist_has_no_effect)
{
    for (enum request_state s = REQUEST_RECEIVED; s < REQUEST_STATE_COUNT; s++)
        for (enum request_event e = 0; e < REQUEST_EVENT_COUNT; e++)
            if (request_state_step(s, e).next == REQUEST_NONE)
                assert_int_equal(request_state_step(s, e).effect, REQUEST_DO_NOTHING);
}

/* That is why a call is answered exactly once. */
TEST(a_move_answers_if_and_only_if_it_ends)
{
    for (enum request_state s = REQUEST_RECEIVED; s < REQUEST_STATE_COUNT; s++)
        for (enum request_event e = 0; e < REQUEST_EVENT_COUNT; e++) {
            struct request_move m = request_state_step(s, e);
            assert_int_equal(m.effect == REQUEST_DO_ANSWER, request_state_is_terminal(m.next));
            if (request_state_is_terminal(s))
                assert_int_equal(m.next, REQUEST_NONE);
        }
}

TEST(names_are_those_of_the_wire)
{
    struct buf got = {0};
    for (enum request_state s = REQUEST_NONE; s < REQUEST_STATE_COUNT; s++)
        buf_printf(&got, "%s%s\n", request_state_name(s),
                   request_state_is_terminal(s) ? " terminal" : "");
    CHECK_STR(buf_str(&got), STR("none\n"
                                 "received\n"
                                 "waiting_editor_ready\n"
                                 "queued\n"
                                 "running\n"
                                 "succeeded terminal\n"
                                 "failed terminal\n"
                                 "timeout terminal\n"
                                 "cancelled terminal\n"));
    buf_done(&got);
}
