/* An environment variable that marks everything a child starts, so that all of it can be found and
 * killed later, wherever it has gone.
 *
 *     char mark[MARK_SIZE];
 *     mark_make(mark, MARK_ATTEMPT);            // "MULTIVERSE_ATTEMPT=9f86d081..."
 *     options.env = mark_environment(&arena, env, mark);
 *     ...
 *     mark_kill(mark);                          // every process that carries it
 *
 * A process group is not enough: agents open a session for each command they run, and when they are
 * killed in the middle of one, it goes on. Every descendant inherits the mark unless it clears its
 * environment. Only processes of this user can be found.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

struct arena;

#define MARK_ATTEMPT "MULTIVERSE_ATTEMPT" /* one call of an agent */
#define MARK_RUN     "MULTIVERSE_RUN"     /* one `multiverse run` */
#define MARK_TASK    "MULTIVERSE_TASK"    /* one attempt of an orchestrator at a task */
#define MARK_SIZE    (sizeof MARK_ATTEMPT + 33)

/* Make a mark "NAME=ID" with a random id. */
void mark_make(char to[MARK_SIZE], const char *name);
/* The same, but the first half of the id is derived from `subject`, for mark_kill_subject(). */
void mark_make_about(char to[MARK_SIZE], const char *name, struct str subject);
bool mark_is_valid(const char *text);

/* Return a copy of env in which `variable` ("NAME=value") replaces every variable of its name. If
 * it is NULL, the copy lacks the marks of attempts and runs. The list is in the arena; its texts
 * are not copied. */
const char **mark_environment(struct arena *a, const char *const *env, const char *variable);

/* Send a signal to each process with the mark, once; 0 only counts them. Return how many. */
size_t mark_signal(const char *mark, int signum);
/* Send SIGKILL until no process with the mark is left. Return how many there were. Blocks: about 10
 * microseconds for each process of the machine. */
size_t mark_kill(const char *mark);
/* The same, and wait until they are dead and have released their files and locks. False if the
 * kernel has not let one of them die within limit_ms. Blocks. */
bool mark_kill_wait(const char *mark, uint64_t limit_ms);
/* The same for every mark that was made about the same subject. */
bool mark_kill_subject(const char *mark, uint64_t limit_ms);
