/* goal_read(): make tasks, each a Task YAML, of a planner's answer. */
#include "agent/question.h"
#include "base/jsonw.h"
#include "base/map.h"
#include "base/nearest.h"
#include "base/quote.h"
#include "base/spelling.h"
#include "base/utf8.h"
#include "doc/doc_write.h"
#include "orchestrator/goal_internal.h"
#include "orchestrator/graph.h"

#define MAX_DESCRIPTION (32u << 10)
#define MAX_TITLE       200u
#define MAX_SLUG        40u
#define MAX_FILES       100u
#define MAX_LEVEL       1000u
#define MAX_GOAL_TITLE  200u

_Static_assert(2 * QUESTION_MAX_ID <= TASKS_MAX_NAME, "a prefix and an id make a name");

struct task_draft { /* a task as the answer has it */
    struct str id, title, description, test, test_cwd, phase;
    struct str *acceptance, *files;
    size_t acceptance_count, file_count;
    uint64_t level;
    const struct json *needs; /* a list, or NULL */
};

struct plan_reader {
    const struct goal_options *o;
    struct arena *a;
    struct error *err;
    struct task_draft *drafts;
    uint32_t count;
    struct map ids, titles; /* -> the draft */
    struct graph_edge *edges;
    size_t edge_count, edge_cap;
};

/* ---- texts */

/* Replace control characters by blanks; with `lines`, keep line ends and tabs. */
static struct str clean_text(struct arena *a, struct str text, bool lines)
{
    struct buf out = {0};
    utf8_add_lossy(&out, text);
    for (size_t i = 0; i < out.n; i++) {
        bool control = (unsigned char)out.p[i] < ' ' || out.p[i] == 0x7f;
        if (control && !(lines && (out.p[i] == '\n' || out.p[i] == '\t')))
            out.p[i] = ' ';
    }
    struct str kept = arena_str(a, str_trim(buf_str(&out)));
    buf_done(&out);
    return kept;
}

bool goal_read_is_id(struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!letter && (i == 0 || (c != '.' && c != '_' && c != '-')))
            return false;
    }
    return s.n > 0;
}

/* Where an error is: tasks[2].title, or "title" of the task "menu" if it has an id. */
static const char *describe_place(const struct plan_reader *r, const struct task_draft *d,
                                  const char *what)
{
    if (d->id.n)
        return arena_printf(r->a, "\"%s\" of the task \"%.*s\"", what, STR_ARG(d->id)).p;
    return arena_printf(r->a, "tasks[%zu].%s", (size_t)(d - r->drafts), what).p;
}

static bool take_line(struct plan_reader *r, struct task_draft *d, const struct json *item,
                      const char *name, struct str *out)
{
    const struct json *v = spelling_get_some(item, name);
    if (v && !json_is(v, JSON_STRING))
        return answer_object_reject(r->err, describe_place(r, d, name), "text", v);
    *out = clean_text(r->a, answer_object_cut(json_str(v), MAX_TITLE), false);
    return true;
}

static bool take_text(struct plan_reader *r, struct task_draft *d, const struct json *item,
                      const char *name, struct str *out)
{
    const struct json *v = spelling_get_some(item, name);
    if (v && !json_is(v, JSON_STRING))
        return answer_object_reject(r->err, describe_place(r, d, name), "text", v);
    *out = clean_text(r->a, answer_object_cut(json_str(v), MAX_DESCRIPTION), true);
    return true;
}

/* Return the member with the first of the names that exists. */
static const struct json *get_any(const struct json *item, const char *const *names)
{
    const struct json *found = NULL;
    for (; *names && !found; names++)
        found = spelling_get_some(item, *names);
    return found;
}

struct draft_texts {
    const char *name;
    size_t most;
    struct str *items;
    size_t count;
};

/* Read a list of texts, a list of objects with a text, or a single text. */
static bool take_texts(struct plan_reader *r, struct task_draft *d, const struct json *v,
                       struct draft_texts *out)
{
    static const char *const names[] = {"description", "text", "criterion", "path", NULL};
    bool alone = json_is(v, JSON_STRING);
    if (v && !alone && !json_is(v, JSON_ARRAY))
        return answer_object_reject(r->err, describe_place(r, d, out->name), "a list of texts", v);
    size_t n = alone ? 1 : json_count(v);
    if (n > out->most)
        return error_set(r->err, ERR_INVALID_PARAMS, "%s has %zu items, more than %zu",
                         describe_place(r, d, out->name), n, out->most);
    out->items = arena_alloc(r->a, (n + 1) * sizeof *out->items);
    for (size_t i = 0; i < n; i++) {
        const struct json *item = alone ? v : json_at(v, i);
        const struct json *text = json_is(item, JSON_OBJECT) ? get_any(item, names) : item;
        if (!json_is(text, JSON_STRING))
            return answer_object_reject(r->err, describe_place(r, d, out->name), "a list of texts",
                                        item);
        struct str s = answer_object_cut(json_str(text), QUESTION_MAX_TEXT);
        out->items[out->count] = clean_text(r->a, s, false);
        out->count += out->items[out->count].n > 0;
    }
    return true;
}

/* ---- one task */

static bool take_id(struct plan_reader *r, struct task_draft *d, const struct json *item)
{
    const struct json *v = spelling_get_some(item, "id");
    struct str id = str_trim(json_is(v, JSON_NUMBER) ? json_number_text(v) : json_str(v));
    const char *at = describe_place(r, d, "id");
    if (v && !json_is(v, JSON_STRING) && !json_is(v, JSON_NUMBER))
        return answer_object_reject(r->err, at, "text", v);
    if (id.n > QUESTION_MAX_ID)
        return error_set(r->err, ERR_INVALID_PARAMS, "%s has %zu characters, more than %u", at,
                         id.n, QUESTION_MAX_ID);
    if (id.n && !goal_read_is_id(id))
        return answer_object_reject(
            r->err, at, "of letters, digits, '.', '_' and '-', beginning with a letter or a digit",
            v);
    d->id = id;
    return true;
}

/* A command, or {command, cwd}. */
static bool take_test(struct plan_reader *r, struct task_draft *d, const struct json *item)
{
    const struct json *v = spelling_get_some(item, "test");
    if (json_is(v, JSON_OBJECT)) {
        if (!take_text(r, d, v, "command", &d->test) || !take_line(r, d, v, "cwd", &d->test_cwd))
            return false;
    } else if (!take_text(r, d, item, "test", &d->test)) {
        return false;
    }
    if (d->test.n > QUESTION_MAX_TEXT)
        return error_set(r->err, ERR_INVALID_PARAMS, "%s has %zu bytes, more than %u",
                         describe_place(r, d, "test"), d->test.n, QUESTION_MAX_TEXT);
    if (d->test_cwd.n &&
        (d->test_cwd.p[0] == '/' || str_find(d->test_cwd, STR("..")) < d->test_cwd.n))
        return error_set(r->err, ERR_INVALID_PARAMS, "%s must be a folder of the repository",
                         describe_place(r, d, "test.cwd"));
    return true;
}

static bool take_needs(struct plan_reader *r, struct task_draft *d, const struct json *item)
{
    static const char *const names[] = {"dependencies", "depends_on", "deps",
                                        "needs",        "requires",   "blocked_by"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct json *v = spelling_get_some(item, names[i]);
        if (!v)
            continue;
        if (d->needs)
            return error_set(r->err, ERR_INVALID_PARAMS,
                             "%s is a second list of dependencies: use \"dependencies\" only",
                             describe_place(r, d, names[i]));
        if (!json_is(v, JSON_ARRAY))
            return answer_object_reject(r->err, describe_place(r, d, names[i]), "a list of ids", v);
        d->needs = v;
    }
    return true;
}

static bool take_details(struct plan_reader *r, struct task_draft *d, const struct json *item)
{
    static const char *const acceptance_names[] = {"acceptance", "acceptance_criteria", NULL};
    static const char *const file_names[] = {"file_paths", "files", NULL};
    struct draft_texts acceptance = {.name = "acceptance", .most = QUESTION_MAX_CRITERIA};
    struct draft_texts files = {.name = "file_paths", .most = MAX_FILES};
    const struct json *level = spelling_get_some(item, "wbs_level");
    if (!take_texts(r, d, get_any(item, acceptance_names), &acceptance) ||
        !take_texts(r, d, get_any(item, file_names), &files) ||
        !take_line(r, d, item, "phase_name", &d->phase))
        return false;
    if (level && (!json_u64(level, &d->level) || d->level < 1 || d->level > MAX_LEVEL))
        return answer_object_reject(r->err, describe_place(r, d, "wbs_level"),
                                    "a whole number from 1 to 1000", level);
    d->acceptance = acceptance.items;
    d->acceptance_count = acceptance.count;
    d->files = files.items;
    d->file_count = files.count;
    return true;
}

static bool take_task(struct plan_reader *r, struct task_draft *d, const struct json *item)
{
    if (!json_is(item, JSON_OBJECT))
        return answer_object_reject(
            r->err, arena_printf(r->a, "tasks[%zu]", (size_t)(d - r->drafts)).p, "an object", item);
    if (!take_id(r, d, item) || !take_line(r, d, item, "title", &d->title) ||
        !take_text(r, d, item, "description", &d->description))
        return false;
    if (!d->title.n && !d->id.n)
        return error_set(r->err, ERR_INVALID_PARAMS, "%s is missing: it must be text",
                         describe_place(r, d, "title"));
    if (!d->description.n)
        return error_set(r->err, ERR_INVALID_PARAMS,
                         "%s is missing: it must say what is to be done",
                         describe_place(r, d, "description"));
    if (!d->title.n)
        d->title = d->id;
    return take_test(r, d, item) && take_needs(r, d, item) && take_details(r, d, item);
}

/* ---- names */

/* Letters and digits of the title, everything else as "-"; "task" if nothing is left. */
static struct str make_slug(struct arena *a, struct str title)
{
    char made[MAX_SLUG + 1];
    size_t n = 0;
    for (size_t i = 0; i < title.n && n < MAX_SLUG; i++) {
        char c = title.p[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if (c >= 'A' && c <= 'Z')
            made[n++] = (char)(c - 'A' + 'a');
        else if (letter)
            made[n++] = c;
        else if (n && made[n - 1] != '-')
            made[n++] = '-';
    }
    while (n && made[n - 1] == '-')
        n--;
    return n ? arena_str(a, str_make(made, n)) : STR("task");
}

static bool name_drafts(struct plan_reader *r)
{
    for (uint32_t i = 0; i < r->count; i++) {
        struct task_draft *d = &r->drafts[i], *twin = d->id.n ? map_set(&r->ids, d->id, d) : NULL;
        if (twin)
            return error_set(r->err, ERR_INVALID_PARAMS,
                             "tasks[%zu] and tasks[%u] have the same id \"%.*s\"",
                             (size_t)(twin - r->drafts), i, STR_ARG(d->id));
    }
    for (uint32_t i = 0; i < r->count; i++) {
        struct task_draft *d = &r->drafts[i];
        struct str stem = d->id.n ? d->id : make_slug(r->a, d->title);
        for (size_t n = 2; !d->id.n; n++) {
            struct str id = n == 2 ? stem : arena_printf(r->a, "%.*s-%zu", STR_ARG(stem), n - 1);
            if (!map_get(&r->ids, id))
                map_set(&r->ids, d->id = id, d);
        }
        if (!map_get(&r->titles, d->title))
            map_set(&r->titles, d->title, d);
    }
    return true;
}

/* ---- dependencies */

static bool set_unknown_need(struct plan_reader *r, const struct task_draft *d,
                             const struct json *v)
{
    struct nearest near = nearest_make(json_str(v));
    struct buf got = {0};
    for (uint32_t i = 0; i < r->count; i++)
        nearest_offer(&near, r->drafts[i].id);
    quote_value(&got, v, QUOTE_MAX);
    error_set(r->err, ERR_INVALID_PARAMS,
              "the task \"%.*s\" depends on %s, which is not the id of any task here%s%.*s%s",
              STR_ARG(d->id), got.p, near.best.n ? " (did you mean \"" : "", STR_ARG(near.best),
              near.best.n ? "\"?)" : "");
    buf_done(&got);
    return false;
}

static bool add_need(struct plan_reader *r, uint32_t node, const struct json *v)
{
    struct str id = str_trim(json_is(v, JSON_NUMBER) ? json_number_text(v) : json_str(v));
    struct task_draft *d = map_get(&r->ids, id);
    d = d ? d : map_get(&r->titles, id);
    if (!d)
        return set_unknown_need(r, &r->drafts[node], v);
    struct graph_edge edge = {node, (uint32_t)(d - r->drafts)};
    for (size_t i = r->edge_count; i-- > 0 && r->edges[i].node == node;)
        if (r->edges[i].needs == edge.needs)
            return true;
    r->edges[r->edge_count++] = edge;
    return true;
}

static bool link_drafts(struct plan_reader *r)
{
    for (uint32_t i = 0; i < r->count; i++)
        if (json_count(r->drafts[i].needs) > GOAL_MAX_TASKS)
            return error_set(r->err, ERR_INVALID_PARAMS, "%s has %zu items, more than %u",
                             describe_place(r, &r->drafts[i], "dependencies"),
                             json_count(r->drafts[i].needs), GOAL_MAX_TASKS);
    r->edges = arena_alloc(r->a, (size_t)r->count * GOAL_MAX_TASKS * sizeof *r->edges);
    for (uint32_t i = 0; i < r->count; i++)
        JSON_ITEMS (r->drafts[i].needs, item)
            if (!add_need(r, i, item))
                return false;
    struct graph g = {.count = r->count, .edges = r->edges, .edge_count = r->edge_count};
    uint32_t *cycle;
    size_t length;
    if (!graph_find_cycle(&g, r->a, &cycle, &length))
        return true;
    struct buf text = buf_make(ERROR_TEXT_MAX);
    for (size_t i = 0; i < length; i++) {
        buf_add(&text, i ? STR(" -> ") : STR(""));
        buf_add(&text, r->drafts[cycle[i]].id);
    }
    error_set(r->err, ERR_INVALID_PARAMS, "the dependencies form a cycle: %.*s",
              STR_ARG(buf_str(&text)));
    buf_done(&text);
    return false;
}

/* ---- the Task YAML */

static void add_prd(struct buf *out, const struct plan_reader *r, const struct task_draft *d)
{
    buf_printf(out, "# %.*s\n\n%.*s\n", STR_ARG(d->title), STR_ARG(d->description));
    if (d->acceptance_count)
        buf_add(out, STR("\n## Acceptance criteria\n\n"));
    for (size_t i = 0; i < d->acceptance_count; i++)
        buf_printf(out, "- %.*s\n", STR_ARG(d->acceptance[i]));
    if (r->count > 1)
        buf_printf(out,
                   "\n## The goal behind it\n\nThis is one of %u tasks that reach the goal below "
                   "together. Do this one only: those it depends on are done, the others are "
                   "somebody else's.\n\n",
                   r->count);
    else
        buf_add(out, STR("\n## The goal behind it\n\n"));
    buf_add(out, clean_text(r->a, r->o->text, true));
    buf_add_char(out, '\n');
}

static void write_texts(struct jsonw *w, const char *key, const struct str *items, size_t count)
{
    jsonw_key(w, key);
    jsonw_array(w);
    for (size_t i = 0; i < count; i++)
        jsonw_str(w, items[i]);
    jsonw_end(w);
}

static void write_task(struct jsonw *w, const struct plan_reader *r, const struct task_draft *d,
                       const struct goal_task *t)
{
    struct buf prd = {0};
    add_prd(&prd, r, d);
    jsonw_object(w);
    jsonw_kstr(w, "id", t->id);
    jsonw_kstr(w, "title", d->title);
    jsonw_kcstr(w, "repo", r->o->repo);
    if (t->need_count)
        write_texts(w, "dependencies", t->needs, t->need_count);
    if (d->level)
        jsonw_kint(w, "wbs_level", (int64_t)d->level);
    if (d->phase.n)
        jsonw_kstr(w, "phase_name", d->phase);
    if (d->file_count) {
        jsonw_key(w, "suggested_impl");
        jsonw_object(w);
        write_texts(w, "file_paths", d->files, d->file_count);
        jsonw_end(w);
    }
    jsonw_key(w, "prd");
    jsonw_object(w);
    jsonw_kstr(w, "text", buf_str(&prd));
    jsonw_end(w);
    if (d->test.n) {
        jsonw_key(w, "test");
        jsonw_object(w);
        jsonw_kstr(w, "command", d->test);
        if (d->test_cwd.n)
            jsonw_kstr(w, "cwd", d->test_cwd);
        jsonw_end(w);
    }
    jsonw_end(w);
    buf_done(&prd);
}

static struct str make_spec(const struct plan_reader *r, const struct task_draft *d,
                            const struct goal_task *t)
{
    struct arena scratch = {0};
    struct buf json = {0}, yaml = {0};
    struct jsonw j = jsonw_make(&json);
    struct doc_write w = {.out = &yaml};
    write_task(&j, r, d, t);
    doc_write_line(&w, "version", STR("1"));
    doc_write_json(&w, "task", json_parse(&scratch, buf_str(&json), NULL, NULL));
    struct str spec = arena_str(r->a, buf_str(&yaml));
    arena_done(&scratch);
    buf_done(&json);
    buf_done(&yaml);
    return spec;
}

/* ---- the whole */

static struct str add_prefix(const struct plan_reader *r, struct str id)
{
    return arena_printf(r->a, "%.*s%.*s", STR_ARG(r->o->prefix), STR_ARG(id));
}

static void make_plan(struct plan_reader *r, struct goal_plan *out)
{
    struct graph g = {.count = r->count, .edges = r->edges, .edge_count = r->edge_count};
    uint32_t *order = arena_alloc(r->a, r->count * sizeof *order);
    struct goal_task *tasks = arena_zalloc(r->a, r->count * sizeof *tasks);
    graph_order(&g, order);
    for (uint32_t i = 0; i < r->count; i++) {
        struct goal_task *t = &tasks[i];
        const struct task_draft *d = &r->drafts[order[i]];
        struct str *needs = arena_alloc(r->a, (json_count(d->needs) + 1) * sizeof *needs);
        for (size_t k = 0; k < r->edge_count; k++)
            if (r->edges[k].node == order[i])
                needs[t->need_count++] = add_prefix(r, r->drafts[r->edges[k].needs].id);
        t->id = add_prefix(r, d->id);
        t->title = d->title;
        t->needs = needs;
        t->spec = make_spec(r, d, t);
    }
    *out = (struct goal_plan){tasks, r->count};
}

static bool is_plan(const struct json *object)
{
    return spelling_get(answer_object_unwrap(object), "tasks") != NULL;
}

static bool read_drafts(struct plan_reader *r, const struct json *list)
{
    size_t count = json_count(list);
    if (!json_is(list, JSON_ARRAY))
        return answer_object_reject(r->err, "tasks", "a list", list);
    if (!count)
        return error_set(r->err, ERR_INVALID_PARAMS, "tasks is empty: there must be at least one");
    if (count > GOAL_MAX_TASKS)
        return error_set(r->err, ERR_INVALID_PARAMS, "there are %zu tasks, more than %u", count,
                         GOAL_MAX_TASKS);
    r->drafts = arena_zalloc(r->a, count * sizeof *r->drafts);
    JSON_ITEMS (list, item)
        if (!take_task(r, &r->drafts[r->count++], item))
            return false;
    return name_drafts(r) && link_drafts(r);
}

bool goal_read(struct str answer, const struct goal_options *options, struct arena *a,
               struct goal_plan *out, struct error *err)
{
    static const struct answer_object_kind kind = {GOAL_QUESTION, "tasks", is_plan};
    struct plan_reader r = {.o = options, .a = a, .err = err};
    const struct json *object = answer_object_read(a, answer, &kind, err);
    bool ok = object && read_drafts(&r, spelling_get(object, "tasks"));
    if (ok)
        make_plan(&r, out);
    map_done(&r.ids);
    map_done(&r.titles);
    return ok;
}
