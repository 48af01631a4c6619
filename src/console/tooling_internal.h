/* Shared by the files of the tooling: questions that are answered on a thread.
 *
 *     static void work(struct console_tooling_question *q)      // on a thread: files, the ledger
 *     {
 *         struct ledger *l = console_tooling_open_ledger(q);
 *         if (!l)
 *             return;                                   // q->err and q->status are set
 *         ... write an object into q->out, or set q->err
 *     }
 *     struct console_tooling_question *q = console_tooling_new_question(me, api, work);
 *     q->key = key;                                     // a view into the exchange
 *     console_tooling_queue_question(q);
 *
 * A thread uses only its question and constants. It opens and closes files and stores itself, so
 * that two threads share nothing. At most CONSOLE_TOOLING_THREADS run at once, because the pool is
 * shared and a store that is down takes long to fail; other questions wait in order. If the client
 * has left meanwhile, only a change is still carried out.
 *
 *   tooling.c         life, the queue of questions, what is watched
 *   tooling_file.c    tooling.json: show, check, change
 *   tooling_ledger.c  cooldowns, simulations, decisions
 *   tooling_agents.c  installed agents
 */
#pragma once

#include "base/sha256.h"
#include "base/watch_file.h"
#include "console/console_internal.h"
#include "store/store_thread.h"
#include "tooling/ledger.h"
#include "tooling/tooling_file.h"
#include "views/tooling.h"

#define CONSOLE_TOOLING_THREADS   2u
#define CONSOLE_TOOLING_DRAWS     1000000
#define CONSOLE_TOOLING_DECISIONS 500 /* of one answer */
#define CONSOLE_TOOLING_OUT       (64u << 20)

struct console_tooling_question;
typedef void console_tooling_question_fn(struct console_tooling_question *q);

struct console_tooling_agents;

struct console_tooling_file_state {
    bool is_read;
    uint8_t sum[SHA256_LEN]; /* of its text, or of the error */
};

struct console_tooling {
    struct console *console;
    char *path;              /* of tooling.json; NULL: there is no home folder */
    struct error path_error; /* why path is NULL */
    struct console_tooling_question *first, **last;
    size_t under_way; /* questions and reads that run on threads */
    struct console_tooling_agents *agents;

    bool is_watching;
    struct watch_file *watch;
    struct store_thread *thread;
    struct timer idle;          /* no page is open: closes the thread */
    size_t threads;             /* open or closing */
    bool is_deaf;               /* the thread cannot use its store, and will not try again */
    bool is_reading;            /* the file is being read */
    bool reads_again;           /* the file has changed meanwhile */
    unsigned page_changes;      /* changes of the file by pages */
    unsigned page_changes_seen; /* page_changes at the last read */
    bool has_seen;              /* `seen` is set */
    struct console_tooling_file_state seen; /* at the last read */
    struct {
        int64_t file, cooldowns, agents;
    } count;
};

struct console_tooling_question {
    struct console_tooling *owner;
    struct api *api;
    console_tooling_question_fn *work; /* on a thread */
    console_tooling_question_fn *done; /* in the loop: sends the answer; never NULL */
    bool is_change;                    /* carry it out even if the client has left */
    /* the request */
    struct str text, seen, id, key, run, category, profile;
    struct tooling_file_force force;
    int64_t number, seed; /* seed -1: any */
    void *more;           /* a result of work() for done() */
    /* the answer */
    struct buf out; /* an object; after a conflict the text of the file */
    struct error err;
    int status; /* of err; 0: by its code */
    bool is_conflict, exists;
    bool has_ledger; /* the ledger could be opened */
    struct console_tooling_question *next;
};

struct console_tooling_question *console_tooling_new_question(struct console_tooling *t,
                                                              struct api *a,
                                                              console_tooling_question_fn *work);
void console_tooling_queue_question(struct console_tooling_question *q);
void console_tooling_send_answer(struct console_tooling_question *q); /* the usual done() */

/* On a thread: return the ledger, or set the error and return NULL. */
struct ledger *console_tooling_open_ledger(struct console_tooling_question *q);
bool console_tooling_check_path(struct console_tooling_question *q); /* false: sets the error */
/* The ledger failed while it was used: the answer is 503. */
void console_tooling_fail_ledger(struct console_tooling_question *q);

/* The meaning of a text as tooling.json. */
struct console_tooling_text {
    struct tooling *tooling; /* NULL: the text is invalid */
    struct error fault;      /* with its place; code ERR_NONE: none */
};
void console_tooling_file_read_text(const struct console_tooling *t, struct str text,
                                    struct console_tooling_text *out);

/* Increase a counter of the feed, and notify the feed. */
void console_tooling_notify(struct console_tooling *t, int64_t *counter);

/* ---- the parts */

void console_tooling_file_routes(struct console_tooling *t);
void console_tooling_ledger_routes(struct console_tooling *t);

struct console_tooling_agents *console_tooling_agents_start(struct console_tooling *t);
void console_tooling_agents_stop(struct console_tooling_agents *g);
bool console_tooling_agents_is_quiet(const struct console_tooling_agents *g);
void console_tooling_agents_free(struct console_tooling_agents *g);
