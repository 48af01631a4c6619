/* How the bridge records requests and jobs for activity.h. */
#pragma once

#include "bridge/activity.h"
#include "bridge/job.h"
#include "bridge/request.h"

struct activities {
    struct list open, ended; /* entries, in the order of their last changes */
    size_t ended_count;
    struct activity_entry *spare; /* memory of a dropped entry, for the next one */
    uint64_t seq;                 /* of the last change */
    uint64_t dropped;             /* seq of the last dropped entry */
    int64_t clock;                /* unix ms, read once per iteration of the loop, */
    uint64_t clock_at;            /* which began at this loop time */
};

void activity_init(struct bridge *b);
void activity_done(struct bridge *b);

struct activity_entry *activity_begin(struct bridge *b, struct caller *caller,
                                      const struct tool *tool, const char *id);
void activity_request(const struct request *r); /* its state or wait reason changed */
void activity_set_job(struct activity_entry *e, const struct job *j); /* e NULL: do nothing */
/* *e NULL: do nothing. Sets *e to NULL. */
void activity_end_request(struct bridge *b, struct activity_entry **e, enum request_state state,
                          const struct failure *f);
void activity_issue(struct job *j); /* a new job of its request */
void activity_job(struct job *j);   /* its state or progress changed */
void activity_end_job(struct job *j, const struct failure *f);
