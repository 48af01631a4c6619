/* Notifications between the processes of one machine: empty files beside a store, which the sender
 * touches and the listener watches.
 *
 *     store_notify_send("/var/lib/x/tasks.db", "work");     // touches tasks.db.work
 *
 *     struct store_notify_listener *w = store_notify_new(path, channels);
 *     store_notify_listen(w);
 *     int fd = store_notify_descriptor(w);                // readable when a channel changes
 *     unsigned bits = store_notify_take(w, &lost);           // bit 0: channels[0] ...
 *
 * When store_notify_listen() had to start watching, the next store_notify_take() returns all
 * channels, because earlier notifications may be lost. *lost is set if somebody removed a file.
 */
#pragma once

#include <stdbool.h>

void store_notify_send(const char *path, const char *channel); /* errors are ignored */

struct store_notify_listener;
/* Copy both arguments; the channels are constants, NULL ends them. */
struct store_notify_listener *store_notify_new(const char *path, const char *const *channels);
void store_notify_listen(struct store_notify_listener *w); /* does nothing if it is watching */
int store_notify_descriptor(
    const struct store_notify_listener *w); /* -1: the system cannot watch files */
unsigned store_notify_take(struct store_notify_listener *w, bool *lost); /* never waits */
void store_notify_free(struct store_notify_listener *w);                 /* w may be NULL */
