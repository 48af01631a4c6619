#include "process/capture.h"

#include <signal.h>

#define GRACE_MS 500u

static void on_output(struct process *p, enum process_stream which, struct str bytes, void *ctx)
{
    struct capture *c = ctx;
    struct buf *b = which == PROCESS_STDOUT ? &c->out : &c->err;
    size_t room = b->max - b->n;
    buf_add(b, str_head(bytes, room));
    b->overflow |= bytes.n > room;
    if (b->overflow && c->kill_on_overflow)
        process_kill(p, SIGKILL, 0);
}

static void on_process_end(struct process *p, struct process_exit end, void *ctx)
{
    (void)p;
    struct capture *c = ctx;
    c->end = end;
    timer_stop(&c->timer);
}

static void on_time_limit(void *ctx)
{
    struct capture *c = ctx;
    c->timed_out = true;
    process_kill(c->process, SIGTERM, GRACE_MS);
}

bool capture_run(struct capture *c, struct error *err)
{
    struct process_options o = {.argv = c->argv,
                                .env = c->env,
                                .cwd = c->cwd,
                                .owns_group = true,
                                .on_output = on_output,
                                .on_exit = on_process_end,
                                .ctx = c};
    struct loop *loop = loop_new();
    c->out.max = c->err.max = c->max ? c->max : CAPTURE_MAX;
    c->process = process_start(loop, &o, err);
    if (c->process) {
        process_write(c->process, c->input);
        process_close_input(c->process);
        if (c->limit_ms)
            timer_start(&c->timer, loop, c->limit_ms, on_time_limit, c);
    }
    loop_run(loop);
    loop_free(loop);
    return c->process != NULL;
}

void capture_done(struct capture *c)
{
    buf_done(&c->out);
    buf_done(&c->err);
}
