#include "agent/mock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "agent/agent_stdio.h"
#include "base/file.h"
#include "base/jsonw.h"
#include "base/rfc3339.h"
#include "process/capture.h"
#include "tooling/outcome.h"

#define MAX_SCRIPT (4u << 20)
#define MAX_STEPS  4096u
#define CALL_MS    600000u

struct mock_player {
    struct arena arena;
    const struct json *request, *steps, *step;
    struct str prompt;
};

/* ---- events */

static int write_failed(struct str outcome, struct str message, const char *until)
{
    struct buf line = {0};
    struct jsonw w = jsonw_make(&line);
    jsonw_object(&w);
    jsonw_kcstr(&w, "type", "mock.failed");
    jsonw_kstr(&w, "outcome", outcome);
    jsonw_kstr(&w, "message", message);
    if (until)
        jsonw_kcstr(&w, "until", until);
    jsonw_end(&w);
    agent_stdio_write(&line);
    return 1;
}

/* Report an invalid script or call, as opposed to a step that fails. */
static int refuse_script(const struct error *err)
{
    fprintf(stderr, "multiverse agent-mock: %s\n", err->text);
    write_failed(STR("launch"), str_from(err->text), NULL);
    return 2;
}

static int write_completed(const struct mock_player *m, struct str text)
{
    const struct json *usage = json_get(m->step, STR("usage"));
    uint64_t in = m->prompt.n / 4 + 1, out = text.n / 4 + 1;
    struct buf line = {0};
    struct jsonw w = jsonw_make(&line);
    json_u64(json_get(usage, STR("input_tokens")), &in);
    json_u64(json_get(usage, STR("output_tokens")), &out);
    jsonw_object(&w);
    jsonw_kcstr(&w, "type", "mock.completed");
    jsonw_kstr(&w, "text", text);
    jsonw_key(&w, "usage");
    jsonw_object(&w);
    jsonw_key(&w, "input_tokens");
    jsonw_uint(&w, in);
    jsonw_key(&w, "output_tokens");
    jsonw_uint(&w, out);
    jsonw_end(&w);
    jsonw_end(&w);
    agent_stdio_write(&line);
    return 0;
}

/* ---- choosing a step */

static bool is_in_prompt(const struct mock_player *m, const struct json *words)
{
    JSON_ITEMS (words, word)
        if (!is_in_prompt(m, word))
            return false;
    struct str text = json_str(words);
    return json_is(words, JSON_ARRAY) || str_find(m->prompt, text) < m->prompt.n || !text.n;
}

static bool is_due(const struct mock_player *m, const struct json *s, uint64_t played)
{
    const struct json *repeat = json_get(s, STR("repeat")), *when = json_get(s, STR("when"));
    uint64_t most = 1;
    json_u64(repeat, &most);
    if (!json_bool(repeat) && played >= most)
        return false;
    const struct json *words = json_get(when, STR("prompt_has"));
    return !words || is_in_prompt(m, words);
}

static void write_counts(struct buf *out, const uint64_t *counts, size_t n)
{
    struct jsonw w = jsonw_make(out);
    jsonw_array(&w);
    for (size_t i = 0; i < n; i++)
        jsonw_uint(&w, counts[i]);
    jsonw_end(&w);
}

/* Find the next step in the state file, which is locked, and count the call. */
static bool claim_step(struct mock_player *m, int fd, const char *path, struct error *err)
{
    uint64_t *counts = arena_zalloc(&m->arena, MAX_STEPS * sizeof *counts);
    struct buf text = buf_make(MAX_SCRIPT);
    size_t n = 0, i = 0;
    if (!file_read(path, MAX_SCRIPT, &text, err)) {
        buf_done(&text);
        return false;
    }
    const struct json *old =
        json_parse(&m->arena, arena_str(&m->arena, buf_str(&text)), NULL, NULL);
    JSON_ITEMS (old, count)
        if (n < MAX_STEPS)
            json_u64(count, &counts[n++]);
    n = json_count(m->steps);
    JSON_ITEMS (m->steps, s) {
        if (is_due(m, s, counts[i])) {
            m->step = s;
            counts[i]++;
            break;
        }
        i++;
    }
    buf_clear(&text);
    write_counts(&text, counts, n);
    bool ok = ftruncate(fd, 0) == 0 && pwrite(fd, text.p, text.n, 0) == (ssize_t)text.n;
    if (!ok)
        error_set(err, ERR_IO, "cannot write %s", path);
    buf_done(&text);
    return ok;
}

static bool choose_step(struct mock_player *m, struct error *err)
{
    const char *path = arena_cstr(&m->arena, json_str(json_get(m->request, STR("state"))));
    char text[128];
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0 || flock(fd, LOCK_EX) < 0) {
        error_set(err, ERR_IO, "cannot open %s: %s", path, strerror_r(errno, text, sizeof text));
        if (fd >= 0)
            close(fd);
        return false;
    }
    bool ok = claim_step(m, fd, path, err);
    close(fd); /* also releases the lock */
    return ok;
}

/* ---- playing a step */

static void write_warning(const struct json *v)
{
    struct buf line = {0};
    struct jsonw w = jsonw_make(&line);
    jsonw_object(&w);
    jsonw_kcstr(&w, "type", "mock.warning");
    jsonw_key(&w, "used");
    jsonw_value(&w, json_get(v, STR("used")));
    if (json_get(v, STR("resets_at"))) {
        jsonw_key(&w, "resets_at");
        jsonw_value(&w, json_get(v, STR("resets_at")));
    }
    jsonw_end(&w);
    agent_stdio_write(&line);
}

static void sleep_ms(uint64_t ms)
{
    struct timespec left = {.tv_sec = (time_t)(ms / 1000), .tv_nsec = (long)(ms % 1000) * 1000000};
    while (nanosleep(&left, &left) < 0 && errno == EINTR)
        continue;
}

static bool write_files(struct mock_player *m, const struct json *files, struct error *err)
{
    JSON_EACH (files, k) {
        struct str path = json_str(k);
        char *name = arena_cstr(&m->arena, path), *slash = strrchr(name, '/');
        if (!path.n || path.p[0] == '/' || str_find(path, STR("..")) < path.n)
            return error_set(err, ERR_INVALID_PARAMS, "write: %s is not inside the repo", name);
        if (slash) {
            *slash = 0;
            if (!file_make_dirs(name, err))
                return false;
            *slash = '/';
        }
        if (!file_replace(name, json_str(k + 1), 0644, err))
            return false;
        agent_stdio_write_text("mock.step", "text", arena_printf(&m->arena, "write %s", name));
    }
    return true;
}

/* Run `multiverse call`, which implements the protocol. */
static bool call_tool(struct mock_player *m, const struct json *call, struct error *err)
{
    struct arena *a = &m->arena;
    const char *url = arena_cstr(a, json_str(json_get(m->request, STR("url"))));
    struct str tool = json_str(json_get(call, STR("tool"))),
               token = json_str(json_get(m->request, STR("token_file")));
    if (!*url)
        return error_set(err, ERR_INVALID_PARAMS, "call %.*s: this call has no MCP server",
                         STR_ARG(tool));
    struct buf arguments = {0};
    struct jsonw w = jsonw_make(&arguments);
    jsonw_object(&w);
    JSON_EACH (json_get(call, STR("arguments")), k) {
        jsonw_key_str(&w, json_str(k));
        jsonw_value(&w, k + 1);
    }
    jsonw_end(&w);
    const char *argv[] = {arena_cstr(a, json_str(json_get(m->request, STR("self")))),
                          "call",
                          arena_cstr(a, tool),
                          "-",
                          "--url",
                          url,
                          token.n ? "--token-file" : NULL,
                          arena_cstr(a, token),
                          NULL};
    struct capture c = {.argv = argv, .input = buf_str(&arguments), .limit_ms = CALL_MS};
    bool ok = capture_run(&c, err);
    if (ok && (c.timed_out || c.end.signal || c.end.code))
        ok = error_set(err, ERR_UNITY_EXECUTION, "call %.*s: %.*s", STR_ARG(tool),
                       STR_ARG(str_trim(buf_str(c.err.n ? &c.err : &c.out))));
    if (ok)
        agent_stdio_write_text("mock.tool", "text", tool);
    buf_done(&arguments);
    capture_done(&c);
    return ok;
}

static bool call_tools(struct mock_player *m, const struct json *calls, struct error *err)
{
    JSON_ITEMS (calls, call)
        if (!call_tool(m, call, err))
            return false;
    return !json_is(calls, JSON_OBJECT) || call_tool(m, calls, err);
}

/* ---- the end of a step */

static int end_with_failure(struct mock_player *m, struct str outcome)
{
    const struct json *until = json_get(m->step, STR("until")),
                      *message = json_get(m->step, STR("message"));
    enum outcome_class class;
    struct error err = {0};
    char at[RFC3339_LEN + 1];
    int64_t seconds;
    uint64_t after;
    if (!outcome_find(outcome, &class)) {
        error_set(&err, ERR_INVALID_PARAMS, "fail: unknown outcome \"%.*s\"", STR_ARG(outcome));
        return refuse_script(&err);
    }
    struct str text = message ? json_str(message) : str_from(outcome_row(class)->about);
    if (json_is(until, JSON_STRING))
        return write_failed(outcome, text, arena_cstr(&m->arena, json_str(until)));
    if (json_u64(json_get(m->step, STR("after_ms")), &after) && after < INT64_MAX / 2)
        rfc3339_format(rfc3339_now() + (int64_t)after, at);
    else if (json_i64(until, &seconds) && seconds > 0 && seconds < INT64_MAX / 1000)
        rfc3339_format(seconds * 1000, at);
    else
        return write_failed(outcome, text, NULL);
    return write_failed(outcome, text, at);
}

static int end_with_message(struct mock_player *m)
{
    const struct json *say = json_get(m->step, STR("say")),
                      *file = json_get(m->step, STR("say_file")),
                      *name = json_get(m->step, STR("say_env"));
    struct buf text = buf_make(MAX_SCRIPT);
    struct error err = {0};
    if (file && !file_read(arena_cstr(&m->arena, json_str(file)), MAX_SCRIPT, &text, &err)) {
        buf_done(&text);
        return refuse_script(&err);
    }
    if (name) {
        const char *value = getenv(arena_cstr(&m->arena, json_str(name)));
        buf_add(&text, str_from(value ? value : ""));
    }
    int code = write_completed(m, say ? json_str(say) : buf_str(&text));
    buf_done(&text);
    return code;
}

static int play_step(struct mock_player *m)
{
    struct error err = {0};
    int64_t code;
    uint64_t ms;
    if (json_get(m->step, STR("warn")))
        write_warning(json_get(m->step, STR("warn")));
    if (json_u64(json_get(m->step, STR("sleep_ms")), &ms))
        sleep_ms(ms);
    if (!write_files(m, json_get(m->step, STR("write")), &err))
        return refuse_script(&err);
    if (!call_tools(m, json_get(m->step, STR("call")), &err))
        return write_failed(STR("incomplete"), str_from(err.text), NULL);
    if (json_i64(json_get(m->step, STR("exit")), &code))
        return (int)(code & 0xff);
    const struct json *outcome = json_get(m->step, STR("fail"));
    return outcome ? end_with_failure(m, json_str(outcome)) : end_with_message(m);
}

/* ---- the request */

static bool read_script(struct mock_player *m, struct error *err)
{
    const struct json *script = json_get(m->request, STR("script"));
    struct json_error bad;
    if (json_is(script, JSON_STRING)) {
        const char *path = arena_cstr(&m->arena, json_str(script));
        struct buf text = buf_make(MAX_SCRIPT);
        bool ok = file_read(path, MAX_SCRIPT, &text, err);
        struct str copy = arena_str(&m->arena, buf_str(&text));
        buf_done(&text);
        if (!ok)
            return false;
        script = json_parse(&m->arena, copy, NULL, &bad);
        if (!script)
            return error_set(err, ERR_SYNTAX, "%s: not JSON at byte %zu: %s", path, bad.offset + 1,
                             bad.reason);
    }
    m->steps = json_is(script, JSON_OBJECT) ? json_get(script, STR("steps")) : script;
    if (!json_is(m->steps, JSON_ARRAY) || json_count(m->steps) > MAX_STEPS)
        return error_set(err, ERR_INVALID_PARAMS, "the script must be a list of at most %u steps",
                         MAX_STEPS);
    return true;
}

static int run_mock(struct mock_player *m)
{
    struct error err = {0};
    m->request = agent_stdio_read(&m->arena, &err);
    if (!m->request)
        return refuse_script(&err);
    m->prompt = json_str(json_get(m->request, STR("prompt")));
    agent_stdio_write_text("mock.started", "model", json_str(json_get(m->request, STR("model"))));
    if (!json_get(m->request, STR("script")))
        return write_completed(m, STR("ok"));
    if (!read_script(m, &err) || !choose_step(m, &err))
        return refuse_script(&err);
    if (!m->step)
        return write_failed(STR("incomplete"), STR("the script has no step left for this call"),
                            NULL);
    return play_step(m);
}

int mock_main(void)
{
    struct mock_player m = {0};
    int code = run_mock(&m);
    arena_done(&m.arena);
    return code;
}
