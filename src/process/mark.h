/* Everything a child has started, wherever it has gone: found by a mark in the environment.
 *
 *     char mark[MARK_SIZE];
 *     mark_make(mark, MARK_ATTEMPT);  // a variable for the child: "NAME=id"
 *     env = mark_environment(&arena, env, mark);
 *     ...
 *     mark_kill(mark);                     // whoever still has it
 *
 * A process group does not hold what opened a session of its own, as agents do for the commands
 * they run: killed in the middle of one, they leave it behind. The mark is inherited by all of
 * them. Linux only (/proc); elsewhere nothing is found. Only processes of this user can be seen.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

struct arena;

#define MARK_ATTEMPT "MULTIVERSE_ATTEMPT" /* of one call of an agent */
#define MARK_RUN     "MULTIVERSE_RUN"     /* of a whole run (warden.h) */
#define MARK_TASK    "MULTIVERSE_TASK"    /* of an attempt at a task (process/supervisor.h) */
#define MARK_SIZE    (sizeof MARK_ATTEMPT + 33)

void mark_make(char to[MARK_SIZE], const char *name);
/* One that is kin to all others about the same: the first half of its id is the same. */
void mark_make_about(char to[MARK_SIZE], const char *name, struct str about);
bool mark_is_valid(const char *text);
/* The environment with this mark in the place of one of its name; NULL: without those of attempts
 * and runs. The list is in the arena, its texts are those of env and the mark. */
const char **mark_environment(struct arena *a, const char *const *env, const char *mark);
/* To each that has the mark, once; answers how many there were. */
size_t mark_signal(const char *mark, int signum);
/* SIGKILL to each, and again until there is none; answers how many there were. Blocking: some
 * 10 microseconds for each process of the machine. */
size_t mark_kill(const char *mark);
/* The same, and it waits until they are dead and what they held is free. False: one is still there
 * after limit_ms, because the kernel does not let it die. Blocking. */
bool mark_kill_wait(const char *mark, uint64_t limit_ms);
/* The same for each whose mark is kin to this one, and for this one itself. */
bool mark_kill_about(const char *mark, uint64_t limit_ms);
