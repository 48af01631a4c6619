/* The configuration of who does what: profiles, five categories, candidates, force mode.
 *
 *     struct tooling *t = tooling_read(&doc, STR(""), &err);  // or STR("/runner/tooling")
 *     const struct tooling_category *c = tooling_category(t, CATEGORY_WORKER);
 *     c->candidates[0].tool ...
 *     tooling_unref(t);
 *
 * Names are taken in camelCase and in snake_case (activeProfile, active_profile). What is read is
 * complete and checked; it does not change any more and keeps its own memory, whatever happens to
 * the text. It is counted, because a call keeps the one it began with while a newer file is read.
 *
 * A fault is ERR_CONFIG_VALIDATION with file, line, column, pointer, and what is allowed: unknown
 * tool, category or strategy (with the nearest name), duplicate profile id, no candidates, negative
 * cooldown, an activeProfile that does not exist, a wrong type. Unknown keys are no fault: each is
 * a warning with the nearest known one, and stays in the file when we write it.
 *
 * weight: 0 disables a candidate; missing, or negative, it is 1 (the latter with a warning).
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
    struct str model; /* empty: the tool's own default */
    double weight;    /* 0: disabled */
    struct str cli_path;
    const struct json *flags; /* an array of texts, or NULL */
    const struct json *env;   /* an object of texts, or NULL; "env:NAME" is looked up at use */
    const struct json *tool_specific; /* an object, or NULL */
    struct str system_prompt;
};

struct tooling_category {
    enum strategy strategy;
    const struct candidate *candidates;
    size_t count;         /* 0: the category has no settings of its own */
    bool fallback;        /* go on with another candidate: fallbackOnRateLimit, default true */
    uint64_t cooldown_ms; /* the least time a limited candidate rests */
};

struct tooling_profile {
    struct str id, name;
    struct tooling_category categories[CATEGORY_COUNT];
};

struct tooling {
    const struct tooling_profile *profiles;
    size_t profile_count;
    const struct tooling_profile *active;
    bool forced; /* force.enabled, and it names a tool */
    struct candidate force;
    struct str warnings[TOOLING_MAX_WARNINGS];
    size_t warning_count;
    const struct json *source; /* as it was read */
    /* private */
    struct arena arena;
    unsigned refs;
};

/* `at` points to the object inside the document. NULL and *err if it is not right. */
struct tooling *tooling_read(const struct doc *doc, struct str at, struct error *err);
struct tooling *tooling_default(void); /* `balanced` active, `fast` beside it */
struct str tooling_default_text(void); /* the same as the JSON text of a file */
struct tooling *tooling_ref(struct tooling *t);
void tooling_unref(struct tooling *t); /* NULL is fine */

const char *tooling_category_name(enum category c);
bool tooling_category_find(struct str name, enum category *out);
const char *tooling_strategy_name(enum strategy s);

/* Settings of the active profile: the category's own, else meta's. NULL if neither has any. */
const struct tooling_category *tooling_category(const struct tooling *t, enum category c);
/* The same by name: an unknown one is answered with meta's, as the seed has it. */
const struct tooling_category *tooling_category_named(const struct tooling *t, struct str name);
const struct tooling_profile *tooling_profile(const struct tooling *t, struct str id);
/* The same of any profile. */
const struct tooling_category *tooling_profile_category(const struct tooling_profile *p,
                                                        enum category c);

/* For the `runner.tooling` of a Task YAML: snake_case keys, block style, `indent` blanks. */
struct buf;
void tooling_write_yaml(const struct tooling *t, struct buf *out, size_t indent);

/* $MULTIVERSE_HOME, else ~/.multiverse; made (0700) if asked to. ERR_IO if there is no home. */
bool tooling_home(struct buf *out, bool make, struct error *err);
bool tooling_home_make(const char *folder, struct error *err); /* one in it, 0700; fine if there */
