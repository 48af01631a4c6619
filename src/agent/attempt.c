#include "agent/attempt.h"

#include <assert.h>
#include <signal.h>
#include <stdlib.h>

#include "agent/codex_session_log.h"
#include "agent/transcript.h"
#include "base/mem.h"
#include "base/rfc3339.h"
#include "base/utf8.h"
#include "process/mark.h"
#include "process/process.h"

#define CLEANUP_MS 10000u /* for launch.after_kill */

struct attempt {
    struct loop *loop;
    struct attempt_options o;
    struct provider_launch launch;
    struct output output;
    struct secrets own, *secrets; /* own: used if the owner has none */
    struct transcript out, err;
    struct process *process; /* the agent, then launch.after_kill; NULL: none runs */
    char mark[MARK_SIZE];
    struct timer limit;
    bool stopped, timed_out, given_up, has_exited;
    struct error start_error;
    struct output_end end;
    struct buf line; /* a step's text, masked */
};

/* ---- the end */

static void mask_text(const struct attempt *a, char *text, size_t size)
{
    struct buf masked = {0};
    secrets_mask_cut(a->secrets, str_from(text), &masked);
    struct str fits = utf8_head(buf_str(&masked), size - 1);
    if (fits.n)
        memcpy(text, fits.p, fits.n);
    text[fits.n] = 0;
    buf_done(&masked);
}

static void mask_report(struct attempt *a)
{
    struct output *r = &a->output;
    struct buf said = buf_make(r->last_message.max);
    secrets_mask_cut(a->secrets, buf_str(&r->last_message), &said);
    buf_done(&r->last_message);
    r->last_message = said;
    mask_text(a, r->outcome.message, sizeof r->outcome.message);
    mask_text(a, r->outcome.evidence, sizeof r->outcome.evidence);
}

static void end_attempt(struct attempt *a)
{
    struct buf rollout = {0};
    timer_stop(&a->limit);
    transcript_close(&a->out);
    transcript_close(&a->err);
    if (a->launch.session_logs.n && a->output.session[0] &&
        codex_session_log_read(a->launch.session_logs.p, a->output.session, ATTEMPT_MAX_SESSION_LOG,
                               &rollout))
        a->end.session_log = buf_str(&rollout);
    output_end(&a->output, &a->end);
    buf_done(&rollout);
    mask_report(a);
    provider_launch_done(&a->launch); /* first, so that the owner finds no file of the call */
    a->o.on_end(a, &a->output, a->o.ctx);
}

void attempt_free(struct attempt *a)
{
    if (!a)
        return;
    output_done(&a->output);
    secrets_done(&a->own);
    buf_done(&a->line);
    free(a);
}

static void end_unstarted(void *ctx)
{
    struct attempt *a = ctx;
    a->end = (struct output_end){.no_start = a->start_error.text, .killed = a->stopped};
    end_attempt(a);
}

static void on_cleanup_limit(void *ctx)
{
    struct attempt *a = ctx;
    process_kill(a->process, SIGKILL, 0);
}

static void on_cleanup_exit(struct process *p, struct process_exit exit, void *ctx)
{
    (void)p, (void)exit;
    end_attempt(ctx);
}

/* A killed agent may leave a container behind: launch.after_kill ends it. */
static bool start_cleanup(struct attempt *a)
{
    struct process_options o = {
        .argv = a->launch.after_kill, .env = a->launch.env, .on_exit = on_cleanup_exit, .ctx = a};
    if (!(a->stopped || a->timed_out || a->given_up) || !o.argv)
        return false;
    a->process = process_start(a->loop, &o, NULL);
    if (!a->process)
        return false;
    timer_start(&a->limit, a->loop, CLEANUP_MS, on_cleanup_limit, a);
    process_close_input(a->process);
    return true;
}

static void on_agent_exit(struct process *p, struct process_exit exit, void *ctx)
{
    (void)p;
    struct attempt *a = ctx;
    a->end = (struct output_end){.exit_code = exit.code,
                                 .signal = exit.signal,
                                 .killed = a->stopped || a->given_up,
                                 .timed_out = a->timed_out && !a->stopped,
                                 .at = rfc3339_now()};
    a->has_exited = true;
    a->process = NULL;
    timer_stop(&a->limit);
    mark_kill(a->mark);
    if (!start_cleanup(a))
        end_attempt(a);
}

/* ---- while it runs */

static void on_time_limit(void *ctx)
{
    struct attempt *a = ctx;
    a->timed_out = true;
    process_kill(a->process, SIGTERM, ATTEMPT_GRACE_MS);
}

static void on_output(struct process *p, enum process_stream which, struct str bytes, void *ctx)
{
    struct attempt *a = ctx;
    transcript_add(which == PROCESS_STDOUT ? &a->out : &a->err, bytes);
    output_feed(&a->output, which, bytes);
    if (a->output.hopeless && !a->given_up && !a->timed_out) {
        a->given_up = true;
        timer_stop(&a->limit);
        process_kill(p, SIGTERM, ATTEMPT_GRACE_MS);
    }
}

static void on_step(const struct output *r, const struct output_step *step, void *ctx)
{
    struct attempt *a = ctx;
    struct output_step masked = *step;
    buf_clear(&a->line);
    secrets_mask_cut(a->secrets, step->text, &a->line); /* the text was cut to one line */
    masked.text = buf_str(&a->line);
    a->o.on_step(r, &masked, a->o.ctx);
}

void attempt_stop(struct attempt *a)
{
    bool is_first = !a->stopped;
    a->stopped = true;
    if (a->process && !a->has_exited) /* a second call: without a grace */
        process_kill(a->process, is_first ? SIGTERM : SIGKILL, ATTEMPT_GRACE_MS);
}

/* ---- the start */

static bool open_transcripts(struct attempt *a, struct error *err)
{
    struct buf path = {0};
    buf_printf(&path, "%s/%s.out", a->o.call.dir, a->o.name);
    bool ok = transcript_open(&a->out, path.p, a->secrets, ATTEMPT_MAX_OUTPUT, err);
    buf_clear(&path);
    buf_printf(&path, "%s/%s.err", a->o.call.dir, a->o.name);
    ok = ok && transcript_open(&a->err, path.p, a->secrets, ATTEMPT_MAX_OUTPUT, err);
    buf_done(&path);
    return ok;
}

static bool start_agent(struct attempt *a, struct error *err)
{
    struct provider_launch *l = &a->launch;
    a->o.call.is_sandboxed = a->o.sandbox.kind != SANDBOX_NONE;
    if (!provider_build(&a->o.call, l, err))
        return false;
    for (size_t i = 0; i < l->secret_count; i++)
        secrets_add(a->secrets, l->secrets[i]);
    if (l->input.n > PROCESS_INPUT_MAX)
        return error_set(err, ERR_LIMIT, "the prompt is larger than %u bytes", PROCESS_INPUT_MAX);
    if (!sandbox_wrap(&a->o.sandbox, l, err) || !open_transcripts(a, err))
        return false;

    mark_make(a->mark, MARK_ATTEMPT);
    struct process_options o = {.argv = l->argv,
                                .env = mark_environment(&l->arena, l->env, a->mark),
                                .cwd = l->cwd,
                                .owns_group = true,
                                .on_output = on_output,
                                .on_exit = on_agent_exit,
                                .ctx = a};
    a->process = process_start(a->loop, &o, err);
    if (!a->process)
        return false;
    process_write(a->process, l->input);
    process_close_input(a->process);
    if (a->o.limit_ms)
        timer_start(&a->limit, a->loop, a->o.limit_ms, on_time_limit, a);
    return true;
}

struct attempt *attempt_start(struct loop *loop, const struct attempt_options *options)
{
    assert(options->on_end && options->name && !strchr(options->name, '/'));
    struct attempt *a = mem_zalloc(sizeof *a);
    a->loop = loop;
    a->o = *options;
    a->secrets = options->secrets ? options->secrets : &a->own;
    output_init(&a->output, options->call.candidate->tool, rfc3339_now());
    if (options->on_step)
        a->output.on_step = on_step;
    a->output.ctx = a;
    if (!start_agent(a, &a->start_error))
        loop_defer(loop, end_unstarted, a);
    return a;
}
