/* The server of `multiverse serve`: the bridge with its transports, the headless editor and the
 * console page, from the first connection to the last answer.
 *
 *     struct serve *s = serve_new(&options);
 *     if (serve_listen(s, &err))                // logs that it listens
 *         serve_run(s);                         // until a signal, or the end of standard input
 *     if (!serve_close(s))
 *         _exit(code);
 *
 * Shutdown takes at most SERVE_STOP_MS: answers that are ready are written, a test run of the
 * headless editor is ended, children of the console are ended.
 */
#pragma once

#include "app/config.h"

#define SERVE_STOP_MS 1500u /* with what comes after it, the process ends within two seconds */

struct serve;

struct serve_options { /* borrowed until serve_close() */
    const struct config *config;
    struct str token;    /* empty: clients need none */
    const char *project; /* an absolute path */
    const char *store;   /* of tasks and ledger; NULL: the user's own */
    const char *self;    /* path of this program, for children */
    unsigned goal_silence_s;
    bool is_unity;    /* the project is a Unity project: refuse editors of other projects */
    bool headless;    /* open it with the headless editor */
    bool has_console; /* serve the page and /api */
    bool stdio;       /* serve a client on standard input and output, too */
    bool until_eof;   /* stop when standard input ends */
};

struct serve *serve_new(const struct serve_options *options);
bool serve_listen(struct serve *s, struct error *err); /* ERR_IN_USE: the port is taken */
unsigned serve_port(const struct serve *s);            /* after serve_listen() */
void serve_run(struct serve *s);
/* Stop and free everything. False: a thread still hangs in a store that does not answer, so the
 * caller must end the process with _exit(). */
bool serve_close(struct serve *s);
