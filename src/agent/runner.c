#include "agent/runner.h"

#include <assert.h>
#include <stdlib.h>

#include "agent/provider_core.h"
#include "agent/runner_core.h"
#include "agent/transcript.h"
#include "base/mem.h"
#include "base/rfc3339.h"

/* ---- the end */

static void finish(void *ctx)
{
    struct runner *r = ctx;
    runner_note(r, rfc3339_now());
    if (r->note_path.n)
        runner_say(r, RUNNER_NOTE, buf_str(&r->note_path));
    runner_tell_end(r);
    r->o.on_end(r, r->state, r->stopping && r->state == RUN_FAILED, r->o.ctx);

    if (r->before != r->origin)
        changes_free(r->before);
    changes_free(r->origin);
    tooling_unref(r->o.tooling);
    arena_done(&r->arena);
    arena_done(&r->next_arena);
    arena_done(&r->assessment_arena);
    struct buf *const bufs[] = {&r->why,    &r->test_say, &r->test_output, &r->first,
                                &r->prompt, &r->end.why,  &r->end.said,    &r->left,
                                &r->who,    &r->dropped,  &r->note_path};
    for (size_t i = 0; i < sizeof bufs / sizeof *bufs; i++)
        buf_done(bufs[i]);
    free(r);
}

void runner_move(struct runner *r, enum run_event event)
{
    enum run_state next = run_step(r->state, event);
    assert(next != RUN_STATE_COUNT);
    bool is_new = next != r->state;
    r->state = next;
    if (is_new)
        runner_say(r, RUNNER_STATE, STR(""));
    if (run_is_over(next))
        loop_defer(r->loop, finish, r);
    else
        runner_note(r, 0);
}

static void fail(struct runner *r, struct str why)
{
    if (r->stopping) {
        r->verdict.outcome = outcome_name(OUTCOME_KILLED);
        r->verdict.nobody = false;
        r->verdict.until = 0;
    }
    buf_add(&r->why, why);
    runner_move(r, RUN_FAIL);
}

void runner_fail(struct runner *r, struct str why)
{
    r->verdict.outcome = RUN_RESULT_UNMET;
    fail(r, why);
}

void runner_fail_by_end(struct runner *r, struct str why)
{
    r->verdict.outcome = r->end.outcome;
    r->verdict.nobody = r->end.nobody;
    r->verdict.until = r->end.until;
    fail(r, why);
}

/* Nobody could work here, and no time changes that. */
static void fail_here(struct runner *r, struct str why)
{
    r->verdict.outcome = outcome_name(OUTCOME_LAUNCH);
    r->verdict.nobody = true;
    fail(r, why);
}

/* ---- the test */

static void on_tested(const struct verify_end *end, void *ctx);

static void test(struct runner *r)
{
    const struct task_file *t = r->o.task;
    struct verify_options o = {.command = t->test_command,
                               .cwd = t->test_cwd,
                               .limit_ms = r->o.test_limit_ms ? r->o.test_limit_ms : RUNNER_TEST_MS,
                               .secrets = r->o.secrets,
                               .on_end = on_tested,
                               .ctx = r};
    if (!t->test_command.n) {
        runner_move(r, RUN_PASSED);
        return;
    }
    r->verify = verify_start(r->loop, &o);
}

static void after_test(void *ctx)
{
    struct runner *r = ctx;
    if (r->stopping) {
        runner_fail(r, STR("interrupted"));
    } else if (r->test_failed) {
        runner_move(r, RUN_MORE);
        runner_ask(r, QUESTION_NEXT);
    } else {
        runner_move(r, RUN_PASSED);
    }
}

static void keep_test_output(struct runner *r)
{
    struct error err = {0};
    struct buf path = {0};
    struct transcript t = {0};
    struct secrets none = {0}; /* it is masked */
    buf_printf(&path, "%s/%02u-test.out", r->o.dir, ++r->file_count);
    if (transcript_open(&t, path.p, &none, VERIFY_KEEP * 2, &err))
        transcript_add(&t, buf_str(&r->test_output));
    else
        runner_say(r, RUNNER_WARN, str_from(err.text));
    transcript_close(&t);
    buf_done(&path);
}

static void on_tested(const struct verify_end *end, void *ctx)
{
    struct runner *r = ctx;
    struct buf text = {0};
    r->verify = NULL;
    r->test_failed = !end->passed;
    buf_clear(&r->test_say);
    buf_clear(&r->test_output);
    buf_add(&r->test_say, end->say);
    buf_add(&r->test_output, end->output);
    keep_test_output(r);
    /* "exit 2 after 3.2 s": the code stands apart in the event. */
    size_t after = str_starts(end->say, STR("exit ")) ? str_find(end->say, STR("after ")) : 0;
    buf_add(&text, str_skip(end->say, after));
    if (r->test_failed && end->output.n)
        buf_printf(&text, "\n%.*s", STR_ARG(end->output));
    runner_tell(
        r, (struct runner_event){.kind = RUNNER_TEST, .code = end->code, .text = buf_str(&text)});
    buf_done(&text);
    loop_defer(r->loop, after_test, r);
}

/* ---- questions and answers */

static void send(struct runner *r, struct str answer, const char *fault);

static void tell_plan(struct runner *r)
{
    struct buf text = {0};
    for (size_t i = 0; i < r->plan.count; i++)
        buf_printf(&text, "%s%.*s: %.*s", i ? "\n" : "", STR_ARG(r->plan.criteria[i].id),
                   STR_ARG(r->plan.criteria[i].text));
    runner_say(r, RUNNER_PLAN, buf_str(&text));
    buf_done(&text);
}

static void tell_next(struct runner *r)
{
    struct buf text = {0};
    buf_printf(&text, "%s%s%.*s", r->next.complete ? "mark_complete" : "run_worker",
               r->next.reason.n ? ": " : "", STR_ARG(r->next.reason));
    runner_say(r, RUNNER_ANSWER, buf_str(&text));
    buf_done(&text);
}

static void tell_assessment(struct runner *r)
{
    const struct question_assessment *a = &r->assessment;
    struct buf text = {0};
    buf_printf(&text, "%zu of %zu criteria passed%s%.*s", a->passed, r->plan.count,
               a->summary.n ? ": " : "", STR_ARG(a->summary));
    runner_say(r, RUNNER_ANSWER, buf_str(&text));
    buf_done(&text);
}

static void tell_answer(struct runner *r)
{
    if (r->asked == QUESTION_PLAN)
        tell_plan(r);
    else if (r->asked == QUESTION_NEXT)
        tell_next(r);
    else
        tell_assessment(r);
}

static void fail_marked(struct runner *r)
{
    struct buf why = {0};
    buf_add(&why, STR("it was marked complete again and again, with no work in between"));
    if (r->test_failed)
        buf_printf(&why, "; its test: %.*s", STR_ARG(buf_str(&r->test_say)));
    runner_fail(r, buf_str(&why));
    buf_done(&why);
}

static void take_next(struct runner *r)
{
    if (!r->next.complete) {
        runner_work(r);
    } else if (++r->marks > RUNNER_MAX_MARKS) {
        fail_marked(r);
    } else {
        runner_move(r, RUN_MARKED);
        runner_ask(r, QUESTION_ASSESS);
    }
}

static void take_answer(struct runner *r)
{
    tell_answer(r);
    if (r->stopping) { /* by the one who was told */
        runner_fail(r, STR("interrupted"));
        return;
    }
    switch (r->asked) {
    case QUESTION_PLAN:
        runner_move(r, RUN_PLANNED);
        runner_ask(r, QUESTION_NEXT);
        break;
    case QUESTION_NEXT:
        take_next(r);
        break;
    case QUESTION_ASSESS:
        r->is_assessed = true;
        if (r->assessment.satisfied) {
            test(r);
        } else {
            runner_move(r, RUN_MORE);
            runner_ask(r, QUESTION_NEXT);
        }
        break;
    case QUESTION_COUNT:
        break;
    }
}

/* What it points to lives in an arena that takes the place of the one before. */
static bool read_answer(struct runner *r, struct str answer, struct error *err)
{
    struct arena fresh = {0}, *kept = r->asked == QUESTION_NEXT     ? &r->next_arena
                                      : r->asked == QUESTION_ASSESS ? &r->assessment_arena
                                                                    : &r->arena;
    bool ok = false;
    if (r->asked == QUESTION_PLAN)
        return question_read_plan(kept, answer, &r->plan, err);
    if (r->asked == QUESTION_NEXT)
        ok = question_read_next(&fresh, answer, &r->next, err);
    else
        ok = question_read_assessment(&fresh, answer, &r->plan, &r->assessment, err);
    arena_done(ok ? kept : &fresh);
    if (ok)
        *kept = fresh;
    return ok;
}

static void refuse_answer(struct runner *r, struct str answer, const struct error *fault)
{
    struct buf text = {0};
    buf_printf(&text, "the answer to %s cannot be used: %s", question_name(r->asked), fault->text);
    if (r->ask_try < QUESTION_TRIES) {
        runner_say(r, RUNNER_WARN, buf_str(&text));
        r->ask_try++;
        send(r, answer, fault->text);
    } else {
        buf_printf(&text, " (%u tries)", r->ask_try);
        runner_fail(r, buf_str(&text));
    }
    buf_done(&text);
}

static void after_answer(void *ctx)
{
    struct runner *r = ctx;
    struct error fault = {0};
    if (r->stopping) {
        runner_fail(r, STR("interrupted"));
    } else if (r->end.kind != DISPATCH_DONE) {
        struct buf why = {0};
        buf_printf(&why, "%s: %.*s", question_name(r->asked), STR_ARG(buf_str(&r->end.why)));
        runner_fail_by_end(r, buf_str(&why));
        buf_done(&why);
    } else if (read_answer(r, buf_str(&r->end.said), &fault)) {
        take_answer(r);
    } else {
        refuse_answer(r, buf_str(&r->end.said), &fault);
    }
}

static void on_answer(struct dispatch *d, const struct dispatch_end *end, void *ctx)
{
    struct runner *r = ctx;
    (void)d;
    runner_keep_end(r, end);
    loop_defer(r->loop, after_answer, r);
}

/* The question, or after an answer that was none the repair of it. */
static void send(struct runner *r, struct str answer, const char *fault)
{
    buf_clear(&r->prompt);
    if (fault)
        question_prompt_repair(&r->prompt, buf_str(&r->first), answer, fault);
    else
        buf_add(&r->prompt, buf_str(&r->first));
    runner_tell(r, (struct runner_event){.kind = RUNNER_ASK,
                                         .text = str_from(question_name(r->asked)),
                                         .number = r->ask_try});
    struct dispatch_options o = runner_dispatch_options(r, question_category(r->asked));
    o.call.mode = PROVIDER_READ;
    o.call.prompt = buf_str(&r->prompt);
    o.limit_ms = r->o.meta_limit_ms ? r->o.meta_limit_ms : RUNNER_META_MS;
    o.on_end = on_answer;
    runner_dispatch(r, &o);
}

void runner_ask(struct runner *r, enum question q)
{
    struct question_history h = {.plan = &r->plan,
                                 .runs = r->runs,
                                 .run_count = r->run_count,
                                 .assessment = r->is_assessed ? &r->assessment : NULL,
                                 .test_output = buf_str(&r->test_output),
                                 .test_failed = r->test_failed};
    r->asked = q;
    r->ask_try = 1;
    buf_clear(&r->first);
    if (q == QUESTION_PLAN)
        question_prompt_plan(&r->first, r->o.task);
    else if (q == QUESTION_NEXT)
        question_prompt_next(&r->first, r->o.task, &h);
    else
        question_prompt_assess(&r->first, r->o.task, &h);
    send(r, STR(""), NULL);
}

/* ---- the beginning */

/* A wall that cannot be built is no fault of any candidate: it is found before one is blamed. */
static bool has_sandbox(const struct runner *r, struct buf *why)
{
    char reason[128];
    struct buf path = {0};
    if (r->o.task->sandbox == SANDBOX_NONE)
        return true;
    const char *name = sandbox_kind_name(r->o.task->sandbox);
    bool found = provider_find_program(str_from(name), getenv("PATH"), &path, reason);
    if (!found)
        buf_printf(why, "sandbox %s: %s: install it, or set runner.sandbox to none", name, reason);
    buf_done(&path);
    return found;
}

static void begin(void *ctx)
{
    struct runner *r = ctx;
    struct buf why = {0};
    if (r->stopping)
        runner_fail(r, STR("interrupted"));
    else if (!has_sandbox(r, &why))
        fail_here(r, buf_str(&why));
    else
        runner_move(r, RUN_BEGIN);
    if (r->state == RUN_PLANNING)
        runner_ask(r, QUESTION_PLAN);
    buf_done(&why);
}

struct runner *runner_start(struct loop *loop, const struct runner_options *options)
{
    assert(options->task && options->tooling && options->ledger && options->on_end);
    assert(options->task->max_loops <= QUESTION_MAX_RUNS);
    struct runner *r = mem_zalloc(sizeof *r);
    r->loop = loop;
    r->o = *options;
    r->state = RUN_PENDING;
    r->start_ms = loop_now(loop);
    r->started = rfc3339_now();
    tooling_ref(r->o.tooling);
    loop_defer(loop, begin, r);
    return r;
}

void runner_stop(struct runner *r)
{
    r->stopping = true;
    if (r->dispatch)
        dispatch_stop(r->dispatch);
    if (r->verify)
        verify_stop(r->verify);
}

void runner_set_tooling(struct runner *r, struct tooling *t)
{
    tooling_ref(t);
    tooling_unref(r->o.tooling);
    r->o.tooling = t;
}

void runner_warn(struct runner *r, struct str text)
{
    runner_say(r, RUNNER_WARN, text);
}
