#include "agent/run.h"

#include <assert.h>

#define NO RUN_STATE_COUNT

/* Columns: begin, planned, worked, marked, more, passed, fail. */
static const unsigned char transitions[RUN_STATE_COUNT][RUN_EVENT_COUNT] = {
    [RUN_PENDING] = {RUN_PLANNING, NO, NO, NO, NO, NO, RUN_FAILED},
    [RUN_PLANNING] = {NO, RUN_RUNNING, NO, NO, NO, NO, RUN_FAILED},
    [RUN_RUNNING] = {NO, NO, RUN_RUNNING, RUN_VALIDATING, NO, NO, RUN_FAILED},
    [RUN_VALIDATING] = {NO, NO, NO, NO, RUN_RUNNING, RUN_COMPLETE, RUN_FAILED},
    [RUN_COMPLETE] = {NO, NO, NO, NO, NO, NO, NO},
    [RUN_FAILED] = {NO, NO, NO, NO, NO, NO, NO},
};

static const char *const states[RUN_STATE_COUNT] = {
    [RUN_PENDING] = "PENDING",       [RUN_PLANNING] = "PLANNING", [RUN_RUNNING] = "RUNNING",
    [RUN_VALIDATING] = "VALIDATING", [RUN_COMPLETE] = "COMPLETE", [RUN_FAILED] = "FAILED",
};

static const char *const events[RUN_EVENT_COUNT] = {
    [RUN_BEGIN] = "begin",   [RUN_PLANNED] = "planned", [RUN_WORKED] = "worked",
    [RUN_MARKED] = "marked", [RUN_MORE] = "more",       [RUN_PASSED] = "passed",
    [RUN_FAIL] = "fail",
};

enum run_state run_step(enum run_state state, enum run_event event)
{
    assert(state < RUN_STATE_COUNT && event < RUN_EVENT_COUNT);
    return (enum run_state)transitions[state][event];
}

const char *run_state_name(enum run_state state)
{
    assert(state < RUN_STATE_COUNT);
    return states[state];
}

const char *run_event_name(enum run_event event)
{
    assert(event < RUN_EVENT_COUNT);
    return events[event];
}
