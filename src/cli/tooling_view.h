/* What the actions of `multiverse tooling` look at: the configuration in use and the memory of all
 * processes, opened together.
 *
 *     struct tooling_view v;
 *     if (!tooling_view_open(&v, o))            // has said why
 *         return v.code;
 *     v.tooling, v.ledger, v.now ...
 *     tooling_view_close(&v);
 *
 * The exit code is COMMAND_USAGE if it is the file, COMMAND_FAILED if it is the memory.
 *
 * --file FILE takes another file than the user's own. A file that is wrong while a last good copy
 * is in use is a warning.
 */
#pragma once

#include "cli/options.h"
#include "tooling/ledger.h"
#include "tooling/tooling_file.h"

struct tooling_view {
    struct tooling_file *file;
    struct tooling *tooling; /* of the file */
    struct ledger *ledger;   /* NULL: it was not asked for */
    int64_t now;
    struct rng rng;
    uint64_t seed;
    int code; /* could not be opened: how to exit */
};

/* The user's own file, which need not be there, or the one that was named, which must. */
struct tooling_file *tooling_view_file(const char *path, struct error *err);

bool tooling_view_open(struct tooling_view *v, const struct options *o);
/* The configuration alone: nothing is remembered, so it works where nothing can be written. */
bool tooling_view_read(struct tooling_view *v, const struct options *o);
void tooling_view_close(struct tooling_view *v);

/* The state of a category without changing anything: who would be in, who is out and why. NULL: it
 * has been said why. */
struct decision *tooling_view_look(struct tooling_view *v, struct str category);

/* "codex-cli gpt-5.2" */
void tooling_view_put_name(struct buf *out, enum tool_kind tool, struct str model);
/* "in 4 min 10 s", "2 h ago" */
void tooling_view_put_span(struct buf *out, int64_t from, int64_t to);

/* The actions that choose and remember (tooling_choose.c), and those that look at agents
 * (tooling_agents.c). */
int tooling_select(const struct options *o);
int tooling_simulate(const struct options *o);
int tooling_cooldowns(const struct options *o);
int tooling_explain(const struct options *o);
int tooling_doctor(const struct options *o);
int tooling_classify(const struct options *o);
