/* Planning with the mock agent as real processes: good and bad answers, none, Ctrl-C. */
#include "orchestrator/goal.h"

#include <dirent.h>

#include "dispatch_fixture.h"

static struct goal *goal;
static struct goal_options options;
static struct buf ids, events, said;
static int ends;
static bool has_plan;
static const char *stop_at; /* stop at the event that contains this */

static void on_event(struct str text, void *ctx)
{
    assert_ptr_equal(ctx, &options);
    assert_int_equal(ends, 0);
    buf_printf(&events, "%.*s\n", STR_ARG(text));
    if (stop_at && str_find(text, str_from(stop_at)) < text.n) {
        stop_at = NULL;
        goal_stop(goal);
        assert_int_equal(ends, 0);
    }
}

static void on_end(struct goal *g, const struct goal_plan *plan, struct str why, void *ctx)
{
    assert_ptr_equal(ctx, &options);
    assert_ptr_equal(g, goal);
    ends++;
    has_plan = plan != NULL;
    buf_add(&said, why);
    for (size_t i = 0; plan && i < plan->count; i++) {
        buf_printf(&ids, "%s%.*s", i ? " " : "", STR_ARG(plan->tasks[i].id));
        for (size_t k = 0; k < plan->tasks[i].need_count; k++)
            buf_printf(&ids, "%c%.*s", k ? ',' : '<', STR_ARG(plan->tasks[i].needs[k]));
    }
    goal = NULL;
    timer_stop(&limit);
}

static int setup(void **state)
{
    int code = setup_dispatch(state);
    ends = 0;
    has_plan = false;
    stop_at = NULL;
    options = (struct goal_options){.text = STR("Make a shop"),
                                    .repo = call.cwd,
                                    .ledger = ledger,
                                    .rng = &rng,
                                    .self = AGENT_SELF,
                                    .dir = call.dir,
                                    .run_id = "run-1",
                                    .secrets = &secrets,
                                    .on_event = on_event,
                                    .on_end = on_end,
                                    .ctx = &options};
    return code;
}

static int teardown(void **state)
{
    buf_done(&ids);
    buf_done(&events);
    buf_done(&said);
    return teardown_dispatch(state);
}

#define HEAD                                                                                       \
    "{'profiles': [{'id': 'p', 'categories': {'meta': {'candidates': [{'tool': 'mock'}]}, "        \
    "'plan': {'strategy': 'priority', 'candidates': ["
#define TAIL        "]}}}]}"
#define WHO(m, s)   "{'tool': 'mock', 'model': '" m "', 'toolSpecific': {'script': [" s "]}}"
#define SAY(answer) "{'when': {'prompt_has': 'plan_goal'}, 'say': '" answer "'}"
/* The answer is a JSON text inside the JSON of the script: escape it twice. */
#define T(id, needs)                                                                               \
    "{\\\"id\\\": \\\"" id "\\\", \\\"title\\\": \\\"" id "\\\", \\\"description\\\": \\\"x\\\""   \
    ", \\\"dependencies\\\": [" needs "]}"
#define Q(id) "\\\"" id "\\\""
#define DIAMOND                                                                                    \
    "{\\\"tasks\\\": [" T("end", Q("left") ", " Q("right")) ", " T("left", Q("base")) ", " T(      \
        "right", Q("base")) ", " T("base", "") "]}"
#define CYCLE "{\\\"tasks\\\": [" T("a", Q("b")) ", " T("b", Q("a")) "]}"

#define LIMITED "{'fail': 'rate_limited', 'after_ms': 600000, 'message': 'slow down'}"

static void start(const char *candidates)
{
    struct buf text = {0};
    buf_printf(&text, "%s%s%s", HEAD, candidates, TAIL);
    configure(text.p);
    buf_done(&text);
    options.tooling = tooling;
    goal = goal_start(loop, &options);
    assert_int_equal(ends + (int)events.n, 0); /* no callback before it returns */
}

static void finish(void)
{
    loop_run(loop);
    assert_int_equal(ends, 1);
}

static void run(const char *candidates)
{
    start(candidates);
    finish();
}

static void has(const struct buf *b, const char *text)
{
    if (str_find(buf_str(b), str_from(text)) == b->n)
        fail_msg("no \"%s\" in: %.*s", text, STR_ARG(buf_str(b)));
}

/* ---- answers */

TEST_FIXTURE(setup, teardown);

TEST(a_goal_becomes_a_diamond)
{
    run(WHO("m", SAY(DIAMOND)));
    assert_true(has_plan);
    CHECK_CSTR(buf_str(&said), "");
    CHECK_CSTR(buf_str(&ids), "base left<base right<base end<left,right");
    has(&events, "asking mock m\n");
    check_decisions("m:ok");
    assert_true(file_exists("calls/01-plan-mock.out"));
}

TEST(options_are_copied)
{
    char text[] = "Make a shop", prefix[] = "shop-";
    options.text = str_from(text);
    options.prefix = str_from(prefix);
    options.repo = arena_cstr(&fixture, str_from(call.cwd));
    start(WHO("m", "{'when': {'prompt_has': ['Make a shop', 'plan_goal']}, 'say': '" DIAMOND "'}"));
    memset(text, 'x', sizeof text - 1);
    memset(prefix, 'x', sizeof prefix - 1);
    memset((char *)(uintptr_t)options.repo, 'x', strlen(options.repo));
    finish();
    CHECK_CSTR(buf_str(&ids), "shop-base shop-left<shop-base shop-right<shop-base "
                              "shop-end<shop-left,shop-right");
}

TEST(a_bad_answer_is_asked_for_again_with_the_error)
{
    run(WHO("m",
            SAY("I would rather not.") ", {'when': {'prompt_has': ['I would rather not.', "
                                       "'it contains no JSON object']}, 'say': '" CYCLE "'}, "
                                       "{'when': {'prompt_has': ['the dependencies form a cycle: a "
                                       "-> b -> a', "
                                       "'Make a shop']}, 'say': '" DIAMOND "'}"));
    assert_true(has_plan);
    CHECK_CSTR(buf_str(&ids), "base left<base right<base end<left,right");
    has(&events, "the plan cannot be used: it contains no JSON object\n");
    has(&events, "the plan cannot be used: the dependencies form a cycle: a -> b -> a\n");
    check_decisions("m:ok m:ok m:ok");
    assert_true(file_exists("calls/03-plan-mock.out"));
}

TEST(planning_ends_after_three_answers)
{
    run(WHO("m", "{'say': 'no', 'repeat': true}"));
    assert_false(has_plan);
    CHECK_CSTR(buf_str(&said), "the plan cannot be used: it contains no JSON object (3 tries)");
    check_decisions("m:ok m:ok m:ok");
}

/* ---- candidates */

TEST(another_candidate_follows_a_limited_one)
{
    run(WHO("first", LIMITED) ", " WHO("second", SAY(DIAMOND)));
    assert_true(has_plan);
    has(&events, "asking mock first\n");
    has(&events, "mock: rate_limited until ");
    has(&events, "slow down");
    has(&events, "asking mock second\n");
    check_decisions("second:ok first:rate_limited");
}

TEST(without_a_candidate_left_planning_fails)
{
    run(WHO("m", "{'fail': 'rate_limited', 'after_ms': 600000}"));
    assert_false(has_plan);
    has(&said, "no candidate for plan: mock m");
}

TEST(without_an_installed_agent_nothing_runs)
{
    run("{'tool': 'claude-code', 'model': 'x', 'cliPath': '/nowhere/claude'}");
    assert_false(has_plan);
    has(&said, "no candidate for plan: claude-code x");
    CHECK_CSTR(buf_str(&events), "");
}

TEST(an_invalid_goal_is_not_asked)
{
    options.text = STR("  ");
    run(WHO("m", SAY(DIAMOND)));
    assert_false(has_plan);
    has(&said, "the goal is empty");
    check_decisions("");
}

/* ---- Ctrl-C */

static void check_stopped(const char *decisions)
{
    finish();
    assert_false(has_plan);
    CHECK_CSTR(buf_str(&said), "interrupted");
    check_decisions(decisions);
}

TEST(it_can_be_stopped_before_it_began)
{
    start(WHO("m", SAY(DIAMOND)));
    goal_stop(goal);
    check_stopped("");
}

TEST(it_can_be_stopped_during_an_answer)
{
    stop_at = "asking mock";
    start(WHO("m", "{'sleep_ms': 3600000, 'say': 'late'}"));
    check_stopped("m:killed");
}

TEST(it_can_be_stopped_between_two_tries)
{
    stop_at = "cannot be used";
    start(WHO("m", "{'say': 'no', 'repeat': true}"));
    check_stopped("m:ok");
}

TEST(stopping_twice_is_fine)
{
    start(WHO("m", SAY(DIAMOND)));
    goal_stop(goal);
    goal_stop(goal);
    check_stopped("");
}
