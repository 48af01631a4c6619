/* A whole run with mock agents as real processes. Each event is written as one line:
 *
 *     PLANNING / ask plan_task / task m / ok / plan AC-1: a / RUNNING / ...
 */
#pragma once

#include "agent/runner.h"
#include "dispatch_fixture.h"

static struct runner *runner;
static struct runner_options options;
static struct task_file *task;
static struct buf seen, warned, steps, answers, ended, changed;
static struct runner_event last;
static struct run_result result;
static int ends;
static enum run_state state_at_end;
static bool was_stopped;
static void (*act)(const struct runner_event *e); /* at each event */

/* A copy that outlives the event. */
static inline void keep_result(const struct run_result *r)
{
    assert_non_null(r);
    result = *r;
    struct str *const texts[] = {&result.run,     &result.task,  &result.state,
                                 &result.outcome, &result.why,   &result.tool,
                                 &result.model,   &result.files, &result.transcripts};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        *texts[i] = arena_str(&fixture, *texts[i]);
}

static inline void put_event(const struct runner_event *e)
{
    switch (e->kind) {
    case RUNNER_STATE:
        buf_printf(&seen, "%s\n", run_state_name(e->state));
        break;
    case RUNNER_ASK:
        buf_printf(&seen, "ask %.*s%s\n", STR_ARG(e->text), e->number > 1 ? " again" : "");
        break;
    case RUNNER_TRY:
        buf_printf(&seen, "%.*s %.*s: ", STR_ARG(e->category), STR_ARG(e->model));
        break;
    case RUNNER_OUTCOME:
        buf_printf(&seen, "%.*s\n", STR_ARG(e->outcome));
        break;
    case RUNNER_PLAN:
        buf_printf(&seen, "plan %.*s\n", STR_ARG(e->text));
        break;
    case RUNNER_ANSWER:
        buf_printf(&answers, "%.*s\n", STR_ARG(e->text));
        break;
    case RUNNER_CHANGES:
        buf_add(&changed, e->text);
        break;
    case RUNNER_TEST:
        buf_printf(&seen, "test %lld\n", (long long)e->code);
        break;
    case RUNNER_STEP:
        buf_printf(&steps, "%.*s\n", STR_ARG(e->text));
        break;
    case RUNNER_WARN:
        buf_printf(&warned, "%.*s\n", STR_ARG(e->text));
        break;
    case RUNNER_NOTE:
        assert_true(file_exists(arena_cstr(&fixture, e->text)));
        break;
    case RUNNER_END:
        buf_add(&ended, e->text);
        keep_result(e->result);
        break;
    }
}

static inline void on_event(const struct runner_event *e, void *ctx)
{
    assert_ptr_equal(ctx, &options);
    assert_int_equal(ends, 0);
    assert_true(e->loop <= e->max_loops);
    put_event(e);
    last = *e;
    if (act)
        act(e);
}

static inline void on_end(struct runner *r, enum run_state state, bool stopped, void *ctx)
{
    assert_ptr_equal(ctx, &options);
    assert_ptr_equal(r, runner);
    assert_int_equal(last.kind, RUNNER_END);
    assert_true(run_is_over(state));
    ends++;
    state_at_end = state;
    was_stopped = stopped;
    timer_stop(&limit);
}

static inline int setup(void **state)
{
    int code = setup_dispatch(state);
    ends = 0;
    act = NULL;
    options = (struct runner_options){.ledger = ledger,
                                      .rng = &rng,
                                      .self = AGENT_SELF,
                                      .dir = in_folder("calls"),
                                      .run_id = "run-1",
                                      .secrets = &secrets,
                                      .on_event = on_event,
                                      .on_end = on_end,
                                      .ctx = &options};
    return code;
}

static inline int teardown(void **state)
{
    struct buf *const bufs[] = {&seen, &warned, &steps, &answers, &ended, &changed};
    for (size_t i = 0; i < sizeof bufs / sizeof *bufs; i++)
        buf_done(bufs[i]);
    task_file_free(task);
    task = NULL;
    return teardown_dispatch(state);
}

/* Members of task and runner in YAML's flow style: "test: {command: make}", "max_loops: 3". */
static inline void set_task(const char *of_task, const char *of_runner)
{
    struct buf text = {0};
    struct error err = {0};
    buf_printf(&text,
               "version: 1\ntask: {id: T-1, title: Jump, repo: %s, prd: 'The player jumps.'%s%s}\n"
               "runner: {%s}\n",
               in_folder("repo"), *of_task ? ", " : "", of_task, of_runner);
    task = task_file_read(buf_str(&text), "-", &err);
    if (!task)
        fail_msg("%s", err.text);
    buf_done(&text);
}

/* Scripts of the five categories' candidates; the model is the first letter of the category. */
#define STEP(question, say) "{'when': {'prompt_has': '" question "'}, 'say': '" say "'}"
#define PLAN_IS             STEP("plan_task", "{\\\"acceptance_criteria\\\": [\\\"it jumps\\\"]}")
#define WORK_IS                                                                                    \
    STEP("next_action",                                                                            \
         "{\\\"decision\\\": {\\\"action\\\": \\\"run_worker\\\"}, \\\"worker_call\\\": "          \
         "{\\\"prompt\\\": \\\"make it jump\\\"}}")
#define DONE_IS                                                                                    \
    STEP("next_action",                                                                            \
         "{\\\"decision\\\": {\\\"action\\\": \\\"mark_complete\\\"}, \\\"reason\\\": \\\"\\\"}")
#define YES_IS                                                                                     \
    STEP("completion_assessment", "{\\\"all_criteria_satisfied\\\": true, \\\"by_criterion\\\": "  \
                                  "[{\\\"id\\\": \\\"AC-1\\\", \\\"status\\\": \\\"passed\\\"}]}")
#define NO_IS                                                                                      \
    STEP("completion_assessment", "{\\\"all_criteria_satisfied\\\": false, \\\"summary\\\": "      \
                                  "\\\"it falls\\\"}")
#define MOCK(model, script)                                                                        \
    "{'tool': 'mock', 'model': '" model "', 'toolSpecific': {'script': [" script "]}}"

/* One candidate answers the questions; the workers in order of priority. */
static inline void set_agents(const char *meta, const char *workers)
{
    struct buf text = {0};
    buf_printf(&text,
               "{'profiles': [{'id': 'p', 'categories': {'meta': {'candidates': [" MOCK(
                   "m", "%s") "]}, 'worker': {'strategy': 'priority', 'candidates': [%s]}}}]}",
               meta, workers);
    configure(text.p);
    buf_done(&text);
}

static inline void start(void)
{
    options.task = task;
    options.tooling = tooling;
    runner = runner_start(loop, &options);
    assert_int_equal(seen.n, 0); /* nothing calls back inside runner_start() */
}

static inline void check(enum run_state want, const char *events)
{
    loop_run(loop);
    assert_int_equal(ends, 1);
    CHECK_CSTR(str_trim(buf_str(&seen)), events);
    assert_int_equal(state_at_end, want);
}

static inline void run(enum run_state want, const char *events)
{
    start();
    check(want, events);
}

static inline struct str note(void)
{
    return read_text(in_folder("repo/.agent-runner/task-T-1.md"));
}

#define CONTAINS(text, part) assert_true(str_find(text, STR(part)) < (text).n)
#define LACKS(text, part)    assert_int_equal(str_find(text, STR(part)), (text).n)
