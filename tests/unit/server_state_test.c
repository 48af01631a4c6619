#include "bridge/editor_state.h"
#include "bridge/server_state.h"

#include "base/buf.h"
#include "test.h"

TEST(every_pair_is_as_specified)
{
    struct buf got = {0};
    for (enum server_state s = SERVER_BOOTING; s < SERVER_STATE_COUNT; s++)
        for (enum server_event e = 0; e < SERVER_EVENT_COUNT; e++) {
            enum server_state next = server_state_step(s, e);
            if (next != SERVER_NONE)
                buf_printf(&got, "%s %s: %s\n", server_state_name(s), server_state_event_name(e),
                           server_state_name(next));
        }
    CHECK_STR(buf_str(&got), STR("booting started: waiting_editor\n"
                                 "booting stop: stopping\n"
                                 "waiting_editor editor: ready\n"
                                 "waiting_editor stop: stopping\n"
                                 "ready editor_lost: waiting_editor\n"
                                 "ready stop: stopping\n"
                                 "stopping end: stopped\n"));
    buf_done(&got);
}

TEST(names_are_those_of_the_wire)
{
    struct buf got = {0};
    for (enum server_state s = SERVER_NONE; s < SERVER_STATE_COUNT; s++)
        buf_printf(&got, "%s ", server_state_name(s));
    for (enum editor_state s = EDITOR_UNKNOWN; s < EDITOR_STATE_COUNT; s++)
        buf_printf(&got, "%s ", editor_state_name(s));
    CHECK_STR(buf_str(&got), STR("none booting waiting_editor ready stopping stopped "
                                 "unknown ready compiling reloading "));
    buf_done(&got);
}

TEST(an_editor_reports_one_of_three_states)
{
    static const char *const wrong[] = {"unknown", "", "READY", "ready ", "read", "playing"};
    enum editor_state s = EDITOR_STATE_COUNT;
    assert_true(editor_state_find(STR("ready"), &s) && s == EDITOR_READY);
    assert_true(editor_state_find(STR("compiling"), &s) && s == EDITOR_COMPILING);
    assert_true(editor_state_find(STR("reloading"), &s) && s == EDITOR_RELOADING);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(editor_state_find(str_from(wrong[i]), &s));
    assert_int_equal(s, EDITOR_RELOADING); /* untouched */
}
