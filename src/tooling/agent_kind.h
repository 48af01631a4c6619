/* The agents we can put to work: one table of names, programs and accounts.
 *
 *     enum agent_kind k = agent_kind_find(STR("claude-code"));     // also "claude-code-cli"
 *     agent_kind_row(k)->program                                  // "claude"
 *
 * The account of a candidate is named by the variable that holds its key (never by the key): the
 * limits of a provider are those of an account. In the order of the row, the first variable that
 * the candidate's env sets, else that the process has, names it; a value "env:WORK_KEY" makes it
 * WORK_KEY, a folder that the candidate sets (CODEX_HOME, CLAUDE_CONFIG_DIR) is named by itself.
 * One that the candidate's env sets to nothing is not there. Without any it is "login": what the
 * program itself is signed in with.
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
    AGENT_OPENAI, /* openai-chat: no program, an HTTP request */
    AGENT_MOCK,   /* mock: plays a script, for tests and try-outs */
    AGENT_KIND_COUNT
};

#define AGENT_KIND_ACCOUNTS 6

struct agent_kind_row {
    const char *name;                          /* as in tooling.json */
    const char *alias;                         /* also taken; NULL: none */
    const char *program;                       /* looked up in PATH; NULL: none is needed */
    const char *accounts[AGENT_KIND_ACCOUNTS]; /* variables that hold the key, first one wins */
    const char *about;                         /* a phrase for people: "OpenAI Codex" */
};

const struct agent_kind_row *agent_kind_row(enum agent_kind kind); /* not of AGENT_NONE */
enum agent_kind agent_kind_find(struct str name);                  /* AGENT_NONE: unknown */
const char *agent_kind_name(enum agent_kind kind);

/* env: the candidate's object, or NULL. getenv is asked through `get`, so that it can be tested. */
typedef const char *agent_kind_env_fn(const char *name, void *ctx);
struct str agent_kind_account(enum agent_kind kind, const struct json *env, agent_kind_env_fn *get,
                              void *ctx);
