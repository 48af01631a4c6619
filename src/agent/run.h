/* The states of a run, as a table.
 *
 *     PENDING --begin--> PLANNING --planned--> RUNNING --marked--> VALIDATING --passed--> COMPLETE
 *                                              ^  |                |
 *                                       worked +--+ <---- more ----+
 *
 * and from each of the first four --fail--> FAILED. RUNNING asks for the next action and runs
 * workers; VALIDATING assesses and tests.
 *
 * run_step() is pure: the state after an event, or RUN_STATE_COUNT where the event makes no sense.
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
    RUN_BEGIN,   /* the task is read, the candidates are there */
    RUN_PLANNED, /* acceptance criteria are there */
    RUN_WORKED,  /* a worker run ended ok, or is to be looked at */
    RUN_MARKED,  /* next_action: mark_complete */
    RUN_MORE,    /* the assessment, or the test, says: not yet */
    RUN_PASSED,  /* assessed, and the test passed */
    RUN_FAIL,    /* no candidate, no answer, loops used up, stopped */
    RUN_EVENT_COUNT
};

enum run_state run_step(enum run_state state, enum run_event event);
const char *run_state_name(enum run_state state); /* "PLANNING" */
const char *run_event_name(enum run_event event);
static inline int run_is_over(enum run_state s)
{
    return s == RUN_COMPLETE || s == RUN_FAILED;
}
