/* What tests of agents share: a folder with a repo and a place for calls, an empty home,
 * candidates out of JSON. Programs in bin/ are found first. */
#pragma once

#include "agent/provider.h"
#include "base/arena.h"
#include "base/json.h"
#include "folder_fixture.h"

static struct arena fixture;
static struct candidate candidate;
static struct provider_call call;
static char *fixture_path; /* the original PATH */

static inline const char *in_folder(const char *name)
{
    return arena_printf(&fixture, "%s/%s", project_folder, name).p;
}

static inline int setup_agent(void **state)
{
    static const char *const none[] = {"CODEX_API_KEY",
                                       "OPENAI_API_KEY",
                                       "CODEX_HOME",
                                       "ANTHROPIC_API_KEY",
                                       "GEMINI_API_KEY",
                                       "ANTHROPIC_AUTH_TOKEN",
                                       "CLAUDE_CONFIG_DIR",
                                       "CLAUDE_CODE_OAUTH_TOKEN",
                                       "GOOGLE_API_KEY",
                                       "GEMINI_CLI_HOME",
                                       "CURSOR_API_KEY",
                                       "OPENAI_BASE_URL",
                                       "TMPDIR",
                                       "GOOGLE_CLOUD_ACCESS_TOKEN"};
    if (!enter_folder())
        return -1;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        unsetenv(none[i]);
    const char *path = getenv("PATH");
    fixture_path = str_dup(str_from(path ? path : "/usr/bin:/bin"));
    setenv("PATH", arena_printf(&fixture, "%s/bin:%s", project_folder, fixture_path).p, 1);
    setenv("HOME", in_folder("home"), 1);
    file_make_dirs("home", NULL);
    file_make_dirs("repo", NULL);
    file_make_dirs("bin", NULL);
    mkdir("calls", 0700);
    call = (struct provider_call){.candidate = &candidate,
                                  .prompt = STR("the prompt"),
                                  .cwd = in_folder("repo"),
                                  .dir = in_folder("calls"),
                                  .self = "/usr/bin/multiverse"};
    candidate = (struct candidate){.tool = AGENT_MOCK};
    return 0;
}

static inline int teardown_agent(void **state)
{
    setenv("PATH", fixture_path, 1);
    free(fixture_path);
    arena_done(&fixture);
    return leave_folder() ? 0 : -1;
}

/* Keys as in tooling.json; single quotes become double quotes. */
static inline void set_candidate(const char *text)
{
    char *json = arena_cstr(&fixture, str_from(text));
    for (char *p = json; *p; p++)
        *p = *p == '\'' ? '"' : *p;
    const struct json *v = json_parse(&fixture, str_from(json), NULL, NULL);
    if (!v)
        fail_msg("no JSON: %s", json);
    candidate = (struct candidate){.tool = agent_kind_find(json_str(json_get(v, STR("tool")))),
                                   .model = json_str(json_get(v, STR("model"))),
                                   .weight = 1,
                                   .cli_path = json_str(json_get(v, STR("cliPath"))),
                                   .flags = json_get(v, STR("flags")),
                                   .env = json_get(v, STR("env")),
                                   .tool_specific = json_get(v, STR("toolSpecific")),
                                   .system_prompt = json_str(json_get(v, STR("systemPrompt")))};
    assert_int_not_equal(candidate.tool, AGENT_NONE);
}

/* Make a program in bin/. */
static inline void put_program(const char *name, const char *script)
{
    const char *path = in_folder(arena_printf(&fixture, "bin/%s", name).p);
    put(path, script);
    assert_int_equal(chmod(path, 0755), 0);
}

static inline struct str read_text(const char *path)
{
    struct buf text = {0};
    struct error err = {0};
    if (!file_read(path, 256u << 20, &text, &err))
        fail_msg("%s", err.text);
    struct str copy = arena_str(&fixture, buf_str(&text));
    buf_done(&text);
    return copy;
}

/* Return the number of entries in a folder. */
static inline int count_files(const char *path)
{
    char command[512];
    snprintf(command, sizeof command, "ls -A %s | wc -l", path);
    FILE *f = popen(command, "r");
    int n = -1;
    assert_int_equal(fscanf(f, "%d", &n), 1);
    pclose(f);
    return n;
}
