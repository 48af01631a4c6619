/* The kinds of agents: one table of names, programs and accounts.
 *
 *     enum agent_kind k = agent_kind_find(STR("claude-code"));     // also "claude-code-cli"
 *     const char *program = agent_kind_row(k)->program;            // "claude"
 *
 * The account of a candidate is the name of the variable that holds its key (never the key itself),
 * because providers limit accounts. It is the first variable of the row that the candidate's env
 * sets, else the first that the process has. A value "env:WORK_KEY" makes it WORK_KEY; a folder
 * that the candidate sets (CODEX_HOME, CLAUDE_CONFIG_DIR) is the account itself. A variable that
 * the candidate's env sets to "" does not count. Without any it is "login": the program's own
 * login.
 */
#pragma once

#include "base/str.h"

struct json;

enum agent_kind {
    AGENT_NONE,
    AGENT_CODEX,  /* codex-cli */
    AGENT_CLAUDE, /* claude-code */
    AGENT_GEMINI, /* gemini-cli */
    AGENT_CURSOR, /* cursor-cli */
    AGENT_OPENAI, /* openai-chat: an HTTP request, no program */
    AGENT_MOCK,   /* mock: plays a script, for tests */
    AGENT_KIND_COUNT
};

#define AGENT_KIND_ACCOUNTS 6

struct agent_kind_row {
    const char *name;    /* as in tooling.json */
    const char *alias;   /* also accepted; NULL: none */
    const char *program; /* looked up in PATH; NULL: none is needed */
    /* variables that hold the key; the first one that is set counts */
    const char *accounts[AGENT_KIND_ACCOUNTS];
    const char *about; /* for people: "OpenAI Codex" */
};

const struct agent_kind_row *agent_kind_row(enum agent_kind kind); /* not for AGENT_NONE */
enum agent_kind agent_kind_find(struct str name);                  /* AGENT_NONE: unknown */
const char *agent_kind_name(enum agent_kind kind);

/* Return the account. env: the candidate's object, or NULL. `get` is getenv(), or a replacement in
 * tests. */
typedef const char *agent_kind_env_fn(const char *name, void *ctx);
struct str agent_kind_account(enum agent_kind kind, const struct json *env, agent_kind_env_fn *get,
                              void *ctx);
