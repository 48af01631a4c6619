/* Prints the events of an orchestrator on standard output: lines with a status line below them on a
 * terminal, else JSON, one event per line (docs/orchestrator.md).
 *
 *     struct orchestrate_show s;
 *     orchestrate_show_init(&s, loop, &(struct orchestrate_show_options){.json = true});
 *     orchestrate_show_event(&s, e);            // of scheduler.h
 *     orchestrate_show_counts(&s, counts);      // for the status; on a terminal only
 *     orchestrate_show_done(&s);
 *
 * The status is drawn after each line and when it has changed, at most a few times a second. An
 * idle orchestrator draws nothing.
 */
#pragma once

#include "base/loop.h"
#include "base/map.h"
#include "orchestrator/scheduler.h"

struct orchestrate_show_options {
    bool json, logs;
};

struct orchestrate_show {
    bool is_terminal; /* print lines and a status, else JSON */
    /* private */
    bool logs, colour, drawn, paused, draining;
    struct loop *loop;
    struct timer tick;
    struct map running; /* name -> the name */
    struct map parts;   /* name -> struct buf: an incomplete line of its log */
    struct tasks_counts counts;
    bool has_counts;
    struct buf failure; /* of the store; empty: none */
    struct buf last;    /* the status on the screen */
};

void orchestrate_show_init(struct orchestrate_show *s, struct loop *loop,
                           const struct orchestrate_show_options *options);
void orchestrate_show_event(struct orchestrate_show *s, const struct scheduler_event *e);
void orchestrate_show_counts(struct orchestrate_show *s, const struct tasks_counts *c);
void orchestrate_show_warn(struct orchestrate_show *s, const char *text);
void orchestrate_show_end(struct orchestrate_show *s, enum scheduler_end how, int code);
void orchestrate_show_done(struct orchestrate_show *s);

const char *orchestrate_show_event_name(enum scheduler_event_kind kind); /* "claimed" ... */
