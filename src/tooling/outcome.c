#include "tooling/outcome.h"

#include <assert.h>

#define SECOND 1000ull
#define MINUTE (60 * SECOND)
#define HOUR   (60 * MINUTE)
#define DAY    (24 * HOUR)

static const struct outcome_row rows[OUTCOME_CLASS_COUNT] = {
    [OUTCOME_OK] = {"ok", SCOPE_NONE, false, 0, 0, false, "it did what it was asked"},
    [OUTCOME_RATE_LIMITED] = {"rate_limited", SCOPE_ACCOUNT_MODEL, true, 30 * SECOND, DAY, true,
                              "too many requests"},
    [OUTCOME_USAGE_LIMITED] = {"usage_limited", SCOPE_ACCOUNT, true, HOUR, 8 * DAY, false,
                               "the usage of this plan is used up"},
    [OUTCOME_BILLING] = {"billing", SCOPE_ACCOUNT, true, HOUR, 8 * DAY, false,
                         "no credit, or not in the plan"},
    [OUTCOME_OVERLOADED] = {"overloaded", SCOPE_TOOL_MODEL, true, 30 * SECOND, 15 * MINUTE, true,
                            "the provider has no capacity"},
    [OUTCOME_SERVER] = {"server", SCOPE_TOOL_MODEL, true, 30 * SECOND, 15 * MINUTE, true,
                        "the provider failed or was not reached"},
    [OUTCOME_AUTH] = {"auth", SCOPE_ACCOUNT, true, HOUR, DAY, false,
                      "not signed in, or a key that is not taken"},
    [OUTCOME_MODEL] = {"model", SCOPE_ACCOUNT_MODEL, true, HOUR, DAY, false,
                       "the model is not there for this account"},
    [OUTCOME_REQUEST] = {"request", SCOPE_NONE, false, 0, 0, false,
                         "the request itself was refused"},
    [OUTCOME_BUDGET] = {"budget", SCOPE_NONE, false, 0, 0, false,
                        "a limit that we set was reached"},
    [OUTCOME_KILLED] = {"killed", SCOPE_NONE, false, 0, 0, false, "it was stopped"},
    [OUTCOME_INCOMPLETE] = {"incomplete", SCOPE_TOOL_MODEL, true, 30 * SECOND, 15 * MINUTE, true,
                            "it ended without a result"},
    [OUTCOME_LAUNCH] = {"launch", SCOPE_TOOL_MODEL, true, 5 * MINUTE, HOUR, false,
                        "it could not be started"},
};

static const char *const scopes[SCOPE_COUNT] = {
    [SCOPE_NONE] = "none",
    [SCOPE_ACCOUNT_MODEL] = "account+model",
    [SCOPE_ACCOUNT] = "account",
    [SCOPE_TOOL_MODEL] = "tool+model",
};

const struct outcome_row *outcome_row(enum outcome_class class)
{
    assert(class < OUTCOME_CLASS_COUNT);
    return &rows[class];
}

const char *outcome_name(enum outcome_class class)
{
    return outcome_row(class)->name;
}

bool outcome_find(struct str name, enum outcome_class *out)
{
    for (enum outcome_class c = 0; c < OUTCOME_CLASS_COUNT; c++)
        if (str_eq(name, str_from(rows[c].name))) {
            *out = c;
            return true;
        }
    return false;
}

const char *outcome_scope_name(enum outcome_scope scope)
{
    assert(scope < SCOPE_COUNT);
    return scopes[scope];
}
