#include "process/warden.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/mem.h"
#include "process/mark.h"
#include "process/process.h"

#define DONE    "done\n"
#define LOOK_MS 50u

struct warden {
    struct process *proc;
    warden_gone_fn *on_gone;
    void *ctx;
};

/* ---- the one who holds it */

static void on_exit_(struct process *p, struct process_exit end, void *ctx)
{
    struct warden *w = ctx;
    warden_gone_fn *gone = w->on_gone;
    void *owner = w->ctx;
    (void)p, (void)end;
    free(w);
    gone(owner);
}

struct warden *warden_start(struct loop *loop, const char *self, warden_gone_fn *on_gone, void *ctx,
                            struct error *err)
{
    char mark[MARK_SIZE];
    struct arena a = {0};
    struct warden *w = mem_zalloc(sizeof *w);
    w->on_gone = on_gone;
    w->ctx = ctx;
    /* Without the marks of a run that we are a part of: who kills us by them must not kill it. */
    struct process_options o = {.argv = (const char *const[]){self, "agent-warden", NULL},
                                .env = mark_environment(&a, (const char *const *)environ, NULL),
                                .cwd = "/", /* it holds no folder */
                                .on_exit = on_exit_,
                                .ctx = w};
    w->proc = process_start(loop, &o, err);
    arena_done(&a);
    if (!w->proc) {
        free(w);
        return NULL;
    }
    mark_make(mark, MARK_RUN);
    process_write(w->proc, str_from(mark));
    process_write(w->proc, STR("\n"));
    setenv(MARK_RUN, mark + sizeof MARK_RUN, 1);
    return w;
}

void warden_dismiss(struct warden *w)
{
    process_write(w->proc, STR(DONE));
    process_close_input(w->proc);
}

/* ---- the child */

/* All of standard input, to its end; false if it is longer than what is ever written there. */
static bool read_all(char *to, size_t room)
{
    size_t n = 0;
    for (;;) {
        ssize_t got = read(STDIN_FILENO, to + n, room - 1 - n);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        n += (size_t)got;
    }
    to[n] = 0;
    return n < room - 1;
}

static void end_all(const char *mark)
{
    const struct timespec look = {.tv_nsec = LOOK_MS * 1000000L};
    mark_signal(mark, SIGTERM);
    for (unsigned ms = 0; ms < WARDEN_GRACE_MS && mark_signal(mark, 0); ms += LOOK_MS)
        nanosleep(&look, NULL);
    mark_kill(mark);
}

int warden_main(void)
{
    char text[256];
    /* Who ends the run by a signal to all may mean us, too: but we are to see the end. */
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    bool fits = read_all(text, sizeof text);
    struct str rest = str_from(text), mark;
    if (!fits || !str_cut(&rest, '\n', &mark))
        return 2;
    text[mark.n] = 0;
    if (!mark_is_valid(text))
        return 2;
    if (!str_eq(rest, STR(DONE)))
        end_all(text);
    return 0;
}
