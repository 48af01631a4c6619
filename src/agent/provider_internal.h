/* What the files of the providers share: a launch that is put together piece by piece.
 *
 *     static bool build(struct provider_build *b, struct error *err)
 *     {
 *         provider_add_arg(b, "exec");
 *         provider_env_default(b, "DISABLE_AUTOUPDATER", "1");
 *         return provider_write_file(b, "mcp.json", text, &path, err);
 *     }
 *     const struct provider_impl provider_codex = {options, build, NULL};
 *
 * Before build() is called the environment is complete (this process's and the candidate's) and
 * argv[0] stands; behind it come the candidate's flags, then what finish() adds.
 */
#pragma once

#include "agent/provider.h"
#include "base/buf.h"
#include "base/json.h"

#define PROVIDER_TOOL_S 3600u /* a call of our MCP server may be the tests of a large project */

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
    const char *name;    /* snake_case; camelCase is taken too */
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
    void (*finish)(struct provider_build *b); /* behind the candidate's flags; may be NULL */
};

extern const struct provider_impl provider_codex, provider_claude, provider_gemini, provider_cursor,
    provider_openai, provider_mock;
const struct provider_impl *provider_impl(enum agent_kind kind);

/* The first step of a build: this process's environment and the candidate's. */
bool provider_add_env(struct provider_build *b, struct error *err);

void provider_add_arg(struct provider_build *b, const char *arg); /* copied */
void provider_add_argf(struct provider_build *b, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void provider_add_args(struct provider_build *b, const char *const *args); /* NULL ends */

const char *provider_env_get(const struct provider_build *b,
                             const char *name); /* NULL: not set, or "" */
bool provider_env_is_own(const struct provider_build *b, const char *name); /* of the candidate */
void provider_env_set(struct provider_build *b, const char *name, const char *value);
void provider_env_default(struct provider_build *b, const char *name, const char *value);
void provider_env_drop(struct provider_build *b, const char *name);
void provider_pass_variable(struct provider_build *b,
                            const char *name); /* passed through a wall if set */
void provider_add_home(struct provider_build *b, const char *path); /* that exists, or not */
void provider_add_secret(struct provider_build *b, struct str value);

/* A private folder for this call, made at the first need; a file in it (0600). */
const char *provider_make_folder(struct provider_build *b, struct error *err);
bool provider_write_file(struct provider_build *b, const char *name, struct str text,
                         const char **path, struct error *err);

/* "~" of the child; "/" if it has none. And a path in it, or in the folder a variable names. */
const char *provider_user_home(const struct provider_build *b);
const char *provider_home_path(const struct provider_build *b, const char *variable,
                               const char *folder);

/* A value of toolSpecific by its snake_case name, checked already; NULL: not given. */
const struct json *provider_find_option(const struct candidate *c, const char *name);
const char *provider_option_text(struct provider_build *b, const char *name); /* NULL: not given */

/* The model as C text, or NULL; the prompt with the system prompt in front of it. */
const char *provider_model(struct provider_build *b);
struct str provider_whole_prompt(struct provider_build *b);

/* Whose models Codex is configured for, if not OpenAI's: it needs no login then; else empty. */
struct str provider_codex_model_provider(struct provider_build *b);

const char *provider_candidate_name(const struct candidate *c,
                                    char to[96]); /* "codex-cli gpt-5.2" */

/* The path of a program on this machine in *out; false: why in `why`. path: the value of PATH. */
bool provider_find_program(struct str name, const char *path, struct buf *out, char why[128]);

/* Value of a variable as the candidate's child would see it; NULL if unset. false: it is env:NAME
 * and there is no NAME (*missing says which). */
bool provider_find_variable(const struct candidate *c, const char *name, const char **value,
                            struct str *missing, struct arena *a);
