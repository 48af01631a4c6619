/* task_file_write(): a task as the YAML that task_file_read() reads back as the same. */
#include <assert.h>

#include "doc/doc_write.h"
#include "task/task_file_core.h"

void task_file_put_text(struct jsonw *w, const char *key, struct str text)
{
    if (text.n)
        jsonw_kstr(w, key, text);
}

void task_file_put_json(struct jsonw *w, const char *key, const struct json *v)
{
    if (!v)
        return;
    jsonw_key(w, key);
    jsonw_value(w, v);
}

void task_file_put_candidate(struct jsonw *w, const char *key, const struct candidate *c)
{
    jsonw_kcstr(w, key, agent_kind_name(c->tool));
    task_file_put_text(w, "model", c->model);
    task_file_put_text(w, "system_prompt", c->system_prompt);
    task_file_put_text(w, "cli_path", c->cli_path);
    task_file_put_json(w, "flags", c->flags);
    task_file_put_json(w, "tool_specific", c->tool_specific);
    task_file_put_json(w, "env", c->env);
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
    task_file_put_text(w, "description", t->description);
    put_texts(w, "dependencies", t->dependencies, t->dependency_count);
    if (t->wbs_level)
        put_number(w, "wbs_level", t->wbs_level);
    task_file_put_text(w, "phase_name", t->phase_name);
    if (t->language.n || t->file_path_count || t->constraint_count) {
        jsonw_key(w, "suggested_impl");
        jsonw_object(w);
        task_file_put_text(w, "language", t->language);
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
        task_file_put_candidate(w, "kind", &t->meta);
        jsonw_end(w);
    }
    jsonw_key(w, "worker");
    jsonw_object(w);
    if (t->has_worker)
        task_file_put_candidate(w, "kind", &t->worker);
    task_file_put_text(w, "docker_image", t->docker_image);
    put_number(w, "max_run_time_sec", t->max_run_time_ms / 1000);
    task_file_put_json(w, "env", t->worker_env);
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
