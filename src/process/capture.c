#include "process/capture.h"

#include <signal.h>

#define GRACE_MS  500u
#define FOR_EVER  UINT64_MAX
#define NO_SIGNAL 0

static void on_output(struct process *p, enum process_stream which, struct str bytes, void *ctx)
{
    struct capture *c = ctx;
    struct buf *b = which == PROCESS_STDOUT ? &c->out : &c->err;
    size_t room = b->max - b->n;
    buf_add(b, str_head(bytes, room));
    b->overflow |= bytes.n > room;
    if (b->overflow && c->is_brief)
        process_kill(p, SIGKILL, 0);
}

static void on_exit_(struct process *p, struct process_exit end, void *ctx)
{
    (void)p;
    struct capture *c = ctx;
    c->end = end;
    timer_stop(&c->timer);
}

static void on_limit(void *ctx)
{
    struct capture *c = ctx;
    c->timed_out = true;
    process_kill(c->proc, SIGTERM, GRACE_MS);
}

bool capture_run(struct capture *c, struct error *err)
{
    struct process_options o = {.argv = c->argv,
                                .env = c->env,
                                .cwd = c->cwd,
                                .on_output = on_output,
                                .on_exit = on_exit_,
                                .ctx = c};
    struct loop *loop = loop_new();
    c->out.max = c->err.max = c->max ? c->max : CAPTURE_MAX;
    c->proc = process_start(loop, &o, err);
    if (c->proc) {
        /* A grace that never ends: what is left of the group when the program ends is killed. */
        process_kill(c->proc, NO_SIGNAL, FOR_EVER);
        process_write(c->proc, c->input);
        process_close_input(c->proc);
        if (c->limit_ms)
            timer_start(&c->timer, loop, c->limit_ms, on_limit, c);
    }
    loop_run(loop);
    loop_free(loop);
    return c->proc != NULL;
}

void capture_done(struct capture *c)
{
    buf_done(&c->out);
    buf_done(&c->err);
}
