#include "tooling/tooling.h"

#include <assert.h>
#include <stdlib.h>

static const char *const categories[CATEGORY_COUNT] = {
    [CATEGORY_META] = "meta",           [CATEGORY_PLAN] = "plan",     [CATEGORY_TASK] = "task",
    [CATEGORY_EXECUTION] = "execution", [CATEGORY_WORKER] = "worker",
};

static const char *const strategies[STRATEGY_COUNT] = {
    [STRATEGY_WEIGHTED] = "weighted",
    [STRATEGY_ROUND_ROBIN] = "round_robin",
    [STRATEGY_PRIORITY] = "priority",
    [STRATEGY_LEAST_RECENT] = "least_recent",
};

const char *category_name(enum category c)
{
    assert(c < CATEGORY_COUNT);
    return categories[c];
}

bool category_find(struct str name, enum category *out)
{
    for (enum category c = 0; c < CATEGORY_COUNT; c++)
        if (str_eq(name, str_from(categories[c]))) {
            *out = c;
            return true;
        }
    return false;
}

const char *strategy_name(enum strategy s)
{
    assert(s < STRATEGY_COUNT);
    return strategies[s];
}

struct tooling *tooling_ref(struct tooling *t)
{
    assert(t->refs > 0);
    t->refs++;
    return t;
}

void tooling_unref(struct tooling *t)
{
    if (!t || --t->refs > 0)
        return;
    arena_done(&t->arena);
    free(t);
}

const struct tooling_category *tooling_profile_category(const struct tooling_profile *p,
                                                        enum category c)
{
    assert(c < CATEGORY_COUNT);
    const struct tooling_category *own = &p->categories[c];
    const struct tooling_category *meta = &p->categories[CATEGORY_META];
    return own->count ? own : meta->count ? meta : NULL;
}

const struct tooling_category *tooling_category(const struct tooling *t, enum category c)
{
    return tooling_profile_category(t->active, c);
}

const struct tooling_category *tooling_category_named(const struct tooling *t, struct str name)
{
    enum category c;
    return tooling_category(t, category_find(name, &c) ? c : CATEGORY_META);
}

const struct tooling_profile *tooling_profile(const struct tooling *t, struct str id)
{
    for (size_t i = 0; i < t->profile_count; i++)
        if (str_eq(t->profiles[i].id, id))
            return &t->profiles[i];
    return NULL;
}
