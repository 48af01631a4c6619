/* The states of a run, as a pure table.
 *
 *     PENDING --begin--> PLANNING --planned--> RUNNING --marked--> VALIDATING --passed--> COMPLETE
 *                                              ^  |                |
 *                                       worked +--+ <---- more ----+
 *
 * and from each of the first four --fail--> FAILED. RUNNING asks for the next action and runs
 * workers; VALIDATING assesses and tests.
 *
 * run_step() returns the state after an event, or RUN_STATE_COUNT if the event is not possible.
 */
#pragma once

enum run_state {
    RUN_PENDING,
    RUN_PLANNING,
    RUN_RUNNING,
    RUN_VALIDATING,
    RUN_COMPLETE,
    RUN_FAILED,
    RUN_STATE_COUNT
};

enum run_event {
    RUN_BEGIN,   /* the task was read */
    RUN_PLANNED, /* the acceptance criteria are known */
    RUN_WORKED,  /* a worker run ended, and next_action decides */
    RUN_MARKED,  /* next_action: mark_complete */
    RUN_MORE,    /* the assessment or the test failed */
    RUN_PASSED,  /* the assessment and the test passed */
    RUN_FAIL,    /* no candidate, no answer, loops used up, or stopped */
    RUN_EVENT_COUNT
};

enum run_state run_step(enum run_state state, enum run_event event);
const char *run_state_name(enum run_state state); /* "PLANNING" */
const char *run_event_name(enum run_event event);
static inline int run_is_over(enum run_state s)
{
    return s == RUN_COMPLETE || s == RUN_FAILED;
}
