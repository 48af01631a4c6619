/* Choosing a candidate, compared with a bare weighted draw.
 *
 *     build/bench/select_bench [rounds]
 *
 * The selector on the category meta of `balanced`, four candidates: all available; two of them
 * unavailable; round robin instead of chance; as many candidates as a category may have. The bare
 * draw (rng_weighted) uses only the four weights. All sides work in turns, and the best round of
 * each counts. Exits with 1 if a goal is missed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/rng.h"
#include "tooling/select.h"

#define DRAWS   1000000u
#define GOAL_NS 1000.0

struct select_bench {
    struct tooling *tooling;
    struct tooling_category settings;
    struct candidate candidates[TOOLING_MAX_CANDIDATES];
    struct select_fact facts[TOOLING_MAX_CANDIDATES];
    double weights[TOOLING_MAX_CANDIDATES];
    struct rng rng;
};

typedef size_t work_fn(struct select_bench *b);

struct select_side {
    const char *what;
    work_fn *run;
    double best; /* seconds */
};

static size_t draw_bare(struct select_bench *b)
{
    size_t sum = 0;
    for (size_t i = 0; i < DRAWS; i++)
        sum += rng_weighted(&b->rng, b->weights, b->settings.count);
    return sum;
}

static size_t choose_once(struct select_bench *b)
{
    size_t sum = 0;
    struct select_context context = {&b->rng, SELECT_NOBODY};
    for (size_t i = 0; i < DRAWS; i++) {
        struct select_choice c = select_choose(&b->settings, b->facts, &context);
        context.last = c.in_turn ? c.index : context.last;
        sum += c.index;
    }
    return sum;
}

static size_t all_free(struct select_bench *b)
{
    return choose_once(b);
}

static size_t two_out(struct select_bench *b)
{
    b->facts[0].cooldown = COOLDOWN_ACTIVE;
    b->facts[2].unavailable = true;
    size_t sum = choose_once(b);
    memset(b->facts, 0, sizeof b->facts);
    return sum;
}

static size_t in_turn(struct select_bench *b)
{
    b->settings.strategy = STRATEGY_ROUND_ROBIN;
    size_t sum = choose_once(b);
    b->settings.strategy = STRATEGY_WEIGHTED;
    return sum;
}

static size_t choose_of_many(struct select_bench *b)
{
    size_t count = b->settings.count;
    b->settings.count = TOOLING_MAX_CANDIDATES;
    size_t sum = choose_once(b);
    b->settings.count = count;
    return sum;
}

static double cpu_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void measure_side(struct select_side *side, struct select_bench *b)
{
    static volatile size_t sink;
    rng_seed(&b->rng, 1);
    double start = cpu_time();
    sink = side->run(b);
    double took = cpu_time() - start;
    (void)sink;
    if (side->best == 0 || took < side->best)
        side->best = took;
}

/* Its own candidates, repeated if more are needed. */
static bool prepare_candidates(struct select_bench *b)
{
    b->tooling = tooling_default();
    const struct tooling_category *meta = tooling_category(b->tooling, CATEGORY_META);
    bool fine = meta && meta->count == 4 && meta->strategy == STRATEGY_WEIGHTED;
    for (size_t i = 0; fine && i < TOOLING_MAX_CANDIDATES; i++) {
        b->candidates[i] = meta->candidates[i % meta->count];
        b->weights[i] = b->candidates[i].weight;
    }
    if (fine) {
        b->settings = *meta;
        b->settings.candidates = b->candidates;
    }
    return fine;
}

int main(int argc, char **argv)
{
    static struct select_bench b;
    struct select_side sides[] = {{"a bare draw by weight", draw_bare, 0},
                                  {"a choice, all available", all_free, 0},
                                  {"a choice, two of four unavailable", two_out, 0},
                                  {"a choice by round robin", in_turn, 0},
                                  {"a choice among 64", choose_of_many, 0}};
    size_t count = sizeof sides / sizeof *sides;
    long rounds = argc > 1 ? strtol(argv[1], NULL, 10) : 15;
    bool fine = true;
    if (!prepare_candidates(&b)) {
        fprintf(stderr, "select_bench: `balanced` has changed\n");
        return 2;
    }
    for (long i = 0; i < rounds; i++)
        for (size_t s = 0; s < count; s++)
            measure_side(&sides[s], &b);
    puts("| | ns | million a second | by a bare draw | goal, ns |\n|---|---:|---:|---:|---:|");
    for (size_t s = 0; s < count; s++) {
        double ns = sides[s].best / DRAWS * 1e9;
        bool has_goal = s > 0 && s + 1 < count, met = !has_goal || ns < GOAL_NS;
        printf("| %s | %.1f | %.1f | %.2f | %s%s |\n", sides[s].what, ns, 1e3 / ns,
               sides[s].best / sides[0].best, has_goal ? "1000" : "", met ? "" : " MISSED");
        fine &= met;
    }
    tooling_unref(b.tooling);
    return fine ? 0 : 1;
}
