/* How an agent is called: the command line, the environment, what goes to its standard input.
 *
 *     struct provider_launch l = {0};
 *     if (!provider_build(&call, &l, &err)) ...
 *     struct process_options o = {.argv = l.argv, .env = l.env, .cwd = l.cwd};
 *     provider_launch_done(&l);                 // removes the files it made
 *
 * One file for each tool (provider_claude.c, ...), pure but for files in call->dir: the settings
 * and MCP servers of this one call. The user's own settings are never touched. Every tool is a
 * child process; openai-chat and mock are this program itself (`multiverse agent-chat`,
 * `agent-mock`), so that time-outs, kills, bounds and transcripts are the same for all.
 *
 * The prompt goes to standard input. Keys go into the environment, never into argv. The tool's
 * own retries are cut to one attempt: the policy is ours. The user's environment and logins hold;
 * on top of it come the candidate's env and what the provider needs.
 *
 * A relative cliPath with a slash is relative to the folder this program was started in; a name
 * without one is looked up in the PATH that the child gets.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "tooling/tooling.h"

enum provider_mode {
    PROVIDER_READ, /* it may look, not change: meta calls */
    PROVIDER_WRITE /* it may change files in cwd: workers */
};

struct provider_mcp {  /* our server for this one call */
    const char *url;   /* "http://127.0.0.1:48091/mcp"; NULL: none */
    const char *token; /* NULL: none; given through the environment or a 0600 file only */
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
    bool is_sandboxed; /* inside a wall of ours (sandbox.h): the tool's own cannot stand in it */
};

struct provider_launch {
    const char **argv; /* NULL ends */
    const char **env;  /* "NAME=value", complete; NULL ends */
    const char *cwd;
    struct str input;
    struct str session_logs; /* codex: the folder where rollout files are; else empty */
    /* values that must never be shown: keys, tokens */
    const struct str *secrets;
    size_t secret_count;

    /* What a wall must let through. Lists end with NULL. */
    const char *program; /* argv[0] as on any machine: "codex"; a path where one was configured */
    bool is_self;        /* it is this program: argv[0] exists here only */
    bool is_request;     /* it only sends a request, and touches nothing: it needs no wall */
    const char **variables; /* names of variables: the candidate's, the provider's, the account's */
    const char **homes;     /* the tool's own folders and files: its login, its settings */
    const char *folder;     /* in call->dir, 0700: files of this call; NULL: none were made */
    const char **after_kill; /* a command to run if it was killed; NULL: none (sandbox.h) */
    struct arena arena;
};

/* ERR_CONFIG_VALIDATION: "env:NAME" and there is no NAME (which says so), a bad toolSpecific. */
bool provider_build(const struct provider_call *call, struct provider_launch *out,
                    struct error *err);
void provider_launch_done(struct provider_launch *l);

/* Whether toolSpecific, flags and env are such as the tool takes, without looking at this machine;
 * for `tooling validate`. ERR_CONFIG_VALIDATION names the candidate, the key and what is allowed.
 */
bool provider_check(const struct candidate *c, struct error *err);
/* The same of all candidates of all profiles, which were read from the document `at` there: the
 * fault has its place (doc_fail). */
bool provider_check_all(const struct doc *doc, struct str at, const struct tooling *t,
                        struct error *err);

/* Whether the candidate could run here: cli_path or the program in PATH is executable; openai-chat
 * has its key (of the candidate's env, else OPENAI_API_KEY); variables its env names are there.
 * ctx is the `const struct sandbox *` it would run in, or NULL: the program of a container is not
 * looked for on this machine. The signature is ledger_available_fn. */
bool provider_is_available(const struct candidate *c, char why[128], void *ctx);

/* What `tooling doctor` shows; calls no model. Blocking, some 100 ms up to PROVIDER_DOCTOR_MS. */
#define PROVIDER_DOCTOR_MS 40000u /* on a busy machine an agent takes ten seconds to begin */
struct provider_health {
    bool found;
    char path[512];
    char version[64];    /* "" not told */
    char account[64];    /* "ANTHROPIC_API_KEY", "login" ... */
    char signed_in[320]; /* "yes (ANTHROPIC_API_KEY is set)", "no: run `codex login`" */
    bool usable;         /* found, it runs, and is signed in or has a key */
};
void provider_doctor(const struct candidate *c, struct provider_health *out);
