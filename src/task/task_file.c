#include "task/task_file.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/jsonw.h"
#include "base/mem.h"
#include "base/quote.h"
#include "base/utf8.h"
#include "doc/doc_write.h"
#include "doc/members.h"

struct task_file_reader {
    struct task_file *t;
    struct members m;
    char *folder; /* base of relative paths */
    /* Values that are read after the other parts of the file. */
    struct deferred_value {
        const struct json *value; /* NULL: missing */
        struct str at;
    } repo, prd, test_cwd, tooling, sandbox;
    bool has_version;
};

/* ---- fields */

typedef bool read_fn(struct task_file_reader *r, const struct json *v, void *to);

struct task_field {
    const char *name; /* in camelCase; NULL ends a table */
    read_fn *read;
    size_t to; /* offset in struct task_file; 0 if the reader stores it elsewhere */
    const struct task_field *inner;
};

#define FAIL(r, ...) MEMBERS_FAIL(&(r)->m, __VA_ARGS__)

static bool read_object(struct task_file_reader *r, const struct json *v,
                        const struct task_field *fields)
{
    const char *names[MEMBERS_MAX] = {NULL};
    struct members_fields f;
    size_t n = 0;
    for (; fields[n].name; n++)
        names[n] = fields[n].name;
    if (!members_collect(&r->m, v, names, n, &f))
        return false;
    for (size_t i = 0; i < n; i++) {
        if (!f.values[i])
            continue;
        size_t before = members_down(&r->m, f.keys[i]);
        if (!(fields[i].inner ? read_object(r, f.values[i], fields[i].inner)
                              : fields[i].read(r, f.values[i], (char *)r->t + fields[i].to)))
            return false;
        members_up(&r->m, before);
    }
    return true;
}

static bool read_text(struct task_file_reader *r, const struct json *v, void *to)
{
    if (!members_check_text(&r->m, v))
        return false;
    *(struct str *)to = str_trim(json_str(v));
    return true;
}

bool task_file_is_line(struct str text)
{
    for (size_t i = 0; i < text.n; i++)
        if ((unsigned char)text.p[i] < ' ' || text.p[i] == 0x7f)
            return false;
    return text.n <= TASK_FILE_MAX_LINE;
}

static bool read_line(struct task_file_reader *r, const struct json *v, void *to)
{
    struct str text = str_trim(json_str(v));
    if (!members_check_text(&r->m, v))
        return false;
    if (text.n > TASK_FILE_MAX_LINE)
        return FAIL(r, "must not be longer than %u bytes, and has %zu", TASK_FILE_MAX_LINE, text.n);
    if (!task_file_is_line(text))
        return FAIL(r, "must be one line without control characters");
    *(struct str *)to = text;
    return true;
}

struct text_list {
    struct str *items;
    size_t count;
};

static bool read_texts(struct task_file_reader *r, const struct json *v, struct text_list *out)
{
    size_t n = 0;
    if (!json_is(v, JSON_ARRAY))
        return members_wrong_type(&r->m, "a list of texts", v);
    if (json_count(v) > TASK_FILE_MAX_ITEMS)
        return FAIL(r, "has %zu items, at most %u are allowed", json_count(v), TASK_FILE_MAX_ITEMS);
    struct str *items = arena_alloc(&r->t->arena, (json_count(v) + 1) * sizeof *items);
    JSON_ITEMS (v, item) {
        size_t before = members_down_to(&r->m, n);
        if (!read_text(r, item, &items[n++]))
            return false;
        members_up(&r->m, before);
    }
    *out = (struct text_list){items, n};
    return true;
}

static bool read_list(struct task_file_reader *r, const struct json *v, void *to)
{
    struct task_file *t = r->t;
    struct text_list list;
    if (!read_texts(r, v, &list))
        return false;
    size_t *count = to == &t->dependencies ? &t->dependency_count
                    : to == &t->file_paths ? &t->file_path_count
                                           : &t->constraint_count;
    *(struct str **)to = list.items;
    *count = list.count;
    return true;
}

static bool read_number(struct task_file_reader *r, const struct json *v, uint64_t most,
                        uint64_t *out)
{
    struct buf shown = {0};
    uint64_t n;
    if (json_u64(v, &n) && n >= 1 && n <= most) {
        *out = n;
        return true;
    }
    quote_value(&shown, v, QUOTE_MAX);
    FAIL(r, "must be a whole number from 1 to %llu, not %.*s", (unsigned long long)most,
         STR_ARG(buf_str(&shown)));
    buf_done(&shown);
    return false;
}

static bool read_level(struct task_file_reader *r, const struct json *v, void *to)
{
    return read_number(r, v, 1000, to);
}

static bool read_loops(struct task_file_reader *r, const struct json *v, void *to)
{
    return read_number(r, v, TASK_FILE_MAX_LOOPS, to);
}

static bool read_seconds(struct task_file_reader *r, const struct json *v, void *to)
{
    uint64_t seconds;
    if (!read_number(r, v, TASK_FILE_MAX_TIME, &seconds))
        return false;
    *(uint64_t *)to = seconds * 1000;
    return true;
}

static bool read_version(struct task_file_reader *r, const struct json *v, void *to)
{
    uint64_t n;
    struct buf shown = {0};
    (void)to;
    r->has_version = json_u64(v, &n) && n == 1;
    if (r->has_version)
        return true;
    quote_value(&shown, v, QUOTE_MAX);
    FAIL(r, "must be 1, the only version, not %.*s", STR_ARG(buf_str(&shown)));
    buf_done(&shown);
    return false;
}

static void keep_value(struct task_file_reader *r, const struct json *v, struct deferred_value *to)
{
    *to = (struct deferred_value){v, arena_str(&r->t->arena, buf_str(&r->m.at))};
}

static bool keep_repo(struct task_file_reader *r, const struct json *v, void *to)
{
    (void)to;
    keep_value(r, v, &r->repo);
    return members_check_text(&r->m, v);
}

static bool keep_prd(struct task_file_reader *r, const struct json *v, void *to)
{
    (void)to;
    keep_value(r, v, &r->prd);
    return true;
}

static bool keep_test_cwd(struct task_file_reader *r, const struct json *v, void *to)
{
    (void)to;
    keep_value(r, v, &r->test_cwd);
    return members_check_text(&r->m, v);
}

static bool keep_tooling(struct task_file_reader *r, const struct json *v, void *to)
{
    (void)to;
    keep_value(r, v, &r->tooling);
    return true;
}

/* ---- candidates */

static struct str get_agent_name(const void *ctx, size_t i)
{
    (void)ctx;
    return i + 1 < AGENT_KIND_COUNT ? str_from(agent_kind_name((enum agent_kind)(i + 1)))
                                    : (struct str){0};
}

static struct str get_name(const void *ctx, size_t i)
{
    return str_from(((const char *const *)ctx)[i]);
}

static bool read_kind(struct task_file_reader *r, const struct json *v, void *to)
{
    enum agent_kind *kind = to;
    if (!members_check_text(&r->m, v))
        return false;
    *kind = agent_kind_find(json_str(v));
    return *kind != AGENT_NONE || members_unknown(&r->m, "kind", json_str(v), get_agent_name, NULL);
}

static bool read_flags(struct task_file_reader *r, const struct json *v, void *to)
{
    struct text_list list;
    *(const struct json **)to = v;
    return read_texts(r, v, &list);
}

/* Values may be secrets, so no message shows them. */
static bool read_env(struct task_file_reader *r, const struct json *v, void *to)
{
    if (!json_is(v, JSON_OBJECT))
        return members_wrong_type(&r->m, "a mapping of texts", v);
    JSON_EACH (v, k) {
        struct str name = json_str(k), value = json_str(k + 1);
        size_t before = members_down(&r->m, name);
        if (!members_check_text(&r->m, k + 1))
            return false;
        if (!name.n || memchr(name.p, '=', name.n) || memchr(name.p, 0, name.n))
            return FAIL(r, "is not the name of a variable");
        if (str_starts(value, STR("env:")) && (value.n == 4 || memchr(value.p, '=', value.n)))
            return FAIL(r, "env: must be followed by the name of a variable, as in env:MY_KEY");
        members_up(&r->m, before);
    }
    *(const struct json **)to = v;
    return true;
}

static bool read_json_object(struct task_file_reader *r, const struct json *v, void *to)
{
    *(const struct json **)to = v;
    return json_is(v, JSON_OBJECT) || members_wrong_type(&r->m, "a mapping", v);
}

static const char *const mcp_names[] = {"auto", "off", NULL};
static const char *const sandbox_names[] = {"none", "bwrap", "docker", "podman", NULL};

static bool read_mcp(struct task_file_reader *r, const struct json *v, void *to)
{
    if (!members_check_text(&r->m, v))
        return false;
    *(bool *)to = str_eq(json_str(v), STR("auto"));
    return *(bool *)to || str_eq(json_str(v), STR("off")) ||
           members_unknown(&r->m, "setting", json_str(v), get_name, mcp_names);
}

static bool read_sandbox(struct task_file_reader *r, const struct json *v, void *to)
{
    keep_value(r, v, &r->sandbox);
    if (!members_check_text(&r->m, v))
        return false;
    return sandbox_kind_find(json_str(v), to) ||
           members_unknown(&r->m, "sandbox", json_str(v), get_name, sandbox_names);
}

/* ---- the tables */

#define TO(member) offsetof(struct task_file, member)

static const struct task_field impl_fields[] = {
    {"language", read_line, TO(language), NULL},
    {"filePaths", read_list, TO(file_paths), NULL},
    {"constraints", read_list, TO(constraints), NULL},
    {0},
};

static const struct task_field test_fields[] = {
    {"command", read_text, TO(test_command), NULL},
    {"cwd", keep_test_cwd, 0, NULL},
    {0},
};

static const struct task_field task_fields[] = {
    {"id", read_line, TO(id), NULL},
    {"title", read_line, TO(title), NULL},
    {"repo", keep_repo, 0, NULL},
    {"description", read_text, TO(description), NULL},
    {"dependencies", read_list, TO(dependencies), NULL},
    {"wbsLevel", read_level, TO(wbs_level), NULL},
    {"phaseName", read_line, TO(phase_name), NULL},
    {"suggestedImpl", NULL, 0, impl_fields},
    {"prd", keep_prd, 0, NULL},
    {"test", NULL, 0, test_fields},
    {0},
};

#define CANDIDATE(who)                                                                             \
    {"kind", read_kind, TO(who.tool), NULL}, {"model", read_line, TO(who.model), NULL},            \
        {"systemPrompt", read_text, TO(who.system_prompt), NULL},                                  \
        {"cliPath", read_line, TO(who.cli_path), NULL},                                            \
        {"flags", read_flags, TO(who.flags), NULL},                                                \
    {                                                                                              \
        "toolSpecific", read_json_object, TO(who.tool_specific), NULL                              \
    }

static const struct task_field meta_fields[] = {
    CANDIDATE(meta),
    {"env", read_env, TO(meta.env), NULL},
    {0},
};

static const struct task_field worker_fields[] = {
    CANDIDATE(worker),
    {"env", read_env, TO(worker_env), NULL},
    {"dockerImage", read_line, TO(docker_image), NULL},
    {"maxRunTimeSec", read_seconds, TO(max_run_time_ms), NULL},
    {0},
};

static const struct task_field runner_fields[] = {
    {"maxLoops", read_loops, TO(max_loops), NULL},
    {"meta", NULL, 0, meta_fields},
    {"worker", NULL, 0, worker_fields},
    {"mcp", read_mcp, TO(mcp_auto), NULL},
    {"sandbox", read_sandbox, TO(sandbox), NULL},
    {"tooling", keep_tooling, 0, NULL},
    {0},
};

static const struct task_field top_fields[] = {
    {"version", read_version, 0, NULL},
    {"task", NULL, 0, task_fields},
    {"runner", NULL, 0, runner_fields},
    {0},
};

/* ---- values that depend on others */

static void set_place(struct task_file_reader *r, struct str at)
{
    members_up(&r->m, 0);
    buf_add(&r->m.at, at);
}

/* Return base/path, or the path if it is absolute. The caller frees it. */
static char *join_path(const char *base, struct str path)
{
    struct buf out = {0};
    if (!path.n || path.p[0] != '/')
        buf_printf(&out, "%s%s", base, strcmp(base, "/") ? "/" : "");
    buf_add(&out, path);
    char *made = str_dup(buf_str(&out));
    buf_done(&out);
    return made;
}

static bool find_repo(struct task_file_reader *r)
{
    struct str given = r->repo.value ? json_str(r->repo.value) : STR(".");
    struct buf shown = {0};
    struct stat st;
    char *path = join_path(r->folder, given);
    r->t->repo = realpath(path, NULL);
    free(path);
    if (r->t->repo && stat(r->t->repo, &st) == 0 && S_ISDIR(st.st_mode))
        return true;
    set_place(r, r->repo.value ? r->repo.at : STR("/task"));
    quote_add(&shown, given, 200);
    FAIL(r, "repo %.*s is not a folder, relative to %s", STR_ARG(buf_str(&shown)), r->folder);
    buf_done(&shown);
    return false;
}

static bool read_prd_file(struct task_file_reader *r, struct str path, struct buf *out)
{
    struct error first = {0};
    char *beside = join_path(r->folder, path), *in_repo = join_path(r->t->repo, path);
    bool is_beside = file_exists(beside) || !file_exists(in_repo);
    bool ok = file_read(is_beside ? beside : in_repo, TASK_FILE_MAX_PRD, out, &first);
    if (!ok && first.code == ERR_LIMIT)
        FAIL(r, "the file has more than %u bytes", TASK_FILE_MAX_PRD);
    else if (!ok)
        FAIL(r, "%s; it must be beside the task's file or in the repo", first.text);
    free(beside);
    free(in_repo);
    return ok;
}

static bool set_prd(struct task_file_reader *r, struct str text)
{
    if (!str_trim(text).n)
        return FAIL(r, "is empty: it must say what is wanted");
    if (!utf8_is_valid(text) || str_find_char(text, 0) < text.n)
        return FAIL(r, "must be UTF-8 text");
    if (text.n > TASK_FILE_MAX_PRD)
        return FAIL(r, "has %zu bytes, at most %u are allowed", text.n, TASK_FILE_MAX_PRD);
    r->t->prd = arena_str(&r->t->arena, text);
    return true;
}

static bool find_prd(struct task_file_reader *r)
{
    static const char *const names[] = {"path", "text"};
    const struct json *v = r->prd.value;
    struct members_fields f;
    struct buf read = {0};
    if (!v) {
        set_place(r, STR("/task"));
        return FAIL(
            r, "prd is missing: give the requirements as text or as a mapping with path or text");
    }
    set_place(r, r->prd.at);
    if (json_is(v, JSON_STRING))
        return set_prd(r, json_str(v));
    if (!json_is(v, JSON_OBJECT))
        return members_wrong_type(&r->m, "text, or a mapping with path or text", v);
    if (!members_collect(&r->m, v, names, 2, &f))
        return false;
    bool is_path = f.values[0] != NULL;
    if (is_path == (f.values[1] != NULL))
        return FAIL(r, "must have either path or text");
    members_down(&r->m, f.keys[!is_path]);
    if (!members_check_text(&r->m, f.values[!is_path]))
        return false;
    if (!is_path)
        return set_prd(r, json_str(f.values[1]));
    bool ok = read_prd_file(r, json_str(f.values[0]), &read) && set_prd(r, buf_str(&read));
    buf_done(&read);
    return ok;
}

static bool find_tooling(struct task_file_reader *r)
{
    struct task_file *t = r->t;
    if (!r->tooling.value)
        return true;
    t->tooling = tooling_read(&t->doc, r->tooling.at, r->m.err);
    set_place(r, r->tooling.at);
    if (t->tooling && (t->has_meta || t->has_worker))
        members_warn(&r->m,
                     STR("this has precedence: the candidates of runner.meta and runner.worker are "
                         "not used"));
    return t->tooling != NULL;
}

static bool check_sandbox(struct task_file_reader *r)
{
    bool wants = r->t->sandbox == SANDBOX_DOCKER || r->t->sandbox == SANDBOX_PODMAN;
    if (wants && !r->t->docker_image.n) {
        set_place(r, r->sandbox.at);
        return FAIL(r, "needs an image: set runner.worker.docker_image");
    }
    if (!wants && r->t->docker_image.n) {
        set_place(r, STR("/runner/worker"));
        members_warn(&r->m, STR("docker_image is not used: runner.sandbox is neither docker nor "
                                "podman"));
    }
    return true;
}

static void set_names(struct task_file_reader *r, const char *name)
{
    struct task_file *t = r->t;
    const char *base = strrchr(name, '/');
    struct str stem = str_from(base ? base + 1 : name);
    for (size_t i = stem.n; i-- > 1;)
        if (stem.p[i] == '.') {
            stem.n = i;
            break;
        }
    if (!strcmp(name, "-") || !utf8_is_valid(stem))
        stem = STR("task");
    if (!t->id.n)
        t->id = arena_str(&t->arena, utf8_head(stem, TASK_FILE_MAX_LINE));
    if (!t->title.n)
        t->title = t->id;
}

static bool is_candidate(const struct candidate *c)
{
    return c->tool != AGENT_NONE || c->model.n || c->system_prompt.n || c->cli_path.n || c->flags ||
           c->tool_specific || c->env;
}

static bool read_all(struct task_file_reader *r, const char *name)
{
    struct task_file *t = r->t;
    if (!json_is(r->t->doc.root, JSON_OBJECT))
        return FAIL(r, "must be a mapping with version, task and runner, not %s",
                    json_type_name(r->t->doc.root));
    if (!read_object(r, r->t->doc.root, top_fields))
        return false;
    if (!r->has_version)
        return set_place(r, STR("")), FAIL(r, "version is missing: it must be 1");
    t->has_meta = is_candidate(&t->meta);
    t->has_worker = is_candidate(&t->worker);
    if (t->meta.tool == AGENT_NONE)
        t->meta.tool = AGENT_OPENAI;
    if (t->worker.tool == AGENT_NONE)
        t->worker.tool = AGENT_CODEX;
    set_names(r, name);
    if (!find_repo(r) || !find_prd(r) || !find_tooling(r) || !check_sandbox(r))
        return false;
    t->test_cwd = r->test_cwd.value ? join_path(t->repo, json_str(r->test_cwd.value))
                                    : str_dup(str_from(t->repo));
    return true;
}

/* Return the absolute folder of the file, or NULL. The caller frees it. */
static char *find_folder(const char *name)
{
    const char *slash = strcmp(name, "-") ? strrchr(name, '/') : NULL;
    char *folder = slash ? str_dup(str_make(name, slash == name ? 1 : (size_t)(slash - name)))
                         : str_dup(STR("."));
    char *found = realpath(folder, NULL);
    free(folder);
    return found;
}

struct task_file *task_file_read_in(struct str text, const char *name, const char *folder,
                                    struct error *err)
{
    struct task_file *t = mem_zalloc(sizeof *t);
    struct task_file_reader r = {.t = t, .folder = folder ? realpath(folder, NULL) : NULL};
    r.m = (struct members){.doc = &t->doc,
                           .arena = &t->arena,
                           .warnings = t->warnings,
                           .room = TASK_FILE_WARNINGS,
                           .err = err};
    t->max_loops = 10;
    t->max_run_time_ms = 1800 * 1000;
    t->mcp_auto = true;
    t->meta.weight = t->worker.weight = 1;
    bool ok = r.folder ||
              error_set(err, ERR_IO, "cannot find the folder of %s: %s", name, strerror(errno));
    ok = ok && doc_read(&t->doc, text, &(struct doc_source){name, DOC_YAML}, err) &&
         read_all(&r, name);
    free(r.folder);
    members_done(&r.m);
    t->warning_count = r.m.count;
    if (ok)
        return t;
    task_file_free(t);
    return NULL;
}

struct task_file *task_file_read(struct str text, const char *name, struct error *err)
{
    char *folder = find_folder(name);
    struct task_file *t = task_file_read_in(text, name, folder, err);
    free(folder);
    return t;
}

void task_file_free(struct task_file *t)
{
    if (!t)
        return;
    free(t->repo);
    free(t->test_cwd);
    tooling_unref(t->tooling);
    arena_done(&t->arena);
    doc_done(&t->doc);
    free(t);
}

/* ---- writing */

static void put_text(struct jsonw *w, const char *key, struct str text)
{
    if (text.n)
        jsonw_kstr(w, key, text);
}

static void put_json(struct jsonw *w, const char *key, const struct json *v)
{
    if (!v)
        return;
    jsonw_key(w, key);
    jsonw_value(w, v);
}

static void put_candidate(struct jsonw *w, const char *key, const struct candidate *c)
{
    jsonw_kcstr(w, key, agent_kind_name(c->tool));
    put_text(w, "model", c->model);
    put_text(w, "system_prompt", c->system_prompt);
    put_text(w, "cli_path", c->cli_path);
    put_json(w, "flags", c->flags);
    put_json(w, "tool_specific", c->tool_specific);
    put_json(w, "env", c->env);
}

static void put_number(struct jsonw *w, const char *key, uint64_t n)
{
    jsonw_key(w, key);
    jsonw_uint(w, n);
}

static void put_texts(struct jsonw *w, const char *key, const struct str *items, size_t count)
{
    if (!count)
        return;
    jsonw_key(w, key);
    jsonw_array(w);
    for (size_t i = 0; i < count; i++)
        jsonw_str(w, items[i]);
    jsonw_end(w);
}

static void put_task(struct jsonw *w, const struct task_file *t)
{
    jsonw_object(w);
    jsonw_kstr(w, "id", t->id);
    jsonw_kstr(w, "title", t->title);
    jsonw_kcstr(w, "repo", t->repo);
    put_text(w, "description", t->description);
    put_texts(w, "dependencies", t->dependencies, t->dependency_count);
    if (t->wbs_level)
        put_number(w, "wbs_level", t->wbs_level);
    put_text(w, "phase_name", t->phase_name);
    if (t->language.n || t->file_path_count || t->constraint_count) {
        jsonw_key(w, "suggested_impl");
        jsonw_object(w);
        put_text(w, "language", t->language);
        put_texts(w, "file_paths", t->file_paths, t->file_path_count);
        put_texts(w, "constraints", t->constraints, t->constraint_count);
        jsonw_end(w);
    }
    jsonw_key(w, "prd");
    jsonw_object(w);
    jsonw_kstr(w, "text", t->prd);
    jsonw_end(w);
    if (t->test_command.n) {
        jsonw_key(w, "test");
        jsonw_object(w);
        jsonw_kstr(w, "command", t->test_command);
        jsonw_kcstr(w, "cwd", t->test_cwd);
        jsonw_end(w);
    }
    jsonw_end(w);
}

static void put_runner(struct jsonw *w, const struct task_file *t)
{
    jsonw_object(w);
    put_number(w, "max_loops", t->max_loops);
    if (t->has_meta) {
        jsonw_key(w, "meta");
        jsonw_object(w);
        put_candidate(w, "kind", &t->meta);
        jsonw_end(w);
    }
    jsonw_key(w, "worker");
    jsonw_object(w);
    if (t->has_worker)
        put_candidate(w, "kind", &t->worker);
    put_text(w, "docker_image", t->docker_image);
    put_number(w, "max_run_time_sec", t->max_run_time_ms / 1000);
    put_json(w, "env", t->worker_env);
    jsonw_end(w);
    jsonw_kcstr(w, "mcp", t->mcp_auto ? "auto" : "off");
    jsonw_kcstr(w, "sandbox", sandbox_kind_name(t->sandbox));
    jsonw_end(w);
}

void task_file_write(const struct task_file *t, const struct tooling *tooling, struct buf *out)
{
    struct arena a = {0};
    struct buf text = {0};
    struct jsonw j = jsonw_make(&text);
    struct doc_write w = {.out = out};
    jsonw_array(&j);
    put_task(&j, t);
    put_runner(&j, t);
    jsonw_end(&j);
    const struct json *both = json_parse(&a, buf_str(&text), NULL, NULL);
    assert(both);

    doc_write_line(&w, "version", STR("1"));
    doc_write_json(&w, "task", json_at(both, 0));
    doc_write_json(&w, "runner", json_at(both, 1));
    tooling = tooling ? tooling : t->tooling;
    if (tooling) {
        w.indent = DOC_WRITE_STEP;
        doc_write_key(&w, STR("tooling"));
        buf_add_char(out, '\n');
        tooling_write_yaml(tooling, out, 2 * DOC_WRITE_STEP);
    }
    arena_done(&a);
    buf_done(&text);
}

/* ---- the tooling of a run */

static void put_category(struct jsonw *w, const struct tooling_category *c)
{
    jsonw_object(w);
    jsonw_kcstr(w, "strategy", tooling_strategy_name(c->strategy));
    jsonw_kbool(w, "fallbackOnRateLimit", c->fallback);
    jsonw_key(w, "cooldownSec");
    jsonw_uint(w, c->cooldown_ms / 1000);
    jsonw_key(w, "candidates");
    jsonw_array(w);
    for (size_t i = 0; i < c->count; i++) {
        jsonw_object(w);
        put_candidate(w, "tool", &c->candidates[i]);
        jsonw_key(w, "weight");
        jsonw_double(w, c->candidates[i].weight);
        jsonw_end(w);
    }
    jsonw_end(w);
    jsonw_end(w);
}

static void put_tooling(struct jsonw *w, const struct task_file *t, const struct tooling *user)
{
    const struct tooling_category one = {.strategy = STRATEGY_PRIORITY,
                                         .count = 1,
                                         .fallback = true,
                                         .cooldown_ms = TOOLING_COOLDOWN_SEC * 1000};
    jsonw_object(w);
    jsonw_kcstr(w, "activeProfile", "task");
    jsonw_key(w, "profiles");
    jsonw_array(w);
    jsonw_object(w);
    jsonw_kcstr(w, "id", "task");
    jsonw_kcstr(w, "name", "named by the task");
    jsonw_key(w, "categories");
    jsonw_object(w);
    for (enum category c = 0; c < CATEGORY_COUNT; c++) {
        bool is_worker = c == CATEGORY_WORKER, named = is_worker ? t->has_worker : t->has_meta;
        struct tooling_category own = one;
        own.candidates = is_worker ? &t->worker : &t->meta;
        const struct tooling_category *use = named ? &own : tooling_category(user, c);
        if (!use)
            continue;
        jsonw_key(w, tooling_category_name(c));
        put_category(w, use);
    }
    jsonw_end(w);
    jsonw_end(w);
    jsonw_end(w);
    jsonw_end(w);
}

struct tooling *task_file_tooling(const struct task_file *t, struct tooling *user,
                                  struct error *err)
{
    if (t->tooling)
        return tooling_ref(t->tooling);
    if ((!t->has_meta && !t->has_worker) || user->forced)
        return tooling_ref(user);

    struct buf text = {0};
    struct jsonw w = jsonw_make(&text);
    struct doc d = {0};
    struct tooling *made = NULL;
    put_tooling(&w, t, user);
    if (doc_read(&d, buf_str(&text), &(struct doc_source){"the task's candidates", DOC_JSON}, err))
        made = tooling_read(&d, STR(""), err);
    doc_done(&d);
    buf_done(&text);
    return made;
}
