#include "agent/run_result.h"

#include <math.h>
#include <stdio.h>

#include "base/file.h"
#include "base/json.h"
#include "base/jsonw.h"
#include "base/rfc3339.h"
#include "base/utf8.h"

/* The other texts, escaped, must fit beside it into RUN_RESULT_MAX. */
#define MAX_LIST (RUN_RESULT_MAX / 2)

/* ---- files */

static void write_file(struct run_result_files *f, struct str path, struct str change)
{
    struct jsonw w = jsonw_make(&f->out);
    buf_add_char(&f->out, f->count++ ? ',' : '[');
    jsonw_object(&w);
    jsonw_kstr(&w, "path", path);
    jsonw_kstr(&w, "change", change);
    jsonw_end(&w);
}

void run_result_add_file(struct run_result_files *f, struct str path, struct str change)
{
    if (f->count < RUN_RESULT_MAX_FILES && f->out.n < MAX_LIST)
        write_file(f, utf8_head(path, RUN_RESULT_MAX_PATH), utf8_head(change, RUN_RESULT_MAX_NAME));
    else
        f->left_out++;
}

struct str run_result_list_files(struct run_result_files *f)
{
    char text[64];
    snprintf(text, sizeof text, "and %zu more", f->left_out);
    if (f->left_out)
        write_file(f, str_from(text), STR("more"));
    buf_add(&f->out, f->count ? STR("]") : STR("[]"));
    return buf_str(&f->out);
}

void run_result_files_done(struct run_result_files *f)
{
    buf_done(&f->out);
    *f = (struct run_result_files){0};
}

/* ---- writing */

static void write_text(struct jsonw *w, const char *key, struct str text, size_t most)
{
    jsonw_kstr(w, key, utf8_head(text, most));
}

static void write_number(struct jsonw *w, const char *key, uint64_t n)
{
    jsonw_key(w, key);
    jsonw_uint(w, n);
}

static void write_members(struct jsonw *w, const struct run_result *r)
{
    char until[RFC3339_LEN + 1];
    rfc3339_format(r->until, until);
    jsonw_object(w);
    jsonw_kint(w, "version", 1);
    write_text(w, "run", r->run, RUN_RESULT_MAX_NAME);
    write_text(w, "task", r->task, RUN_RESULT_MAX_NAME);
    write_text(w, "state", r->state, RUN_RESULT_MAX_NAME);
    jsonw_kbool(w, "stopped", r->stopped);
    write_text(w, "outcome", r->outcome, RUN_RESULT_MAX_NAME);
    jsonw_kbool(w, "nobody", r->nobody);
    jsonw_kcstr(w, "until", r->until ? until : NULL);
    write_text(w, "why", r->why, RUN_RESULT_MAX_WHY);
    write_text(w, "tool", r->tool, RUN_RESULT_MAX_NAME);
    write_text(w, "model", r->model, RUN_RESULT_MAX_NAME);
    write_number(w, "input_tokens", r->input_tokens);
    write_number(w, "output_tokens", r->output_tokens);
    jsonw_key(w, "cost_usd");
    jsonw_double(w, r->cost_usd);
    write_number(w, "worker_runs", r->worker_runs);
    jsonw_kraw(w, "files", r->files.n ? r->files : STR("[]"));
    write_text(w, "transcripts", r->transcripts, RUN_RESULT_MAX_WHY);
    jsonw_end(w);
}

bool run_result_write(const char *path, const struct run_result *r, struct error *err)
{
    struct buf text = buf_make(RUN_RESULT_MAX);
    struct jsonw w = jsonw_make(&text);
    write_members(&w, r);
    buf_add_char(&text, '\n');
    bool ok = text.overflow
                  ? error_set(err, ERR_LIMIT, "the result is larger than %u bytes", RUN_RESULT_MAX)
                  : file_replace(path, buf_str(&text), 0600, err);
    buf_done(&text);
    return ok;
}

/* ---- reading */

/* Copy a text, cut, with a blank for each NUL: no database accepts NUL. */
static struct str copy_text(struct arena *a, struct str text, size_t most)
{
    struct str cut = utf8_head(text, most);
    char *copy = arena_cstr(a, cut);
    for (size_t i = 0; i < cut.n; i++)
        if (!copy[i])
            copy[i] = ' ';
    return str_make(copy, cut.n);
}

static struct str read_text(struct arena *a, const struct json *v, const char *key, size_t most)
{
    return copy_text(a, json_str(json_get(v, str_from(key))), most);
}

static uint64_t read_number(const struct json *v, const char *key)
{
    uint64_t n = 0;
    json_u64(json_get(v, str_from(key)), &n);
    return n <= INT64_MAX ? n : INT64_MAX;
}

static struct str read_files(struct arena *a, const struct json *list)
{
    struct run_result_files f = {0};
    JSON_ITEMS (list, item) {
        struct str path = read_text(a, item, "path", RUN_RESULT_MAX_PATH),
                   change = read_text(a, item, "change", RUN_RESULT_MAX_NAME);
        bool is_count = json_next(item) == item_end && str_eq(change, STR("more"));
        if (path.n && is_count && !f.left_out)
            write_file(&f, path, change); /* unchanged */
        else if (path.n)
            run_result_add_file(&f, path, change);
    }
    struct str text = arena_str(a, run_result_list_files(&f));
    run_result_files_done(&f);
    return text;
}

static void read_members(struct arena *a, const struct json *v, struct run_result *out)
{
    struct run_result r = {
        .run = read_text(a, v, "run", RUN_RESULT_MAX_NAME),
        .task = read_text(a, v, "task", RUN_RESULT_MAX_NAME),
        .state = read_text(a, v, "state", RUN_RESULT_MAX_NAME),
        .stopped = json_bool(json_get(v, STR("stopped"))),
        .outcome = read_text(a, v, "outcome", RUN_RESULT_MAX_NAME),
        .nobody = json_bool(json_get(v, STR("nobody"))),
        .why = read_text(a, v, "why", RUN_RESULT_MAX_WHY),
        .tool = read_text(a, v, "tool", RUN_RESULT_MAX_NAME),
        .model = read_text(a, v, "model", RUN_RESULT_MAX_NAME),
        .input_tokens = read_number(v, "input_tokens"),
        .output_tokens = read_number(v, "output_tokens"),
        .worker_runs = read_number(v, "worker_runs"),
        .files = read_files(a, json_get(v, STR("files"))),
        .transcripts = read_text(a, v, "transcripts", RUN_RESULT_MAX_WHY),
    };
    if (!rfc3339_parse(json_str(json_get(v, STR("until"))), &r.until, NULL) || r.until < 0)
        r.until = 0;
    json_double(json_get(v, STR("cost_usd")), &r.cost_usd);
    if (!isfinite(r.cost_usd) || r.cost_usd < 0)
        r.cost_usd = 0;
    *out = r;
}

bool run_result_read(const char *path, struct arena *a, struct run_result *out, struct error *err)
{
    struct buf text = buf_make(RUN_RESULT_MAX);
    struct json_error fault = {0};
    struct arena parsed = {0};
    uint64_t version = 0;
    bool ok = file_read(path, RUN_RESULT_MAX, &text, err);
    if (ok) {
        const struct json *v = json_parse(&parsed, buf_str(&text), NULL, &fault);
        struct str state = json_str(json_get(v, STR("state")));
        ok = json_u64(json_get(v, STR("version")), &version) && version == 1 &&
             (str_eq(state, STR("COMPLETE")) || str_eq(state, STR("FAILED")));
        if (ok)
            read_members(a, v, out);
        else
            error_set(err, ERR_CONFIG_PARSE, "%s is not the result of a run%s%s", path,
                      fault.reason ? ": " : "", fault.reason ? fault.reason : "");
    }
    arena_done(&parsed);
    buf_done(&text);
    return ok;
}
