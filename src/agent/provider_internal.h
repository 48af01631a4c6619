/* What the providers share: a launch is built step by step.
 *
 *     static bool build_launch(struct provider_build *b, struct error *err)
 *     {
 *         const char *path;
 *         provider_add_arg(b, "exec");
 *         provider_env_default(b, "DISABLE_AUTOUPDATER", "1");
 *         return provider_write_file(b, "mcp.json", text, &path, err);
 *     }
 *     const struct provider_impl provider_codex = {options, build, NULL};
 *
 * When build() is called, the environment is complete (this process's and the candidate's) and
 * argv[0] is set. After build() come the candidate's flags, then the arguments of finish().
 */
#pragma once

#include "agent/provider.h"
#include "base/buf.h"
#include "base/json.h"

#define PROVIDER_TOOL_S 3600u /* a call of our MCP server may run the tests of a large project */

enum provider_option_kind {
    OPTION_TEXT,
    OPTION_CHOICE, /* one of `choices` */
    OPTION_COUNT,  /* an integer, 1 or more */
    OPTION_NUMBER, /* 0 or more */
    OPTION_FLAG,
    OPTION_TEXTS,
    OPTION_ANY
};

struct provider_option { /* of toolSpecific; a NULL name ends the list */
    const char *name;    /* snake_case; camelCase is accepted */
    enum provider_option_kind kind;
    const char *choices; /* OPTION_CHOICE: "low medium high" */
};

struct provider_build {
    const struct provider_call *call;
    struct provider_launch *out;
    /* private */
    size_t arg_count, arg_cap, env_count, env_cap, secret_cap, need_count, need_cap, home_count,
        home_cap;
};

struct provider_impl {
    const struct provider_option *options;
    bool (*build)(struct provider_build *b, struct error *err);
    void (*finish)(struct provider_build *b); /* after the candidate's flags; may be NULL */
};

extern const struct provider_impl provider_codex, provider_claude, provider_gemini, provider_cursor,
    provider_openai, provider_mock;
const struct provider_impl *provider_impl(enum agent_kind kind);

/* Set the environment: this process's, changed by the candidate's env. */
bool provider_add_env(struct provider_build *b, struct error *err);

void provider_add_arg(struct provider_build *b, const char *arg); /* copies it */
void provider_add_argf(struct provider_build *b, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void provider_add_args(struct provider_build *b, const char *const *args); /* NULL ends */

/* Return the value of a variable, or NULL if it is not set or empty. */
const char *provider_env_get(const struct provider_build *b, const char *name);
/* Whether the candidate's env sets the variable. */
bool provider_env_is_own(const struct provider_build *b, const char *name);
void provider_env_set(struct provider_build *b, const char *name, const char *value);
void provider_env_default(struct provider_build *b, const char *name, const char *value);
void provider_env_drop(struct provider_build *b, const char *name);
/* Pass the variable into a sandbox if it is set. */
void provider_pass_variable(struct provider_build *b, const char *name);
/* Allow a path of the agent in a sandbox; it need not exist. */
void provider_add_home(struct provider_build *b, const char *path);
void provider_add_secret(struct provider_build *b, struct str value);

/* Return the private folder of this call, made on first use, or NULL and *err. */
const char *provider_make_folder(struct provider_build *b, struct error *err);
/* Write a file (0600) in that folder. */
bool provider_write_file(struct provider_build *b, const char *name, struct str text,
                         const char **path, struct error *err);

/* Return the child's home folder, or "/". */
const char *provider_user_home(const struct provider_build *b);
/* Return the value of the variable (may be NULL) if it is set, else HOME/folder. */
const char *provider_home_path(const struct provider_build *b, const char *variable,
                               const char *folder);

/* Return a value of toolSpecific by its snake_case name, or NULL. It was checked. */
const struct json *provider_find_option(const struct candidate *c, const char *name);
const char *provider_option_text(struct provider_build *b, const char *name); /* or NULL */

const char *provider_model(struct provider_build *b); /* or NULL */
/* Return the system prompt followed by the prompt. */
struct str provider_whole_prompt(struct provider_build *b);

/* Return the model provider that Codex is configured for if it is not OpenAI, else an empty text.
 * It needs no login then. */
struct str provider_codex_model_provider(struct provider_build *b);

const char *provider_candidate_name(const struct candidate *c,
                                    char to[96]); /* "codex-cli gpt-5.2" */

/* Find a program on this machine; path is the value of PATH. Return false and set why. */
bool provider_find_program(struct str name, const char *path, struct buf *out, char why[128]);

/* Find the value of a variable in the candidate's child; NULL if it is not set. Return false if the
 * candidate's env says env:NAME and NAME (*missing) is not set. */
bool provider_find_variable(const struct candidate *c, const char *name, const char **value,
                            struct str *missing, struct arena *a);
