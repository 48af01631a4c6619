#include <stdio.h>
#include <stdlib.h>

#include "agent/provider_internal.h"
#include "base/file.h"
#include "process/capture.h"

#define EACH_MS  (PROVIDER_DOCTOR_MS / 2 - 1000) /* two commands at most */
#define MAX_FILE (1u << 20)

struct health_check {
    struct provider_build b;
    struct provider_launch l;
    struct provider_health *out;
};

/* ---- running the program */

static bool run_program(struct health_check *e, struct capture *c, const char *first,
                        const char *second)
{
    const char *argv[] = {e->out->path, first, second, NULL};
    c->argv = argv;
    c->env = e->l.env;
    c->limit_ms = EACH_MS;
    c->max = 64u << 10;
    c->kill_on_overflow = true;
    return capture_run(c, NULL) && !c->timed_out && c->end.signal == 0;
}

static bool is_version_char(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c && strchr(".-+_", c));
}

/* Find the first word with a digit first and a dot: "codex-cli 0.166.0", "v2.1.3 (...)". */
static void read_version(struct health_check *e, struct str text)
{
    for (size_t i = 0; i < text.n; i++) {
        bool is_start = i == 0 || !is_version_char(text.p[i - 1]) ||
                        (text.p[i - 1] == 'v' && (i == 1 || !is_version_char(text.p[i - 2])));
        if (!is_start || text.p[i] < '0' || text.p[i] > '9')
            continue;
        size_t n = 0;
        while (i + n < text.n && is_version_char(text.p[i + n]))
            n++;
        if (!memchr(text.p + i, '.', n))
            continue;
        snprintf(e->out->version, sizeof e->out->version, "%.*s", (int)(n < 60 ? n : 60),
                 text.p + i);
        return;
    }
}

/* ---- results */

static void set_signed_in(struct health_check *e, const char *how)
{
    snprintf(e->out->signed_in, sizeof e->out->signed_in, "yes (%s)", how);
    e->out->usable = e->out->found;
}

static void set_signed_out(struct health_check *e, const char *what_to_do)
{
    snprintf(e->out->signed_in, sizeof e->out->signed_in, "no: %.310s", what_to_do);
}

/* Return false if the program does not run, for example because it is half installed. */
static bool find_version(struct health_check *e)
{
    struct capture c = {0};
    bool ran = run_program(e, &c, "--version", NULL), fails = ran && c.end.code != 0;
    if (fails) {
        set_signed_out(e, arena_printf(&e->l.arena,
                                       "it does not run: `%s --version` ended with exit code %lld",
                                       e->out->path, (long long)c.end.code)
                              .p);
    } else if (ran || c.out.overflow) {
        read_version(e, buf_str(&c.out));
        if (!e->out->version[0])
            read_version(e, buf_str(&c.err));
    }
    capture_done(&c);
    return !fails;
}

/* ---- login */

/* Whether one of the variables is set: then the candidate is signed in. */
static bool check_variables(struct health_check *e, const char *const *names)
{
    char text[96];
    for (; *names; names++)
        if (provider_env_get(&e->b, *names)) {
            snprintf(text, sizeof text, "%s is set", *names);
            set_signed_in(e, text);
            return true;
        }
    return false;
}

static bool has_file(struct health_check *e, const char *folder, const char *name)
{
    return file_exists(arena_printf(&e->l.arena, "%s/%s", folder, name).p);
}

static void check_codex_login(struct health_check *e)
{
    struct capture c = {0};
    struct str models = provider_codex_model_provider(&e->b);
    if (models.n) {
        set_signed_in(
            e, arena_printf(&e->l.arena, "model_provider %.*s", STR_ARG(str_head(models, 60))).p);
        return;
    }
    if (check_variables(e, (const char *[]){"CODEX_API_KEY", NULL}))
        return;
    bool is_in = e->out->found && run_program(e, &c, "login", "status") && c.end.code == 0;
    capture_done(&c);
    if (is_in)
        set_signed_in(e, "login");
    else if (!check_variables(e, (const char *[]){"OPENAI_API_KEY", NULL}))
        set_signed_out(e, "run `codex login`, or set CODEX_API_KEY");
}

static void check_claude_login(struct health_check *e)
{
    struct capture c = {0};
    static const char *const names[] = {"ANTHROPIC_AUTH_TOKEN",
                                        "ANTHROPIC_API_KEY",
                                        "CLAUDE_CODE_OAUTH_TOKEN",
                                        "CLAUDE_CODE_USE_BEDROCK",
                                        "CLAUDE_CODE_USE_VERTEX",
                                        "CLAUDE_CODE_USE_FOUNDRY",
                                        NULL};
    if (check_variables(e, names))
        return;
    const char *home = provider_home_path(&e->b, "CLAUDE_CONFIG_DIR", ".claude");
    if (has_file(e, home, ".credentials.json")) {
        set_signed_in(e, "login");
        return;
    }
    bool is_in =
        e->out->found && run_program(e, &c, "auth", "status") && c.end.code == 0; /* offline */
    capture_done(&c);
    if (is_in)
        set_signed_in(e, "login");
    else
        set_signed_out(e, "run `claude auth login`, or set ANTHROPIC_API_KEY");
}

/* Whether an .env file sets the variable. Gemini reads such files by itself. */
static bool is_set_in_file(const char *path, const char *name)
{
    struct buf text = buf_make(MAX_FILE);
    struct str rest, line, key;
    bool found = false, more = file_read(path, MAX_FILE, &text, NULL);
    rest = buf_str(&text);
    while (more && !found) {
        more = str_cut(&rest, '\n', &line);
        if (str_starts(str_trim(line), STR("export ")))
            line = str_skip(str_trim(line), 7);
        found =
            str_cut(&line, '=', &key) && str_eq(str_trim(key), str_from(name)) && str_trim(line).n;
    }
    buf_done(&text);
    return found;
}

static void check_gemini_login(struct health_check *e)
{
    static const char *const names[] = {"GEMINI_API_KEY", "GOOGLE_API_KEY",
                                        "GOOGLE_CLOUD_ACCESS_TOKEN", NULL};
    struct arena *a = &e->l.arena;
    const char *user = provider_env_get(&e->b, "GEMINI_CLI_HOME");
    if (!user)
        user = provider_user_home(&e->b);
    const char *home = arena_printf(a, "%s/.gemini", user).p;
    if (check_variables(e, names))
        return;
    if (has_file(e, home, "oauth_creds.json"))
        set_signed_in(e, "login");
    else if (is_set_in_file(arena_printf(a, "%s/.env", home).p, "GEMINI_API_KEY") ||
             is_set_in_file(arena_printf(a, "%s/.env", user).p, "GEMINI_API_KEY"))
        set_signed_in(e, "GEMINI_API_KEY in .env");
    else if (provider_env_get(&e->b, "GOOGLE_APPLICATION_CREDENTIALS"))
        set_signed_in(e, "GOOGLE_APPLICATION_CREDENTIALS is set");
    else
        set_signed_out(e, "run `gemini` once and sign in, or set GEMINI_API_KEY");
}

static void check_cursor_login(struct health_check *e)
{
    struct capture c = {0};
    if (check_variables(e, (const char *[]){"CURSOR_API_KEY", NULL}))
        return;
    bool ran = e->out->found && run_program(e, &c, "status", NULL) && c.end.code == 0;
    struct str said = buf_str(&c.out);
    bool is_in = ran && str_find(said, STR("Logged in")) < said.n;
    capture_done(&c);
    if (is_in)
        set_signed_in(e, "login");
    else
        set_signed_out(e, "run `cursor-agent login`, or set CURSOR_API_KEY");
}

static void check_login(struct health_check *e, enum agent_kind tool)
{
    switch (tool) {
    case AGENT_CODEX:
        check_codex_login(e);
        break;
    case AGENT_CLAUDE:
        check_claude_login(e);
        break;
    case AGENT_GEMINI:
        check_gemini_login(e);
        break;
    case AGENT_CURSOR:
        check_cursor_login(e);
        break;
    case AGENT_OPENAI:
        if (!check_variables(e, (const char *[]){"OPENAI_API_KEY", NULL}))
            set_signed_out(e, "set OPENAI_API_KEY");
        break;
    case AGENT_MOCK:
        set_signed_in(e, "needs no account");
        break;
    case AGENT_NONE:
    case AGENT_KIND_COUNT:
        break;
    }
}

static const char *get_variable(const char *name, void *ctx)
{
    (void)ctx;
    return getenv(name);
}

void provider_doctor(const struct candidate *c, struct provider_health *out)
{
    *out = (struct provider_health){0};
    struct provider_call call = {.candidate = c};
    struct health_check e = {.out = out};
    struct buf path = {0};
    struct error err = {0};
    char why[128] = "";
    e.b = (struct provider_build){.call = &call, .out = &e.l};
    struct str account = agent_kind_account(c->tool, c->env, get_variable, NULL);
    snprintf(out->account, sizeof out->account, "%.*s", STR_ARG(account));

    const char *program = agent_kind_row(c->tool)->program;
    bool has_env = provider_check(c, &err) && provider_add_env(&e.b, &err);
    struct str name = c->cli_path.n ? c->cli_path : str_from(program);
    const char *folders = has_env ? provider_env_get(&e.b, "PATH") : getenv("PATH");
    out->found =
        !program || (provider_find_program(name, folders, &path, why) && path.n < sizeof out->path);
    if (out->found && program)
        snprintf(out->path, sizeof out->path, "%s", path.p);
    if (!has_env)
        set_signed_out(&e, err.text);
    else if (!out->found)
        set_signed_out(&e, arena_printf(&e.l.arena, "%s: install it, or name its cliPath", why).p);
    else if (!program || find_version(&e))
        check_login(&e, c->tool);
    buf_done(&path);
    provider_launch_done(&e.l);
}
