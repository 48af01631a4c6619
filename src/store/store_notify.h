/* Word between the processes of one machine: files beside a store, touched by who has something to
 * say, watched by who listens.
 *
 *     store_notify_send("/var/lib/x/tasks.db", "work");     // tasks.db.work is touched
 *
 *     struct store_notify_listener *w = store_notify_new(path, channels);
 *     store_notify_listen(w);
 *     ... store_notify_descriptor(w) can be read ...
 *     unsigned bits = store_notify_take(w, &lost);                   // bit 0: channels[0] ...
 *
 * The files stay empty. All channels are told after store_notify_listen() had to begin, because
 * what was said before is not known. Whoever removes the files is the reason of *lost.
 */
#pragma once

#include <stdbool.h>

void store_notify_send(const char *path, const char *channel); /* what fails, fails in silence */

struct store_notify_listener;
/* Both are copied; the channels are constants, NULL ends them. */
struct store_notify_listener *store_notify_new(const char *path, const char *const *channels);
void store_notify_listen(struct store_notify_listener *w); /* does nothing if it does already */
int store_notify_descriptor(
    const struct store_notify_listener *w); /* -1: the system watches nothing for us */
unsigned store_notify_take(struct store_notify_listener *w, bool *lost); /* does not wait */
void store_notify_free(struct store_notify_listener *w);                 /* NULL is fine */
