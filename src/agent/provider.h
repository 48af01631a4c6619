/* How an agent is started: command line, environment, standard input.
 *
 *     struct provider_launch l = {0};
 *     if (!provider_build(&call, &l, &err)) ...
 *     struct process_options o = {.argv = l.argv, .env = l.env, .cwd = l.cwd};
 *     provider_launch_done(&l);                 // removes the files it made
 *
 * One file for each agent (provider_claude.c, ...), pure except for files in call->dir: the
 * settings and MCP servers of this call. The user's own settings are never changed. Every agent is
 * a child process; openai-chat and mock are this program (`multiverse agent-chat`, `agent-mock`),
 * so that time limits, kills, bounds and transcripts are the same for all.
 *
 * The prompt goes to standard input. Keys go into the environment, never into argv. The agent's own
 * retries are reduced to one attempt, because the dispatch retries. The child inherits the user's
 * environment and logins, plus the candidate's env and what the provider needs.
 *
 * A relative cliPath with a slash is relative to the folder this program was started in; a name
 * without a slash is looked up in the child's PATH.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "tooling/tooling.h"

enum provider_mode {
    PROVIDER_READ, /* may read, not change files: meta calls */
    PROVIDER_WRITE /* may change files in cwd: workers */
};

struct provider_mcp {  /* our MCP server for this call */
    const char *url;   /* "http://127.0.0.1:48091/mcp"; NULL: none */
    const char *token; /* NULL: none; passed in the environment or a 0600 file */
};

struct provider_call {
    const struct candidate
        *candidate; /* tool, model, cli_path, flags, env, tool_specific, system_prompt */
    enum provider_mode mode;
    struct str prompt;
    const char *cwd; /* the repo */
    const char *dir; /* a private folder (0700) for files of this call; absolute */
    struct provider_mcp mcp;
    const char *self;  /* path of this program */
    bool is_sandboxed; /* in our sandbox (sandbox.h): the agent's own cannot run inside it */
};

struct provider_launch {
    const char **argv; /* NULL ends */
    const char **env;  /* "NAME=value", complete; NULL ends */
    const char *cwd;
    struct str input;
    struct str session_logs; /* codex: the folder of its session logs; else empty */
    /* values to mask: keys, tokens */
    const struct str *secrets;
    size_t secret_count;

    /* What a sandbox must allow. Lists end with NULL. */
    const char *program;     /* argv[0] for another machine: "codex", or the configured path */
    bool is_self;            /* it is this program: argv[0] exists only here */
    bool is_request;         /* it only sends a request: it needs no sandbox */
    const char **variables;  /* names: the candidate's, the provider's, the account's */
    const char **homes;      /* the agent's folders and files: login, settings */
    const char *folder;      /* in call->dir, 0700: files of this call; NULL: none */
    const char **after_kill; /* command to run after a kill; NULL: none */
    struct arena arena;
};

/* Fail with ERR_CONFIG_VALIDATION if a variable of "env:NAME" is not set or toolSpecific is
 * invalid. */
bool provider_build(const struct provider_call *call, struct provider_launch *out,
                    struct error *err);
void provider_launch_done(struct provider_launch *l);

/* Check toolSpecific, flags and env without looking at this machine, for `tooling validate`.
 * ERR_CONFIG_VALIDATION names the candidate, the key and what is allowed. */
bool provider_check(const struct candidate *c, struct error *err);
/* Check all candidates of all profiles. They were read from the document at the pointer `at`; the
 * error has line and column (doc_fail). */
bool provider_check_all(const struct doc *doc, struct str at, const struct tooling *t,
                        struct error *err);

/* Whether the candidate could run here: its program is executable, openai-chat has a key
 * (OPENAI_API_KEY in the candidate's env or ours), and the variables that its env names are set.
 * ctx is the `const struct sandbox *` it would run in, or NULL; the program of a container is not
 * checked on this machine. The signature is ledger_available_fn. */
bool provider_is_available(const struct candidate *c, char why[128], void *ctx);

/* Check a candidate for `tooling doctor`, without a call to a model. Blocks for about 100 ms, at
 * most PROVIDER_DOCTOR_MS. */
#define PROVIDER_DOCTOR_MS 40000u /* an agent may take 10 s to start on a busy machine */
struct provider_health {
    bool found;
    char path[512];
    char version[64];    /* "": unknown */
    char account[64];    /* "ANTHROPIC_API_KEY", "login" ... */
    char signed_in[320]; /* "yes (ANTHROPIC_API_KEY is set)", "no: run `codex login`" */
    bool usable;         /* found, runs, and is signed in or has a key */
};
void provider_doctor(const struct candidate *c, struct provider_health *out);
