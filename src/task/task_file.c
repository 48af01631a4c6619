#include "task/task_file.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/quote.h"
#include "base/utf8.h"
#include "doc/members.h"

struct reader {
    struct task_file *t;
    struct members m;
    char *folder; /* what paths are relative to */
    /* What needs other parts of the file to be read before. */
    struct later {
        const struct json *value; /* NULL: not there */
        struct str at;
    } repo, prd, test_cwd, tooling, sandbox;
    bool has_version;
};

/* ---- fields */

typedef bool read_fn(struct reader *r, const struct json *v, void *to);

struct field {
    const char *name; /* in camelCase; NULL ends a table */
    read_fn *read;
    size_t to; /* offset in the task; what the reader itself keeps has none */
    const struct field *inner;
};

#define FAULT(r, ...) MEMBERS_FAIL(&(r)->m, __VA_ARGS__)

static bool read_object(struct reader *r, const struct json *v, const struct field *fields)
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

static bool read_text(struct reader *r, const struct json *v, void *to)
{
    if (!members_check_text(&r->m, v))
        return false;
    *(struct str *)to = str_trim(json_str(v));
    return true;
}

/* A name, a title: what stands in one line. */
bool task_file_is_line(struct str text)
{
    for (size_t i = 0; i < text.n; i++)
        if ((unsigned char)text.p[i] < ' ' || text.p[i] == 0x7f)
            return false;
    return text.n <= TASK_FILE_MAX_LINE;
}

static bool read_line(struct reader *r, const struct json *v, void *to)
{
    struct str text = str_trim(json_str(v));
    if (!members_check_text(&r->m, v))
        return false;
    if (text.n > TASK_FILE_MAX_LINE)
        return FAULT(r, "must not be longer than %u bytes, and has %zu", TASK_FILE_MAX_LINE,
                     text.n);
    if (!task_file_is_line(text))
        return FAULT(r, "must be one line without control characters");
    *(struct str *)to = text;
    return true;
}

struct texts {
    struct str *items;
    size_t count;
};

static bool read_texts(struct reader *r, const struct json *v, struct texts *out)
{
    size_t n = 0;
    if (!json_is(v, JSON_ARRAY))
        return members_wrong_type(&r->m, "a list of texts", v);
    if (json_count(v) > TASK_FILE_MAX_ITEMS)
        return FAULT(r, "has %zu items, at most %u are allowed", json_count(v),
                     TASK_FILE_MAX_ITEMS);
    struct str *items = arena_alloc(&r->t->arena, (json_count(v) + 1) * sizeof *items);
    JSON_ITEMS (v, item) {
        size_t before = members_down_to(&r->m, n);
        if (!read_text(r, item, &items[n++]))
            return false;
        members_up(&r->m, before);
    }
    *out = (struct texts){items, n};
    return true;
}

static bool read_list(struct reader *r, const struct json *v, void *to)
{
    struct task_file *t = r->t;
    struct texts list;
    if (!read_texts(r, v, &list))
        return false;
    size_t *count = to == &t->dependencies ? &t->dependency_count
                    : to == &t->file_paths ? &t->file_path_count
                                           : &t->constraint_count;
    *(struct str **)to = list.items;
    *count = list.count;
    return true;
}

static bool read_number(struct reader *r, const struct json *v, uint64_t most, uint64_t *out)
{
    struct buf shown = {0};
    uint64_t n;
    if (json_u64(v, &n) && n >= 1 && n <= most) {
        *out = n;
        return true;
    }
    quote_value(&shown, v, QUOTE_MAX);
    FAULT(r, "must be a whole number from 1 to %llu, not %.*s", (unsigned long long)most,
          STR_ARG(buf_str(&shown)));
    buf_done(&shown);
    return false;
}

static bool read_level(struct reader *r, const struct json *v, void *to)
{
    return read_number(r, v, 1000, to);
}

static bool read_loops(struct reader *r, const struct json *v, void *to)
{
    return read_number(r, v, TASK_FILE_MAX_LOOPS, to);
}

static bool read_seconds(struct reader *r, const struct json *v, void *to)
{
    uint64_t seconds;
    if (!read_number(r, v, TASK_FILE_MAX_TIME, &seconds))
        return false;
    *(uint64_t *)to = seconds * 1000;
    return true;
}

static bool read_version(struct reader *r, const struct json *v, void *to)
{
    uint64_t n;
    struct buf shown = {0};
    (void)to;
    r->has_version = json_u64(v, &n) && n == 1;
    if (r->has_version)
        return true;
    quote_value(&shown, v, QUOTE_MAX);
    FAULT(r, "must be 1, the only version there is, not %.*s", STR_ARG(buf_str(&shown)));
    buf_done(&shown);
    return false;
}

static void keep(struct reader *r, const struct json *v, struct later *to)
{
    *to = (struct later){v, arena_str(&r->t->arena, buf_str(&r->m.at))};
}

static bool keep_repo(struct reader *r, const struct json *v, void *to)
{
    (void)to;
    keep(r, v, &r->repo);
    return members_check_text(&r->m, v);
}

static bool keep_prd(struct reader *r, const struct json *v, void *to)
{
    (void)to;
    keep(r, v, &r->prd);
    return true;
}

static bool keep_test_cwd(struct reader *r, const struct json *v, void *to)
{
    (void)to;
    keep(r, v, &r->test_cwd);
    return members_check_text(&r->m, v);
}

static bool keep_tooling(struct reader *r, const struct json *v, void *to)
{
    (void)to;
    keep(r, v, &r->tooling);
    return true;
}

/* ---- candidates */

static struct str tool_at(const void *ctx, size_t i)
{
    (void)ctx;
    return i + 1 < AGENT_KIND_COUNT ? str_from(agent_kind_name((enum agent_kind)(i + 1)))
                                    : (struct str){0};
}

static struct str name_at(const void *ctx, size_t i)
{
    return str_from(((const char *const *)ctx)[i]);
}

static bool read_kind(struct reader *r, const struct json *v, void *to)
{
    enum agent_kind *kind = to;
    if (!members_check_text(&r->m, v))
        return false;
    *kind = agent_kind_find(json_str(v));
    return *kind != AGENT_NONE || members_unknown(&r->m, "kind", json_str(v), tool_at, NULL);
}

static bool read_flags(struct reader *r, const struct json *v, void *to)
{
    struct texts list;
    *(const struct json **)to = v;
    return read_texts(r, v, &list);
}

/* What a value is never shows in a message. */
static bool read_env(struct reader *r, const struct json *v, void *to)
{
    if (!json_is(v, JSON_OBJECT))
        return members_wrong_type(&r->m, "a mapping of texts", v);
    JSON_EACH (v, k) {
        struct str name = json_str(k), value = json_str(k + 1);
        size_t before = members_down(&r->m, name);
        if (!members_check_text(&r->m, k + 1))
            return false;
        if (!name.n || memchr(name.p, '=', name.n) || memchr(name.p, 0, name.n))
            return FAULT(r, "is no name of a variable");
        if (str_starts(value, STR("env:")) && (value.n == 4 || memchr(value.p, '=', value.n)))
            return FAULT(r, "env: must be followed by the name of a variable, as in env:MY_KEY");
        members_up(&r->m, before);
    }
    *(const struct json **)to = v;
    return true;
}

static bool read_json_object(struct reader *r, const struct json *v, void *to)
{
    *(const struct json **)to = v;
    return json_is(v, JSON_OBJECT) || members_wrong_type(&r->m, "a mapping", v);
}

static const char *const mcp_names[] = {"auto", "off", NULL};
static const char *const sandbox_names[] = {"none", "bwrap", "docker", "podman", NULL};

static bool read_mcp(struct reader *r, const struct json *v, void *to)
{
    if (!members_check_text(&r->m, v))
        return false;
    *(bool *)to = str_eq(json_str(v), STR("auto"));
    return *(bool *)to || str_eq(json_str(v), STR("off")) ||
           members_unknown(&r->m, "setting", json_str(v), name_at, mcp_names);
}

static bool read_sandbox(struct reader *r, const struct json *v, void *to)
{
    keep(r, v, &r->sandbox);
    if (!members_check_text(&r->m, v))
        return false;
    return sandbox_kind_find(json_str(v), to) ||
           members_unknown(&r->m, "sandbox", json_str(v), name_at, sandbox_names);
}

/* ---- the tables */

#define TO(member) offsetof(struct task_file, member)

static const struct field impl_fields[] = {
    {"language", read_line, TO(language), NULL},
    {"filePaths", read_list, TO(file_paths), NULL},
    {"constraints", read_list, TO(constraints), NULL},
    {0},
};

static const struct field test_fields[] = {
    {"command", read_text, TO(test_command), NULL},
    {"cwd", keep_test_cwd, 0, NULL},
    {0},
};

static const struct field task_fields[] = {
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

static const struct field meta_fields[] = {
    CANDIDATE(meta),
    {"env", read_env, TO(meta.env), NULL},
    {0},
};

static const struct field worker_fields[] = {
    CANDIDATE(worker),
    {"env", read_env, TO(worker_env), NULL},
    {"dockerImage", read_line, TO(docker_image), NULL},
    {"maxRunTimeSec", read_seconds, TO(max_run_time_ms), NULL},
    {0},
};

static const struct field runner_fields[] = {
    {"maxLoops", read_loops, TO(max_loops), NULL},
    {"meta", NULL, 0, meta_fields},
    {"worker", NULL, 0, worker_fields},
    {"mcp", read_mcp, TO(mcp_auto), NULL},
    {"sandbox", read_sandbox, TO(sandbox), NULL},
    {"tooling", keep_tooling, 0, NULL},
    {0},
};

static const struct field top_fields[] = {
    {"version", read_version, 0, NULL},
    {"task", NULL, 0, task_fields},
    {"runner", NULL, 0, runner_fields},
    {0},
};

/* ---- what hangs together */

static void go_to(struct reader *r, struct str at)
{
    members_up(&r->m, 0);
    buf_add(&r->m.at, at);
}

/* base/path, or the path itself if it is absolute; for free(). */
static char *join(const char *base, struct str path)
{
    struct buf out = {0};
    if (!path.n || path.p[0] != '/')
        buf_printf(&out, "%s%s", base, strcmp(base, "/") ? "/" : "");
    buf_add(&out, path);
    char *made = str_dup(buf_str(&out));
    buf_done(&out);
    return made;
}

static bool find_repo(struct reader *r)
{
    struct str given = r->repo.value ? json_str(r->repo.value) : STR(".");
    struct buf shown = {0};
    struct stat st;
    char *path = join(r->folder, given);
    r->t->repo = realpath(path, NULL);
    free(path);
    if (r->t->repo && stat(r->t->repo, &st) == 0 && S_ISDIR(st.st_mode))
        return true;
    go_to(r, r->repo.value ? r->repo.at : STR("/task"));
    quote_add(&shown, given, 200);
    FAULT(r, "repo %.*s is no folder, seen from %s", STR_ARG(buf_str(&shown)), r->folder);
    buf_done(&shown);
    return false;
}

static bool read_prd_file(struct reader *r, struct str path, struct buf *out)
{
    struct error first = {0};
    char *beside = join(r->folder, path), *in_repo = join(r->t->repo, path);
    bool is_beside = file_exists(beside) || !file_exists(in_repo);
    bool ok = file_read(is_beside ? beside : in_repo, TASK_FILE_MAX_PRD, out, &first);
    if (!ok && first.code == ERR_LIMIT)
        FAULT(r, "the file has more than %u bytes", TASK_FILE_MAX_PRD);
    else if (!ok)
        FAULT(r, "%s; it is looked for beside the task's file and in the repo", first.text);
    free(beside);
    free(in_repo);
    return ok;
}

static bool take_prd(struct reader *r, struct str text)
{
    if (!str_trim(text).n)
        return FAULT(r, "is empty: it must say what is wanted");
    if (!utf8_is_valid(text) || str_find_char(text, 0) < text.n)
        return FAULT(r, "must be UTF-8 text");
    if (text.n > TASK_FILE_MAX_PRD)
        return FAULT(r, "has %zu bytes, at most %u are allowed", text.n, TASK_FILE_MAX_PRD);
    r->t->prd = arena_str(&r->t->arena, text);
    return true;
}

static bool find_prd(struct reader *r)
{
    static const char *const names[] = {"path", "text"};
    const struct json *v = r->prd.value;
    struct members_fields f;
    struct buf read = {0};
    if (!v) {
        go_to(r, STR("/task"));
        return FAULT(r,
                     "prd is missing: what is wanted, as text or as a mapping with path or text");
    }
    go_to(r, r->prd.at);
    if (json_is(v, JSON_STRING))
        return take_prd(r, json_str(v));
    if (!json_is(v, JSON_OBJECT))
        return members_wrong_type(&r->m, "text, or a mapping with path or text", v);
    if (!members_collect(&r->m, v, names, 2, &f))
        return false;
    bool is_path = f.values[0] != NULL;
    if (is_path == (f.values[1] != NULL))
        return FAULT(r, "must have either path or text");
    members_down(&r->m, f.keys[!is_path]);
    if (!members_check_text(&r->m, f.values[!is_path]))
        return false;
    if (!is_path)
        return take_prd(r, json_str(f.values[1]));
    bool ok = read_prd_file(r, json_str(f.values[0]), &read) && take_prd(r, buf_str(&read));
    buf_done(&read);
    return ok;
}

static bool find_tooling(struct reader *r)
{
    struct task_file *t = r->t;
    if (!r->tooling.value)
        return true;
    t->tooling = tooling_read(&t->doc, r->tooling.at, r->m.err);
    go_to(r, r->tooling.at);
    if (t->tooling && (t->has_meta || t->has_worker))
        members_warn(&r->m, STR("this holds: the candidates of runner.meta and runner.worker are "
                                "not used"));
    return t->tooling != NULL;
}

static bool check_sandbox(struct reader *r)
{
    bool wants = r->t->sandbox == SANDBOX_DOCKER || r->t->sandbox == SANDBOX_PODMAN;
    if (wants && !r->t->docker_image.n) {
        go_to(r, r->sandbox.at);
        return FAULT(r, "needs an image: set runner.worker.docker_image");
    }
    if (!wants && r->t->docker_image.n) {
        go_to(r, STR("/runner/worker"));
        members_warn(&r->m, STR("docker_image is not used: runner.sandbox is neither docker nor "
                                "podman"));
    }
    return true;
}

static void name_it(struct reader *r, const char *name)
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

static bool read_all(struct reader *r, const char *name)
{
    struct task_file *t = r->t;
    if (!json_is(r->t->doc.root, JSON_OBJECT))
        return FAULT(r, "must be a mapping with version, task and runner, not %s",
                     json_type_name(r->t->doc.root));
    if (!read_object(r, r->t->doc.root, top_fields))
        return false;
    if (!r->has_version)
        return go_to(r, STR("")), FAULT(r, "version is missing: it must be 1");
    t->has_meta = is_candidate(&t->meta);
    t->has_worker = is_candidate(&t->worker);
    if (t->meta.tool == AGENT_NONE)
        t->meta.tool = AGENT_OPENAI;
    if (t->worker.tool == AGENT_NONE)
        t->worker.tool = AGENT_CODEX;
    name_it(r, name);
    if (!find_repo(r) || !find_prd(r) || !find_tooling(r) || !check_sandbox(r))
        return false;
    t->test_cwd =
        r->test_cwd.value ? join(t->repo, json_str(r->test_cwd.value)) : str_dup(str_from(t->repo));
    return true;
}

/* The folder of the file, absolute; NULL: there is none. */
static char *folder_of(const char *name)
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
    struct reader r = {.t = t, .folder = folder ? realpath(folder, NULL) : NULL};
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
              error_set(err, ERR_IO, "the folder of %s is not there: %s", name, strerror(errno));
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
    char *folder = folder_of(name);
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
