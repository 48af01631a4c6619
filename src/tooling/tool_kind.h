/* The agents we can put to work: one table of names, programs and accounts.
 *
 *     enum tool_kind k = tool_kind_find(STR("claude-code"));     // also "claude-code-cli"
 *     tool_kind_row(k)->program                                  // "claude"
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

enum tool_kind {
    TOOL_NONE,
    TOOL_CODEX,  /* codex-cli */
    TOOL_CLAUDE, /* claude-code */
    TOOL_GEMINI, /* gemini-cli */
    TOOL_CURSOR, /* cursor-cli */
    TOOL_OPENAI, /* openai-chat: no program, an HTTP request */
    TOOL_MOCK,   /* mock: plays a script, for tests and try-outs */
    TOOL_KIND_COUNT
};

#define TOOL_KIND_ACCOUNTS 6

struct tool_kind_row {
    const char *name;                         /* as in tooling.json */
    const char *alias;                        /* also taken; NULL: none */
    const char *program;                      /* looked up in PATH; NULL: none is needed */
    const char *accounts[TOOL_KIND_ACCOUNTS]; /* variables that hold the key, first one wins */
    const char *about;                        /* a phrase for people: "OpenAI Codex" */
};

const struct tool_kind_row *tool_kind_row(enum tool_kind kind); /* not of TOOL_NONE */
enum tool_kind tool_kind_find(struct str name);                 /* TOOL_NONE: unknown */
const char *tool_kind_name(enum tool_kind kind);

/* env: the candidate's object, or NULL. getenv is asked through `get`, so that it can be tested. */
typedef const char *tool_kind_env_fn(const char *name, void *ctx);
struct str tool_kind_account(enum tool_kind kind, const struct json *env, tool_kind_env_fn *get,
                             void *ctx);
