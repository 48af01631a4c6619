/* Everything a child has started, wherever it has gone: found by a mark in the environment.
 *
 *     char mark[OFFSPRING_MARK];
 *     offspring_mark(mark);                     // a variable for the child: "NAME=id"
 *     ...
 *     offspring_kill(mark);                     // whoever still has it
 *
 * A process group does not hold what opened a session of its own, as agents do for the commands
 * they run: killed in the middle of one, they leave it behind. The mark is inherited by all of
 * them. Linux only (/proc); elsewhere nothing is found. Only processes of this user can be seen.
 */
#pragma once

#include <stddef.h>

#define OFFSPRING_NAME "MULTIVERSE_ATTEMPT"
#define OFFSPRING_MARK (sizeof OFFSPRING_NAME + 33)

void offspring_mark(char to[OFFSPRING_MARK]);
/* SIGKILL to each, and again until there is none; answers how many there were. Blocking: some
 * 10 microseconds for each process of the machine. */
size_t offspring_kill(const char *mark);
