/* What the actions of `multiverse tooling` share: the configuration in use, and the ledger that all
 * processes share.
 *
 *     struct tooling_command c;
 *     if (!tooling_command_open(&c, o))         // has printed the error
 *         return c.code;
 *     use(c.tooling, c.ledger, c.now);
 *     tooling_command_close(&c);
 *
 * The exit code is COMMAND_USAGE if the file is wrong, COMMAND_FAILED if the ledger cannot be used.
 * --file FILE takes another file than the user's own. A wrong file is a warning as long as the last
 * good copy of it is in use.
 */
#pragma once

#include "cli/options.h"
#include "tooling/ledger.h"
#include "tooling/tooling_file.h"

struct tooling_command {
    struct tooling_file *file;
    struct tooling *tooling; /* of the file */
    struct ledger *ledger;   /* NULL: not opened */
    int64_t now;             /* unix ms */
    struct rng rng;
    uint64_t seed;
    int code; /* exit code if it could not be opened */
};

/* Open the user's own file, which need not exist, or the one at `path`, which must. */
struct tooling_file *tooling_command_open_file(const char *path, struct error *err);

bool tooling_command_open(struct tooling_command *c, const struct options *o);
/* Open the configuration without the ledger: works where nothing can be written. */
bool tooling_command_read(struct tooling_command *c, const struct options *o);
void tooling_command_close(struct tooling_command *c);

/* Return the state of every candidate of a category without changing anything, or NULL after
 * printing the error. */
struct decision *tooling_command_decide(struct tooling_command *c, struct str category);

/* "codex-cli gpt-5.2" */
void tooling_command_put_name(struct buf *out, enum agent_kind tool, struct str model);

/* The actions that have a file of their own. */
int cmd_tooling_choice_select(const struct options *o);
int cmd_tooling_choice_simulate(const struct options *o);
int cmd_tooling_ledger_cooldowns(const struct options *o);
int cmd_tooling_ledger_explain(const struct options *o);
int cmd_tooling_agents_doctor(const struct options *o);
int cmd_tooling_agents_classify(const struct options *o);
