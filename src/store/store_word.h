/* Word between the processes of one machine: files beside a store, touched by who has something to
 * say, watched by who listens.
 *
 *     store_word_tell("/var/lib/x/tasks.db", "work");     // tasks.db.work is touched
 *
 *     struct store_word *w = store_word_new(path, channels);
 *     store_word_listen(w);
 *     ... store_word_descriptor(w) can be read ...
 *     unsigned bits = store_word_hear(w, &lost);                   // bit 0: channels[0] ...
 *
 * The files stay empty. All channels are told after store_word_listen() had to begin, because what
 * was said before is not known. Whoever removes the files is the reason of *lost.
 */
#pragma once

#include <stdbool.h>

void store_word_tell(const char *path, const char *channel); /* what fails, fails in silence */

struct store_word;
/* Both are copied; the channels are constants, NULL ends them. */
struct store_word *store_word_new(const char *path, const char *const *channels);
void store_word_listen(struct store_word *w);          /* does nothing if it does already */
int store_word_descriptor(const struct store_word *w); /* -1: the system watches nothing for us */
unsigned store_word_hear(struct store_word *w, bool *lost); /* does not wait */
void store_word_free(struct store_word *w);                 /* NULL is fine */
