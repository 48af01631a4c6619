/* A store used from a loop: a thread runs transactions one after the other, and the loop is
 * notified of changes by others. Nothing here blocks the loop, whatever the store does.
 *
 *     struct store_thread *t = store_thread_open(loop, &(struct store_thread_options){
 *         .store = {.url = url, .schema = &tasks_schema}, .channels = {"work", "control"},
 *         .on_notify = on_change, .on_failure = on_outage, .ctx = me});
 *     store_thread_run(t, STORE_ROWS, work, done, ctx);  // done(ok, err, ctx) in the loop
 *     store_thread_close(t, closed, me);
 *
 * Jobs run one at a time, in the order they were given. work() runs on the thread and must touch
 * only its ctx, which belongs to the thread until done().
 *
 * While the store is unavailable (STORE_UNAVAILABLE), the first job is retried after
 * STORE_THREAD_FIRST_MS, doubled up to STORE_THREAD_MOST_MS, with jitter. on_failure() is called
 * once when an outage begins and once when it ends. A retried job may already be committed
 * (store.h). Any other failure ends the job: done(false, err).
 *
 * on_notify(channel) follows a store_notify() by anybody, this process included, some milliseconds
 * later; several may be joined. It is called for every channel after the open and after an outage,
 * because earlier notifications may be lost. Nothing is polled: a PostgreSQL socket or an inotify
 * watch wakes the loop. Only where the system cannot watch files, on_notify() is called every
 * STORE_THREAD_DEAF_MS.
 *
 * An open store thread keeps its loop running.
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
    /* err NULL: the outage is over. STORE_UNAVAILABLE: the outage begins, and the store is retried.
     * Any other kind can only come before the first job was done: this store cannot be used. */
    void (*on_failure)(const struct error *err, enum store_failure failure, void *ctx);
    void *ctx;
};

typedef void store_thread_done_fn(bool ok, const struct error *err, void *ctx);

/* Never fails, because the thread opens the store. Calls no callback before it returns. */
struct store_thread *store_thread_open(struct loop *loop,
                                       const struct store_thread_options *options);
void store_thread_run(struct store_thread *l, enum store_mode mode, store_fn *work,
                      store_thread_done_fn *done, void *ctx);
bool store_thread_is_unavailable(const struct store_thread *l); /* is there an outage now? */
enum store_failure store_thread_last_failure(
    const struct store_thread *l); /* why the last job failed; valid inside done() */

/* Run the given jobs and close the store. In an outage the jobs fail instead. After this call there
 * are no more notifications and failures, and no job may be given. closed() is the last callback
 * and may be NULL. The loop must run until then. */
void store_thread_close(struct store_thread *l, loop_fn *closed, void *ctx);
