#include "agent/verify.h"

#include <assert.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "process/mark.h"
#include "process/process.h"

struct verify {
    struct loop *loop;
    struct verify_options o;
    char *command;
    struct process *process; /* NULL: not started, or ended */
    char mark[MARK_SIZE];
    struct timer limit;
    uint64_t started;
    bool timed_out, stopped, was_cut;
    struct error start_error;
    struct process_exit exit;
    struct buf unmasked[3]; /* by process_stream: may end within a secret */
    struct buf kept;
};

/* ---- output */

static void cut_output(struct verify *v, size_t most)
{
    if (v->kept.n <= most)
        return;
    buf_drop(&v->kept, v->kept.n - most);
    v->was_cut = true;
}

static void on_output(struct process *p, enum process_stream which, struct str bytes, void *ctx)
{
    struct verify *v = ctx;
    struct buf *unmasked = &v->unmasked[which];
    (void)p;
    if (!v->o.secrets) {
        buf_add(&v->kept, bytes);
    } else {
        buf_add(unmasked, bytes);
        buf_drop(unmasked, secrets_mask_part(v->o.secrets, buf_str(unmasked), &v->kept));
    }
    if (v->kept.n > 4 * VERIFY_KEEP)
        cut_output(v, VERIFY_KEEP);
}

/* Add the kept output as text; if it was cut, from the start of a line. */
static void write_output(struct verify *v, struct buf *out)
{
    for (int i = 1; i < 3; i++)
        if (v->o.secrets)
            secrets_mask(v->o.secrets, buf_str(&v->unmasked[i]), &v->kept);
    cut_output(v, VERIFY_KEEP);
    struct str all = buf_str(&v->kept);
    size_t line = v->was_cut ? str_find_char(all, '\n') : 0;
    if (v->was_cut && line < all.n)
        all = str_skip(all, line + 1);
    utf8_add_lossy(out, all);
}

/* ---- the end */

static void end_verify(struct verify *v)
{
    struct buf output = {0}, summary = {0};
    struct verify_end end = {.timed_out = v->timed_out, .stopped = v->stopped};
    double seconds = (double)(loop_now(v->loop) - v->started) / 1000;
    timer_stop(&v->limit);
    write_output(v, &output);
    end.code = v->start_error.code ? 127 : v->exit.signal ? 128 + v->exit.signal : v->exit.code;
    end.passed = end.code == 0 && !v->timed_out && !v->stopped;
    if (v->start_error.code)
        buf_add(&summary, str_from(v->start_error.text));
    else if (v->stopped)
        buf_printf(&summary, "stopped after %.1f s", seconds);
    else if (v->timed_out)
        buf_printf(&summary, "no end after %.1f s: killed", seconds);
    else if (v->exit.signal)
        buf_printf(&summary, "signal %d after %.1f s", v->exit.signal, seconds);
    else
        buf_printf(&summary, "exit %lld after %.1f s", (long long)v->exit.code, seconds);
    end.summary = buf_str(&summary);
    end.output = buf_str(&output);
    v->o.on_end(&end, v->o.ctx);
    buf_done(&output);
    buf_done(&summary);
    buf_done(&v->kept);
    buf_done(&v->unmasked[1]);
    buf_done(&v->unmasked[2]);
    free(v->command);
    free(v);
}

static void end_unstarted(void *ctx)
{
    end_verify(ctx);
}

static void on_shell_exit(struct process *p, struct process_exit exit, void *ctx)
{
    struct verify *v = ctx;
    (void)p;
    v->exit = exit;
    v->process = NULL;
    mark_kill(v->mark);
    end_verify(v);
}

static void on_time_limit(void *ctx)
{
    struct verify *v = ctx;
    v->timed_out = true;
    process_kill(v->process, SIGTERM, VERIFY_GRACE_MS);
}

void verify_stop(struct verify *v)
{
    bool is_first = !v->stopped;
    v->stopped = true;
    if (v->process) /* a second call: without a grace */
        process_kill(v->process, is_first ? SIGTERM : SIGKILL, VERIFY_GRACE_MS);
}

struct verify *verify_start(struct loop *loop, const struct verify_options *options)
{
    assert(options->on_end && options->cwd);
    struct verify *v = mem_zalloc(sizeof *v);
    v->loop = loop;
    v->o = *options;
    v->command = str_dup(options->command);
    v->started = loop_now(loop);
    mark_make(v->mark, MARK_ATTEMPT);
    struct arena a = {0};
    struct process_options o = {.argv = (const char *const[]){"sh", "-c", v->command, NULL},
                                .env = mark_environment(&a, (const char *const *)environ, v->mark),
                                .cwd = options->cwd,
                                .owns_group = true,
                                .on_output = on_output,
                                .on_exit = on_shell_exit,
                                .ctx = v};
    v->process = process_start(loop, &o, &v->start_error);
    arena_done(&a);
    if (!v->process) {
        loop_defer(loop, end_unstarted, v);
        return v;
    }
    process_close_input(v->process);
    if (options->limit_ms)
        timer_start(&v->limit, loop, options->limit_ms, on_time_limit, v);
    return v;
}
