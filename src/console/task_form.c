#include "console/task_form.h"

#include "base/jsonw.h"
#include "base/quote.h"
#include "doc/doc_write.h"

static const struct form_member {
    const char *name;    /* in the form */
    const char *pointer; /* in the task */
} members[] = {
    {"name", "/task/id"},
    {"title", "/task/title"},
    {"repo", "/task/repo"},
    {"prd", "/task/prd"},
    {"needs", "/task/dependencies"},
    {"test_command", "/task/test/command"},
    {"max_loops", "/runner/max_loops"},
};

#define MEMBER_COUNT (sizeof members / sizeof *members)

static bool fail_form(struct error *err, const char *name, const char *what)
{
    return error_set(err, ERR_CONFIG_VALIDATION, "form:1:1: %s%s%s%s", name[0] ? "/" : "", name,
                     name[0] ? ": " : "", what);
}

static bool check_form(const struct json *form, struct error *err)
{
    if (!json_is(form, JSON_OBJECT))
        return fail_form(err, "", "must be an object");
    JSON_EACH (form, k) {
        size_t i = 0;
        while (i < MEMBER_COUNT && !str_eq(json_str(k), str_from(members[i].name)))
            i++;
        if (i < MEMBER_COUNT)
            continue;
        struct buf shown = {0};
        quote_add(&shown, json_str(k), QUOTE_MAX);
        error_set(err, ERR_CONFIG_VALIDATION, "form:1:1: unknown member %.*s",
                  STR_ARG(buf_str(&shown)));
        buf_done(&shown);
        return false;
    }
    const struct json *name = json_get(form, STR("name"));
    if (!name || (json_is(name, JSON_STRING) && !str_trim(json_str(name)).n))
        return fail_form(err, "name", "is missing: each task needs a name of its own");
    return true;
}

/* Omit a member that is missing or null. */
static void put_member(struct jsonw *w, const struct json *form, const char *from, const char *to)
{
    const struct json *v = json_get(form, str_from(from));
    if (json_type(v) == JSON_NULL)
        return;
    jsonw_key(w, to);
    jsonw_value(w, v);
}

static void put_task(struct jsonw *w, const struct json *form)
{
    jsonw_object(w);
    put_member(w, form, "name", "id");
    put_member(w, form, "title", "title");
    put_member(w, form, "repo", "repo");
    put_member(w, form, "prd", "prd");
    put_member(w, form, "needs", "dependencies");
    jsonw_key(w, "test");
    jsonw_object(w);
    put_member(w, form, "test_command", "command");
    jsonw_end(w);
    jsonw_end(w);
}

static void put_runner(struct jsonw *w, const struct json *form)
{
    jsonw_object(w);
    put_member(w, form, "max_loops", "max_loops");
    jsonw_end(w);
}

bool task_form_text(const struct json *form, struct buf *out, struct error *err)
{
    struct arena a = {0};
    struct buf text = {0};
    struct jsonw w = jsonw_make(&text);
    struct doc_write yaml = {.out = out};
    if (!check_form(form, err))
        return false;
    jsonw_array(&w);
    put_task(&w, form);
    put_runner(&w, form);
    jsonw_end(&w);
    const struct json *both = json_parse(&a, buf_str(&text), NULL, NULL);
    if (both) {
        doc_write_line(&yaml, "version", STR("1"));
        doc_write_json(&yaml, "task", json_at(both, 0));
        doc_write_json(&yaml, "runner", json_at(both, 1));
    } else { /* two levels deeper than the form */
        fail_form(err, "", "is too deep");
    }
    arena_done(&a);
    buf_done(&text);
    return both != NULL;
}

/* "form:1:40: /task/dependencies/0: ..." becomes "form:1:1: /needs/0: ...". */
void task_form_point(struct error *err)
{
    struct str text = str_from(err->text);
    size_t at = str_find(text, STR(": /"));
    if (!str_starts(text, STR("form:")) || at == text.n)
        return;
    struct str pointer = str_skip(text, at + 2);
    for (size_t i = 0; i < MEMBER_COUNT; i++) {
        struct str of = str_from(members[i].pointer), rest = str_skip(pointer, of.n);
        struct buf out = {0};
        if (!str_starts(pointer, of) || !rest.n || (rest.p[0] != ':' && rest.p[0] != '/'))
            continue;
        buf_printf(&out, "form:1:1: /%s%.*s", members[i].name, STR_ARG(rest));
        error_set(err, err->code, "%s", out.p);
        buf_done(&out);
        return;
    }
}

/* ---- other names */

static bool fail_task(struct error *err, const char *name, const char *what)
{
    return error_set(err, ERR_CONFIG_VALIDATION, "%s:1:1: %s", name, what);
}

static bool change_needs(struct task_file *t, const struct json *needs, const char *name,
                         struct error *err)
{
    size_t n = 0, count = json_count(needs);
    if (!json_is(needs, JSON_ARRAY) || count > TASK_FILE_MAX_ITEMS)
        return fail_task(err, name, "/needs: must be a list of names");
    struct str *items = arena_alloc(&t->arena, (count + 1) * sizeof *items);
    JSON_ITEMS (needs, need) {
        if (!json_is(need, JSON_STRING))
            return fail_task(err, name, "/needs: must be a list of names");
        items[n++] = arena_str(&t->arena, json_str(need));
    }
    t->dependencies = items;
    t->dependency_count = n;
    return true;
}

bool task_form_change(struct task_file *t, const struct json *to, const char *name,
                      struct error *err)
{
    const struct json *id = json_get(to, STR("name")), *needs = json_get(to, STR("needs"));
    if (id) {
        struct str text = str_trim(json_str(id));
        if (!json_is(id, JSON_STRING) || !text.n || !task_file_is_line(text))
            return fail_task(err, name, "/name: must be a name of one line");
        text = arena_str(&t->arena, text);
        if (str_eq(t->title, t->id)) /* the task has no title of its own */
            t->title = text;
        t->id = text;
    }
    return !needs || change_needs(t, needs, name, err);
}
