/* Lists of allowed names for error messages (members_name_fn). */
#pragma once

#include "doc/members.h"
#include "tooling/tooling.h"

static inline struct str tooling_names_tool(const void *ctx, size_t i)
{
    (void)ctx;
    return i + 1 < AGENT_KIND_COUNT ? str_from(agent_kind_name((enum agent_kind)(i + 1)))
                                    : (struct str){0};
}

static inline struct str tooling_names_category(const void *ctx, size_t i)
{
    (void)ctx;
    return i < CATEGORY_COUNT ? str_from(tooling_category_name((enum category)i)) : (struct str){0};
}

static inline struct str tooling_names_strategy(const void *ctx, size_t i)
{
    (void)ctx;
    return i < STRATEGY_COUNT ? str_from(tooling_strategy_name((enum strategy)i)) : (struct str){0};
}

/* ctx: the struct tooling. */
static inline struct str tooling_names_profile(const void *ctx, size_t i)
{
    const struct tooling *t = ctx;
    return i < t->profile_count ? t->profiles[i].id : (struct str){0};
}
