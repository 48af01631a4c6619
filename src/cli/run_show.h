/* Prints the events of a run on standard output as they happen: lines with a status line below them
 * on a terminal, plain lines in a pipe, JSON events with --json. */
#pragma once

#include "agent/runner.h"
#include "base/loop.h"

enum run_show_mode {
    RUN_SHOW_PLAIN,
    RUN_SHOW_TERMINAL,
    RUN_SHOW_JSON
};

struct run_show {
    /* private */
    enum run_show_mode mode;
    bool colour;
    struct loop *loop;
    struct timer tick;
    uint64_t started;  /* by loop_now() */
    struct buf status; /* of the last event: state, loop */
    struct buf agent;  /* tool and model */
    uint64_t tokens;
    double cost;
    bool drawn; /* the status line is on the screen */
};

void run_show_init(struct run_show *s, struct loop *loop, bool json);
void run_show_event(struct run_show *s, const struct runner_event *e);
void run_show_done(struct run_show *s);

const char *run_show_event_name(enum runner_event_kind kind); /* "state", "ask", "try" ... */
