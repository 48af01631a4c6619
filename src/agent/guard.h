/* Ends what a child has started if this process cannot: it was killed, or crashed.
 *
 *     struct guard g = {0};
 *     guard_start(&g, &(struct guard_options){.self = self, .mark = mark});
 *     ...                                       // start the child, with the mark (offspring.h)
 *     guard_end(&g);                            // the child is gone: so is the guard
 *
 * A process of its own, `SELF agent-guard MARK [COMMAND...]`, in a session of its own. It waits for
 * the end of its standard input, which comes when this process does; then it kills all that have
 * the mark and becomes the command, if there is one. Without it (no SELF, no processes left) all
 * else works as ever.
 */
#pragma once

struct guard { /* {0}: there is none */
    /* private */
    int pid, input;
};

struct guard_options {
    const char *self; /* path of this program; NULL: no guard */
    const char *mark;
    const char *const *env;     /* of the guard; NULL: this process's own */
    const char *const *command; /* run after the killing; NULL: none */
};

void guard_start(struct guard *g, const struct guard_options *options);
void guard_end(struct guard *g); /* more than once is fine */

/* The guard itself: argv is MARK [COMMAND...]. The exit code: 0, 2 for a wrong mark. */
int guard_main(int argc, char **argv);
