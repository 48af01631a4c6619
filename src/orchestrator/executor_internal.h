/* What the parts of the executor share: executor.c starts an attempt, follows it and says how it
 * ended; executor_log.c makes pieces of its output; executor_folder.c has its files. */
#pragma once

#include "orchestrator/executor.h"
#include "orchestrator/log_text.h"
#include "process/mark.h"
#include "process/process.h"
#include "task/run_id.h"

struct executor_stream {
    struct log_text text;
    struct buf line; /* what has come of a line */
};

struct executor_folder {
    struct buf path, task, result;
    int lock; /* held on the folder: whoever tidies up leaves it alone; -1: none */
};

struct executor {
    struct loop *loop;
    struct executor_options o; /* claim: our own copy */
    struct transaction_claim claim;
    struct arena arena;
    struct buf yaml;
    struct executor_folder folder;
    struct error failure; /* it could not even be started */
    bool is_wrong;        /* by a fault of the task's */
    char mark[MARK_SIZE], run_id[RUN_ID_SIZE];
    struct process *proc; /* the supervisor; NULL: not yet, or not any more */
    struct timer guard;   /* a supervisor that does not do what it is there for is killed */
    int64_t no_longer;    /* supervisor_clock(): when it should have ended by what it was told */
    unsigned stops;       /* how often it was asked to */
    enum attempt_end_kind why; /* the first one's */
    bool has_started;
    struct process_exit exit;

    struct executor_stream streams[2];
    struct buf piece;
    struct timer flush;
    uint64_t told, left_out; /* bytes */
    struct buf last;         /* line of standard error */

    bool has_result;
    struct run_result result;
};

/* executor_log.c */
void executor_log_add(struct executor *e, enum process_stream which, struct str bytes);
void executor_log_end(struct executor *e); /* the last pieces */

/* executor_folder.c: all of it blocks. */
/* Makes a folder of its own below HOME/attempts and writes the task there. */
bool executor_folder_make(struct executor *e, struct error *err);
/* The folder is let go: removed, or kept as one of the last EXECUTOR_KEEP. */
void executor_folder_leave(struct executor *e, bool keep);
