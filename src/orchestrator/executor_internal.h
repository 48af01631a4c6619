/* What the sources of the executor share: executor.c starts an attempt and reports its end,
 * executor_log.c cuts its output into pieces, executor_folder.c has its files. */
#pragma once

#include "orchestrator/executor.h"
#include "orchestrator/log_text.h"
#include "process/mark.h"
#include "process/process.h"
#include "task/run_id.h"

struct executor_stream {
    struct log_text text;
    struct buf line; /* the unfinished line */
};

struct executor_folder {
    struct buf path, task, result;
    int lock; /* on the folder, so that nobody removes it; -1: none */
};

struct executor {
    struct loop *loop;
    struct executor_options o; /* claim: our own copy */
    struct transaction_claim claim;
    struct arena arena;
    struct buf yaml;
    struct executor_folder folder;
    struct error failure; /* why it could not be started */
    bool is_wrong;        /* because the task is wrong */
    char mark[MARK_SIZE], run_id[RUN_ID_SIZE];
    struct process *proc;      /* the supervisor; NULL: not yet, or not any more */
    struct timer guard;        /* kills a supervisor that does not react in time */
    int64_t no_longer;         /* supervisor_clock(): latest end after a stop */
    unsigned stops;            /* number of stop requests */
    enum attempt_end_kind why; /* of the first request */
    bool has_started;
    struct process_exit exit;

    struct executor_stream streams[2];
    struct buf piece;
    struct timer flush;
    uint64_t told, left_out; /* bytes */
    struct buf last;         /* last line of standard error */

    bool has_result;
    struct run_result result;
};

/* executor_log.c */
void executor_log_add(struct executor *e, enum process_stream which, struct str bytes);
void executor_log_end(struct executor *e); /* emit the last pieces */

/* executor_folder.c: these block. */
/* Make the attempt's own folder below HOME/attempts, and write the task there. */
bool executor_folder_make(struct executor *e, struct error *err);
/* Remove the folder, or keep it as one of the last EXECUTOR_KEEP. */
void executor_folder_leave(struct executor *e, bool keep);
