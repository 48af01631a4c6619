/* An orchestrator as a person or a program sees it, on standard output: lines of what happens with
 * a status below them on a terminal, else JSON, one event a line (docs/orchestrator.md).
 *
 *     struct orchestrate_show s;
 *     orchestrate_show_init(&s, loop, &(struct orchestrate_show_options){.json = true});
 *     orchestrate_show_event(&s, e);            // of scheduler.h
 *     orchestrate_show_counts(&s, counts);      // for the status; on a terminal only
 *     orchestrate_show_done(&s);
 *
 * The status is drawn below each line, and else when something in it has changed, a few times a
 * second at most: an orchestrator that has nothing to do draws nothing.
 */
#pragma once

#include "base/loop.h"
#include "base/map.h"
#include "orchestrator/scheduler.h"

struct orchestrate_show_options {
    bool json, logs;
};

struct orchestrate_show {
    bool is_terminal; /* lines and a status; else JSON */
    /* private */
    bool logs, colour, drawn, paused, draining;
    struct loop *loop;
    struct timer tick;
    struct map running; /* name -> the name */
    struct map parts;   /* name -> struct buf: a line that has not ended */
    struct tasks_counts counts;
    bool has_counts;
    struct buf failure; /* of the store; empty: none */
    struct buf last;    /* the status as it stands on the screen */
};

void orchestrate_show_init(struct orchestrate_show *s, struct loop *loop,
                           const struct orchestrate_show_options *options);
void orchestrate_show_event(struct orchestrate_show *s, const struct scheduler_event *e);
void orchestrate_show_counts(struct orchestrate_show *s, const struct tasks_counts *c);
void orchestrate_show_warn(struct orchestrate_show *s, const char *text);
void orchestrate_show_end(struct orchestrate_show *s, enum scheduler_end how, int code);
void orchestrate_show_done(struct orchestrate_show *s);

const char *orchestrate_show_event_name(enum scheduler_event_kind kind); /* "claimed" ... */
