/* A store used from a loop: transactions one after the other on a thread, and word of what others
 * did. Nothing here blocks the loop, whatever the store does.
 *
 *     struct store_thread *l = store_thread_open(loop, &(struct store_thread_options){
 *         .store = {.url = url, .schema = &tasks_schema}, .channels = {"work", "control"},
 *         .on_notify = look, .on_failure = tell, .ctx = me});
 *     store_thread_run(l, STORE_ROWS, work, done, ctx);       // done(ok, err, ctx) in the loop
 *     store_thread_close(l, closed, me);
 *
 * Jobs are run in the order they were given, one at a time; work() runs on the thread's thread and
 * must touch nothing but its ctx, which is the thread's until done().
 *
 * While the store is gone (STORE_UNAVAILABLE) the job at the head is tried again, after
 * STORE_THREAD_FIRST_MS, doubled up to STORE_THREAD_MOST_MS, with jitter; on_failure() says so once
 * for each outage, and once more when it is over. A job may have been committed although it is run
 * again (store.h). Every other failure is the job's: done(false, err).
 *
 * Word: on_notify(channel) follows a store_notify() of whoever, in this process too, some
 * milliseconds later; several may become one. After the thread was opened, and after an outage, it
 * comes for every channel, because what was said meanwhile is not known. Nothing is polled: a
 * PostgreSQL socket or an inotify watch wakes the loop; only where the system watches nothing for
 * us, it comes for every channel every STORE_THREAD_DEAF_MS. A connection that is lost while
 * nothing is to be done is made anew.
 *
 * A thread that is open keeps its loop running.
 */
#pragma once

#include "base/loop.h"
#include "store/store.h"

#define STORE_THREAD_FIRST_MS     100u
#define STORE_THREAD_MOST_MS      2000u
#define STORE_THREAD_DEAF_MS      2000u
#define STORE_THREAD_MAX_CHANNELS STORE_MAX_CHANNELS

struct store_thread;

struct store_thread_options {
    struct store_options store;                      /* copied, the url too */
    const char *channels[STORE_THREAD_MAX_CHANNELS]; /* constants; NULL ends them */
    void (*on_notify)(const char *channel, void *ctx);
    /* err NULL: it is back. `failure` STORE_UNAVAILABLE: it is being tried again. Any other kind,
     * which can only come before the first job was done: nothing can be done with this store. */
    void (*on_failure)(const struct error *err, enum store_failure failure, void *ctx);
    void *ctx;
};

typedef void store_thread_done_fn(bool ok, const struct error *err, void *ctx);

/* Never fails: the store is opened on the thread. Nothing calls back inside it. */
struct store_thread *store_thread_open(struct loop *loop,
                                       const struct store_thread_options *options);
void store_thread_run(struct store_thread *l, enum store_mode mode, store_fn *work,
                      store_thread_done_fn *done, void *ctx);
bool store_thread_is_unavailable(const struct store_thread *l); /* in an outage now */
enum store_failure store_thread_last_failure(
    const struct store_thread *l); /* why the last job failed: inside done() */

/* Jobs that were given are done first, unless the store is gone: then, and those behind, fail with
 * what is wrong. No word and no failure is told any more, and no job can be given. closed() comes
 * last; may be NULL. The loop must run until then. */
void store_thread_close(struct store_thread *l, loop_fn *closed, void *ctx);
