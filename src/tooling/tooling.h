/* The configuration of agents: profiles, five categories, candidates, force mode.
 *
 *     struct tooling *t = tooling_read(&doc, STR(""), &err);  // or STR("/runner/tooling")
 *     const struct tooling_category *c = tooling_category(t, CATEGORY_WORKER);
 *     enum agent_kind kind = c->candidates[0].tool;
 *     tooling_unref(t);
 *
 * Names may be in camelCase or snake_case (activeProfile, active_profile). A tooling is complete,
 * checked and immutable, and owns its memory. It is reference-counted, because a call keeps its
 * tooling while a newer file is read.
 *
 * An error is ERR_CONFIG_VALIDATION with file, line, column, pointer, and what is allowed: unknown
 * agent, category or strategy (with the nearest name), duplicate profile id, no candidates,
 * negative cooldown, an activeProfile that does not exist, a wrong type. An unknown key is a
 * warning with the nearest known one, and stays in the file when we write it.
 *
 * weight: 0 disables a candidate; missing or negative means 1 (the latter with a warning).
 * Spec: docs/spec/30-tooling.md, 1.
 */
#pragma once

#include "doc/doc.h"
#include "tooling/agent_kind.h"

enum category {
    CATEGORY_META,
    CATEGORY_PLAN,
    CATEGORY_TASK,
    CATEGORY_EXECUTION,
    CATEGORY_WORKER,
    CATEGORY_COUNT
};

enum strategy {
    STRATEGY_WEIGHTED,
    STRATEGY_ROUND_ROBIN,
    STRATEGY_PRIORITY,
    STRATEGY_LEAST_RECENT,
    STRATEGY_COUNT
};

#define TOOLING_COOLDOWN_SEC     120u
#define TOOLING_MAX_CANDIDATES   64u /* of a category */
#define TOOLING_MAX_PROFILES     64u
#define TOOLING_MAX_WARNINGS     32u
#define TOOLING_MAX_COOLDOWN_SEC (31u * 86400u)
#define TOOLING_MAX_WEIGHT       1e9

struct candidate {
    enum agent_kind tool;
    struct str model; /* empty: the agent's own default */
    double weight;    /* 0: disabled */
    struct str cli_path;
    const struct json *flags;         /* an array of strings, or NULL */
    const struct json *env;           /* an object of strings, or NULL; "env:NAME" is read at use */
    const struct json *tool_specific; /* an object, or NULL */
    struct str system_prompt;
};

struct tooling_category {
    enum strategy strategy;
    const struct candidate *candidates;
    size_t count;  /* 0: the category has no settings of its own */
    bool fallback; /* after a failure, try another candidate: fallbackOnRateLimit, default true */
    uint64_t cooldown_ms; /* minimum cooldown after a limit */
};

struct tooling_profile {
    struct str id, name;
    struct tooling_category categories[CATEGORY_COUNT];
};

struct tooling {
    const struct tooling_profile *profiles;
    size_t profile_count;
    const struct tooling_profile *active;
    bool forced; /* force.enabled, with an agent */
    struct candidate force;
    struct str warnings[TOOLING_MAX_WARNINGS];
    size_t warning_count;
    const struct json *source; /* as it was read */
    /* private */
    struct arena arena;
    unsigned refs;
};

/* Read the object at the JSON pointer `at`. Return NULL and set *err if it is not valid. */
struct tooling *tooling_read(const struct doc *doc, struct str at, struct error *err);
struct tooling *tooling_default(void); /* `balanced` is active, `fast` the other profile */
struct str tooling_default_text(void); /* the same as JSON text */
struct tooling *tooling_ref(struct tooling *t);
void tooling_unref(struct tooling *t); /* t may be NULL */

const char *tooling_category_name(enum category c);
bool tooling_category_find(struct str name, enum category *out);
const char *tooling_strategy_name(enum strategy s);

/* The settings of the active profile: the category's own, else meta's, or NULL. */
const struct tooling_category *tooling_category(const struct tooling *t, enum category c);
/* The same by name; an unknown name has meta's settings. */
const struct tooling_category *tooling_category_named(const struct tooling *t, struct str name);
const struct tooling_profile *tooling_profile(const struct tooling *t, struct str id);
/* The same for any profile. */
const struct tooling_category *tooling_profile_category(const struct tooling_profile *p,
                                                        enum category c);

/* Write it for the `runner.tooling` of a Task YAML: snake_case keys, block style, `indent`
 * blanks. */
struct buf;
void tooling_write_yaml(const struct tooling *t, struct buf *out, size_t indent);

/* Add the home folder: $MULTIVERSE_HOME, else ~/.multiverse. Create it (0700) if `make`. ERR_IO if
 * there is none. */
bool tooling_home(struct buf *out, bool make, struct error *err);
/* create a folder in it, 0700; it may exist */
bool tooling_home_make(const char *folder, struct error *err);
