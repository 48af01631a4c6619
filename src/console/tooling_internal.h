/* What the files of the tooling share: questions that are answered on a thread.
 *
 *     static void work(struct console_tooling_question *q)      // on a thread: files, the ledger
 *     {
 *         struct ledger *l = console_tooling_open_ledger(q);
 *         if (!l)
 *             return;                                   // q->err says why, q->status is 503
 *         ... write an object into q->out, or set q->err
 *     }
 *     struct console_tooling_question *q = console_tooling_new_question(me, api, work);
 *     q->key = key;                                     // a view into the exchange
 *     console_tooling_queue_question(q);
 *
 * A thread touches its question, constants and nothing else. Everything it uses it opens and closes
 * itself, so that two at once have nothing in common. At most CONSOLE_TOOLING_THREADS of them are
 * under way, because the pool is everybody's and a store that is gone takes its time; others wait
 * in the order they came. Of those whose clients left meanwhile only changes are done.
 *
 *   console_tooling.c         life, the order of questions, what is watched
 *   console_tooling_file.c    tooling.json: shown, checked, changed
 *   console_tooling_ledger.c  rests, simulate, decisions
 *   console_tooling_agents.c  which agents are here
 */
#pragma once

#include "base/sha256.h"
#include "base/watch_file.h"
#include "console/console_internal.h"
#include "store/store_thread.h"
#include "tooling/ledger.h"
#include "tooling/tooling_file.h"
#include "views/tooling.h"

#define CONSOLE_TOOLING_THREADS 2u
#define CONSOLE_TOOLING_DRAWS   1000000
#define CONSOLE_TOOLING_TOLD    500 /* decisions of one answer */
#define CONSOLE_TOOLING_OUT     (64u << 20)

struct console_tooling_question;
typedef void console_tooling_question_fn(struct console_tooling_question *q);

struct console_tooling_agents;

struct console_tooling_file_state {
    bool is_read;
    uint8_t sum[SHA256_LEN]; /* of its text, or of what is wrong with it */
};

struct console_tooling {
    struct console *console;
    char *path;       /* of tooling.json; NULL: there is no home */
    struct error why; /* there is none */
    struct console_tooling_question *first, **last;
    size_t under_way; /* questions and looks that are on threads */
    struct console_tooling_agents *agents;

    bool is_watching;
    struct watch_file *watch;
    struct store_thread *thread;
    struct timer idle;          /* nobody looks: the thread is closed when it is over */
    size_t threads;             /* open or closing */
    bool is_deaf;               /* the thread cannot use its store, and will not try again */
    bool is_looking;            /* at the file */
    bool looks_again;           /* something happened meanwhile */
    unsigned page_changes;      /* how often pages have changed the file */
    unsigned page_changes_seen; /* page_changes at the last look */
    bool has_seen;              /* what it was like when it was looked at last: */
    struct console_tooling_file_state seen;
    struct {
        int64_t file, cooldowns, agents;
    } count;
};

struct console_tooling_question {
    struct console_tooling *owner;
    struct api *api;
    console_tooling_question_fn *work; /* on a thread */
    console_tooling_question_fn *done; /* in the loop, before it is freed: answers it; never NULL */
    bool is_change;                    /* it is done though nobody waits for the answer any more */
    /* what was asked */
    struct str text, seen, id, key, run, category, profile;
    struct tooling_file_force force;
    int64_t number, seed; /* seed -1: any */
    void *more;           /* what the work made for done() */
    /* the answer */
    struct buf out; /* an object; of a conflict the text that is there */
    struct error err;
    int status; /* of err; 0: as its code says */
    bool is_conflict, exists;
    bool has_ledger; /* it could be used */
    struct console_tooling_question *next;
};

struct console_tooling_question *console_tooling_new_question(struct console_tooling *t,
                                                              struct api *a,
                                                              console_tooling_question_fn *work);
void console_tooling_queue_question(struct console_tooling_question *q);
void console_tooling_send_answer(struct console_tooling_question *q); /* the usual done() */

/* On a thread: the ledger, or NULL and what to answer. */
struct ledger *console_tooling_open_ledger(struct console_tooling_question *q);
bool console_tooling_check_path(struct console_tooling_question *q); /* the same of the path */
/* A failure of the ledger while it was used: 503, whatever it is. */
void console_tooling_fail_ledger(struct console_tooling_question *q);

/* What a text means, as tooling.json. */
struct console_tooling_text {
    struct tooling *tooling; /* NULL: it is wrong */
    struct error fault;      /* code ERR_NONE: nothing is; else with its place */
};
void console_tooling_file_read_text(const struct console_tooling *t, struct str text,
                                    struct console_tooling_text *out);

/* Something changed that pages know: they are told. */
void console_tooling_notify(struct console_tooling *t, int64_t *counter);

/* ---- the parts */

void console_tooling_file_routes(struct console_tooling *t);
void console_tooling_ledger_routes(struct console_tooling *t);

struct console_tooling_agents *console_tooling_agents_start(struct console_tooling *t);
void console_tooling_agents_stop(struct console_tooling_agents *g);
bool console_tooling_agents_is_quiet(const struct console_tooling_agents *g);
void console_tooling_agents_free(struct console_tooling_agents *g);
