#include "agent/runner.h"

#include <assert.h>
#include <stdlib.h>

#include "agent/provider_internal.h"
#include "agent/runner_internal.h"
#include "agent/transcript.h"
#include "base/mem.h"
#include "base/rfc3339.h"
#include "base/utf8.h"

#define MAX_KEPT (16u << 10) /* of each text of a worker run that is kept for later prompts */

static void advance_run(void *ctx);

/* The caller has stored what happened; advance_run() decides what is next, after the callback. */
static void schedule_advance(struct runner *r)
{
    loop_defer(r->loop, advance_run, r);
}

/* ---- states and the end */

static void move_state(struct runner *r, enum run_event event)
{
    enum run_state next = run_step(r->state, event);
    assert(next != RUN_STATE_COUNT);
    bool is_new = next != r->state;
    r->state = next;
    if (is_new)
        runner_event_send_text(r, RUNNER_STATE, STR(""));
    if (run_is_over(next)) {
        r->step = STEP_ENDED;
        schedule_advance(r);
    } else {
        runner_event_write_note(r, 0);
    }
}

/* Nothing but the end may follow. */
static void fail_run(struct runner *r, struct str why, struct run_outcome outcome)
{
    r->outcome = outcome;
    if (r->stopping)
        r->outcome = (struct run_outcome){.name = outcome_name(OUTCOME_KILLED)};
    buf_add(&r->why, why);
    move_state(r, RUN_FAIL);
}

/* The agents did their work, and the task is not done. */
static void fail_unmet(struct runner *r, struct str why)
{
    fail_run(r, why, (struct run_outcome){.name = RUN_RESULT_UNMET});
}

static void end_run(struct runner *r)
{
    runner_event_write_note(r, rfc3339_now());
    if (r->note_path.n)
        runner_event_send_text(r, RUNNER_NOTE, buf_str(&r->note_path));
    runner_event_send_end(r);
    r->o.on_end(r, r->state, r->stopping && r->state == RUN_FAILED, r->o.ctx);

    if (r->before != r->origin)
        changes_free(r->before);
    changes_free(r->origin);
    tooling_unref(r->o.tooling);
    arena_done(&r->arena);
    arena_done(&r->next_arena);
    arena_done(&r->assessment_arena);
    struct buf *const bufs[] = {&r->why,     &r->test_summary, &r->test_output, &r->question,
                                &r->prompt,  &r->end.why,      &r->end.said,    &r->changed,
                                &r->workers, &r->note_path};
    for (size_t i = 0; i < sizeof bufs / sizeof *bufs; i++)
        buf_done(bufs[i]);
    free(r);
}

/* ---- dispatches: a question, or a worker run */

static void on_dispatch_end(struct dispatch *d, const struct dispatch_end *end, void *ctx)
{
    struct runner *r = ctx;
    (void)d;
    r->dispatch = NULL;
    r->end.kind = end->kind;
    r->end.ran = end->output != NULL;
    r->end.class = end->output ? end->output->outcome.class : OUTCOME_LAUNCH;
    r->end.outcome = run_outcome_of_dispatch(end, r->cooldown_until, rfc3339_now());
    buf_clear(&r->end.why);
    buf_clear(&r->end.said);
    buf_add(&r->end.why, end->why);
    if (end->output)
        buf_add(&r->end.said, buf_str(&end->output->last_message));
    schedule_advance(r);
}

/* The options that every dispatch has. */
static struct dispatch_options make_dispatch(struct runner *r, enum category category)
{
    r->category = category;
    snprintf(r->name, sizeof r->name, "%02u-%s", ++r->file_count, tooling_category_name(category));
    return (struct dispatch_options){
        .ledger = r->o.ledger,
        .tooling = r->o.tooling,
        .category = str_from(tooling_category_name(category)),
        .rng = r->o.rng,
        .call = {.cwd = r->o.task->repo, .dir = r->o.dir, .self = r->o.self},
        .run = str_from(r->o.run_id),
        .name = r->name,
        .secrets = r->o.secrets,
        .on_event = runner_event_on_dispatch,
        .on_end = on_dispatch_end,
        .ctx = r};
}

static void start_dispatch(struct runner *r, const struct dispatch_options *options)
{
    r->dispatch = dispatch_start(r->loop, options);
    if (r->stopping) /* runner_stop() was called inside an event on the way here */
        dispatch_stop(r->dispatch);
}

/* ---- questions */

static void send_question(struct runner *r)
{
    runner_event_send(r, (struct runner_event){.kind = RUNNER_ASK,
                                               .text = str_from(question_name(r->asked)),
                                               .number = r->ask_try});
    struct dispatch_options o = make_dispatch(r, question_category(r->asked));
    o.call.mode = PROVIDER_READ;
    o.call.prompt = buf_str(&r->prompt);
    o.limit_ms = r->o.meta_limit_ms ? r->o.meta_limit_ms : RUNNER_META_MS;
    start_dispatch(r, &o);
}

static void ask_question(struct runner *r, enum question q)
{
    static const enum runner_step next_steps[QUESTION_COUNT] = {
        [QUESTION_PLAN] = STEP_PLANNED,
        [QUESTION_NEXT] = STEP_DECIDED,
        [QUESTION_ASSESS] = STEP_ASSESSED,
    };
    struct question_history h = {.plan = &r->plan,
                                 .runs = r->runs,
                                 .run_count = r->run_count,
                                 .assessment = r->is_assessed ? &r->assessment : NULL,
                                 .test_output = buf_str(&r->test_output),
                                 .test_failed = r->test_failed};
    r->step = next_steps[q];
    r->asked = q;
    r->ask_try = 1;
    buf_clear(&r->question);
    buf_clear(&r->prompt);
    if (q == QUESTION_PLAN)
        question_prompt_plan(&r->question, r->o.task);
    else if (q == QUESTION_NEXT)
        question_prompt_next(&r->question, r->o.task, &h);
    else
        question_prompt_assess(&r->question, r->o.task, &h);
    buf_add(&r->prompt, buf_str(&r->question));
    send_question(r);
}

/* The values point into an arena, which replaces that of the answer before. */
static bool read_answer(struct runner *r, struct str answer, struct error *err)
{
    struct arena fresh = {0};
    struct arena *kept = r->asked == QUESTION_NEXT ? &r->next_arena : &r->assessment_arena;
    bool ok = false;
    if (r->asked == QUESTION_PLAN)
        return question_read_plan(&r->arena, answer, &r->plan, err);
    if (r->asked == QUESTION_NEXT)
        ok = question_read_next(&fresh, answer, &r->next, err);
    else
        ok = question_read_assessment(&fresh, answer, &r->plan, &r->assessment, err);
    arena_done(ok ? kept : &fresh);
    if (ok)
        *kept = fresh;
    return ok;
}

/* Send a repair prompt, or fail after the last try. */
static void reject_answer(struct runner *r, const struct error *err)
{
    struct buf text = {0};
    buf_printf(&text, "the answer to %s cannot be used: %s", question_name(r->asked), err->text);
    if (r->ask_try < QUESTION_TRIES) {
        runner_event_send_text(r, RUNNER_WARN, buf_str(&text));
        r->ask_try++;
        buf_clear(&r->prompt);
        question_prompt_repair(&r->prompt, buf_str(&r->question), buf_str(&r->end.said), err->text);
        send_question(r);
    } else {
        buf_printf(&text, " (%u tries)", r->ask_try);
        fail_unmet(r, buf_str(&text));
    }
    buf_done(&text);
}

static void send_plan(struct runner *r)
{
    struct buf text = {0};
    for (size_t i = 0; i < r->plan.count; i++)
        buf_printf(&text, "%s%.*s: %.*s", i ? "\n" : "", STR_ARG(r->plan.criteria[i].id),
                   STR_ARG(r->plan.criteria[i].text));
    runner_event_send_text(r, RUNNER_PLAN, buf_str(&text));
    buf_done(&text);
}

static void send_answer(struct runner *r)
{
    struct buf text = {0};
    struct str more = r->asked == QUESTION_NEXT ? r->next.reason : r->assessment.summary;
    if (r->asked == QUESTION_NEXT)
        buf_printf(&text, "%s", r->next.complete ? "mark_complete" : "run_worker");
    else
        buf_printf(&text, "%zu of %zu criteria passed", r->assessment.passed, r->plan.count);
    buf_printf(&text, "%s%.*s", more.n ? ": " : "", STR_ARG(more));
    runner_event_send_text(r, RUNNER_ANSWER, buf_str(&text));
    buf_done(&text);
}

/* True: the answer is in r->plan, r->next or r->assessment. False: the question is asked again, or
 * the run has failed. */
static bool accept_answer(struct runner *r)
{
    struct error err = {0};
    if (r->end.kind != DISPATCH_DONE) {
        struct buf why = {0};
        buf_printf(&why, "%s: %.*s", question_name(r->asked), STR_ARG(buf_str(&r->end.why)));
        fail_run(r, buf_str(&why), r->end.outcome);
        buf_done(&why);
        return false;
    }
    if (!read_answer(r, buf_str(&r->end.said), &err)) {
        reject_answer(r, &err);
        return false;
    }
    if (r->asked == QUESTION_PLAN)
        send_plan(r);
    else
        send_answer(r);
    r->is_assessed |= r->asked == QUESTION_ASSESS;
    if (r->stopping) /* inside the event */
        fail_unmet(r, STR("interrupted"));
    return !r->stopping;
}

/* ---- worker runs */

static struct str keep_text(struct runner *r, struct str text)
{
    return arena_str(&r->arena, utf8_head(text, MAX_KEPT));
}

/* List in r->changed what has changed since the worker run started. */
static void list_changes(struct runner *r)
{
    struct error err = {0};
    size_t count = 0;
    buf_clear(&r->changed);
    if (!r->before)
        return;
    if (!changes_list(r->before, r->o.task->repo, &r->changed, &count, &err))
        runner_event_send_text(r, RUNNER_WARN, str_from(err.text));
    else if (count)
        runner_event_send_text(r, RUNNER_CHANGES, buf_str(&r->changed));
}

/* From the second try on, the prompt says who worked before, how that ended and what it changed. */
static struct str write_worker_prompt(unsigned number, const struct output *last, void *ctx)
{
    struct runner *r = ctx;
    struct buf ended = {0};
    struct question_work work = {.plan = &r->plan, .prompt = r->next.prompt};
    if (number > 1 && last) {
        list_changes(r);
        buf_printf(&ended, "%s: %s", agent_kind_name(last->agent),
                   outcome_name(last->outcome.class));
        work.ended = buf_str(&ended);
        work.left = buf_str(&r->changed);
    }
    buf_clear(&r->prompt);
    question_prompt_work(&r->prompt, r->o.task, &work);
    buf_done(&ended);
    return buf_str(&r->prompt);
}

static void fail_loops_used_up(struct runner *r)
{
    struct buf why = {0};
    buf_printf(&why, "it is not complete after %llu worker runs, which is max_loops",
               (unsigned long long)r->o.task->max_loops);
    fail_unmet(r, buf_str(&why));
    buf_done(&why);
}

/* A worker may have changed the settings of git: then git must not run commands for us. */
static void look_at_files(struct runner *r)
{
    struct error err = {0};
    r->before = !r->origin || changes_has_same_settings(r->origin)
                    ? changes_take(r->o.task->repo, &err)
                    : changes_take_files(r->o.task->repo, &err);
    if (!r->before)
        runner_event_send_text(r, RUNNER_WARN, str_from(err.text));
    if (!r->origin)
        r->origin = r->before;
}

static void start_worker(struct runner *r)
{
    const struct task_file *t = r->o.task;
    if (r->run_count == t->max_loops) {
        fail_loops_used_up(r);
        return;
    }
    r->step = STEP_WORKED;
    r->marks = 0;
    r->loops[r->run_count++] = (struct task_note_loop){.started = rfc3339_now()};
    buf_clear(&r->workers);
    look_at_files(r);
    r->overrides = (struct worker_overrides){.call = &r->next.call, .env = t->worker_env};
    struct dispatch_options o = make_dispatch(r, CATEGORY_WORKER);
    o.call.mode = PROVIDER_WRITE;
    o.call.mcp = r->o.mcp;
    o.limit_ms = t->max_run_time_ms;
    o.sandbox = (struct sandbox){
        .kind = t->sandbox, .image = t->docker_image, .repo = t->repo, .dir = r->o.dir};
    o.overrides = &r->overrides;
    o.prompt = write_worker_prompt;
    start_dispatch(r, &o);
}

/* Note how the worker run ended, for the next prompts and for the note. */
static void record_worker(struct runner *r)
{
    struct question_run *run = &r->runs[r->run_count - 1];
    struct task_note_loop *loop = &r->loops[r->run_count - 1];
    struct buf outcome = {0}, full = {0};
    list_changes(r);
    buf_add(&outcome, r->end.kind == DISPATCH_NOBODY ? STR("no candidate is left")
                      : r->end.ran                   ? str_from(outcome_name(r->end.class))
                                                     : STR("stopped"));
    if (r->end.kind == DISPATCH_FAILED)
        buf_printf(&outcome, " (%.*s)", STR_ARG(buf_str(&r->end.why)));
    buf_printf(&full, "%.*s: %.*s", STR_ARG(buf_str(&r->workers)), STR_ARG(buf_str(&outcome)));
    loop->who = keep_text(r, buf_str(&r->workers));
    loop->outcome = keep_text(r, buf_str(&outcome));
    loop->said = keep_text(r, buf_str(&r->end.said));
    loop->changes = keep_text(r, buf_str(&r->changed));
    loop->ended = rfc3339_now();
    *run = (struct question_run){.prompt = keep_text(r, r->next.prompt),
                                 .said = loop->said,
                                 .outcome = keep_text(r, buf_str(&full)),
                                 .changes = loop->changes};
    buf_done(&outcome);
    buf_done(&full);
    if (r->before != r->origin)
        changes_free(r->before);
    r->before = NULL;
}

/* Another worker run would end the same way, or no candidate could be tried at all. */
static bool is_hopeless(const struct runner *r)
{
    return r->end.kind == DISPATCH_NOBODY || !r->end.ran ||
           (r->end.kind == DISPATCH_FAILED && outcome_row(r->end.class)->falls_back);
}

/* ---- the test */

static void write_test_transcript(struct runner *r)
{
    struct error err = {0};
    struct buf path = {0};
    struct transcript t = {0};
    struct secrets none = {0}; /* the output is masked already */
    buf_printf(&path, "%s/%02u-test.out", r->o.dir, ++r->file_count);
    if (transcript_open(&t, path.p, &none, VERIFY_KEEP * 2, &err))
        transcript_add(&t, buf_str(&r->test_output));
    else
        runner_event_send_text(r, RUNNER_WARN, str_from(err.text));
    transcript_close(&t);
    buf_done(&path);
}

static void on_test_end(const struct verify_end *end, void *ctx)
{
    struct runner *r = ctx;
    struct buf text = {0};
    r->verify = NULL;
    r->test_failed = !end->passed;
    buf_clear(&r->test_summary);
    buf_clear(&r->test_output);
    buf_add(&r->test_summary, end->summary);
    buf_add(&r->test_output, end->output);
    write_test_transcript(r);
    /* Of "exit 2 after 3.2 s" only the end: the event has the code apart. */
    bool has_code = str_starts(end->summary, STR("exit "));
    buf_add(&text, str_skip(end->summary, has_code ? str_find(end->summary, STR("after ")) : 0));
    if (r->test_failed && end->output.n)
        buf_printf(&text, "\n%.*s", STR_ARG(end->output));
    runner_event_send(
        r, (struct runner_event){.kind = RUNNER_TEST, .code = end->code, .text = buf_str(&text)});
    buf_done(&text);
    schedule_advance(r);
}

static void start_test(struct runner *r)
{
    const struct task_file *t = r->o.task;
    r->step = STEP_TESTED;
    r->verify = verify_start(r->loop, &(struct verify_options){.command = t->test_command,
                                                               .cwd = t->test_cwd,
                                                               .limit_ms = r->o.test_limit_ms
                                                                               ? r->o.test_limit_ms
                                                                               : RUNNER_TEST_MS,
                                                               .secrets = r->o.secrets,
                                                               .on_end = on_test_end,
                                                               .ctx = r});
}

/* ---- the life of a task */

/* A sandbox that cannot be made is no candidate's fault: check before one is blamed. */
static bool check_sandbox(struct runner *r)
{
    char reason[128];
    struct buf path = {0}, why = {0};
    if (r->o.task->sandbox == SANDBOX_NONE)
        return true;
    const char *name = sandbox_kind_name(r->o.task->sandbox);
    bool found = provider_find_program(str_from(name), getenv("PATH"), &path, reason);
    if (!found) {
        buf_printf(&why, "sandbox %s: %s: install it, or set runner.sandbox to none", name, reason);
        fail_run(r, buf_str(&why),
                 (struct run_outcome){.name = outcome_name(OUTCOME_LAUNCH), .nobody = true});
    }
    buf_done(&path);
    buf_done(&why);
    return found;
}

static void fail_marked(struct runner *r)
{
    struct buf why = {0};
    buf_add(&why, STR("it was marked complete again and again, with no work in between"));
    if (r->test_failed)
        buf_printf(&why, "; its test: %.*s", STR_ARG(buf_str(&r->test_summary)));
    fail_unmet(r, buf_str(&why));
    buf_done(&why);
}

static void do_next_action(struct runner *r)
{
    if (!r->next.complete) {
        start_worker(r);
    } else if (++r->marks > RUNNER_MAX_MARKS) {
        fail_marked(r);
    } else {
        move_state(r, RUN_MARKED);
        ask_question(r, QUESTION_ASSESS);
    }
}

static void go_on_working(struct runner *r, enum run_event event)
{
    move_state(r, event);
    ask_question(r, QUESTION_NEXT);
}

/* The whole life of a task: take what has happened, and start what is next. */
static void advance_run(void *ctx)
{
    struct runner *r = ctx;
    if (r->step == STEP_WORKED)
        record_worker(r); /* also if the run is being stopped */
    if (r->stopping && r->step != STEP_ENDED) {
        fail_unmet(r, STR("interrupted"));
        return;
    }
    switch (r->step) {
    case STEP_STARTED:
        if (check_sandbox(r)) {
            move_state(r, RUN_BEGIN);
            ask_question(r, QUESTION_PLAN);
        }
        break;
    case STEP_PLANNED:
        if (accept_answer(r))
            go_on_working(r, RUN_PLANNED);
        break;
    case STEP_DECIDED:
        if (accept_answer(r))
            do_next_action(r);
        break;
    case STEP_WORKED:
        if (is_hopeless(r))
            fail_run(r, buf_str(&r->end.why), r->end.outcome);
        else
            go_on_working(r, RUN_WORKED);
        break;
    case STEP_ASSESSED:
        if (!accept_answer(r))
            break;
        if (!r->assessment.satisfied)
            go_on_working(r, RUN_MORE);
        else if (r->o.task->test_command.n)
            start_test(r);
        else
            move_state(r, RUN_PASSED);
        break;
    case STEP_TESTED:
        if (r->test_failed)
            go_on_working(r, RUN_MORE);
        else
            move_state(r, RUN_PASSED);
        break;
    case STEP_ENDED:
        end_run(r);
        break;
    }
}

struct runner *runner_start(struct loop *loop, const struct runner_options *options)
{
    assert(options->task && options->tooling && options->ledger && options->on_end);
    assert(options->task->max_loops <= QUESTION_MAX_RUNS);
    struct runner *r = mem_zalloc(sizeof *r);
    r->loop = loop;
    r->o = *options;
    r->state = RUN_PENDING;
    r->step = STEP_STARTED;
    r->start_ms = loop_now(loop);
    r->started = rfc3339_now();
    tooling_ref(r->o.tooling);
    schedule_advance(r);
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
    runner_event_send_text(r, RUNNER_WARN, text);
}
