/* tooling_write_yaml(): writes what tooling_read() reads back unchanged. */
#include "base/buf.h"
#include "base/number.h"
#include "doc/doc_write.h"
#include "tooling/tooling.h"

#define STEP DOC_WRITE_STEP

static void put_overrides(struct doc_write *w, const struct candidate *c)
{
    if (c->cli_path.n)
        doc_write_text_line(w, "cli_path", c->cli_path);
    doc_write_json(w, "flags", c->flags);
    doc_write_json(w, "env", c->env);
    doc_write_json(w, "tool_specific", c->tool_specific);
    if (c->system_prompt.n)
        doc_write_text_line(w, "system_prompt", c->system_prompt);
}

static void put_tool(struct doc_write *w, const struct candidate *c)
{
    if (c->tool != AGENT_NONE)
        doc_write_text_line(w, "tool", str_from(agent_kind_name(c->tool)));
    if (c->model.n)
        doc_write_text_line(w, "model", c->model);
}

static void put_candidate(struct doc_write *w, const struct candidate *c)
{
    char weight[NUMBER_MAX];
    doc_write_item(w);
    w->indent += STEP;
    put_tool(w, c);
    doc_write_line(w, "weight", str_make(weight, number_print_double(c->weight, weight)));
    put_overrides(w, c);
    w->indent -= STEP;
}

static void put_category(struct doc_write *w, enum category which, const struct tooling_category *c)
{
    char seconds[NUMBER_MAX];
    doc_write_key(w, str_from(tooling_category_name(which)));
    buf_add_char(w->out, '\n');
    w->indent += STEP;
    doc_write_text_line(w, "strategy", str_from(tooling_strategy_name(c->strategy)));
    doc_write_bool_line(w, "fallback_on_rate_limit", c->fallback);
    doc_write_line(w, "cooldown_sec",
                   str_make(seconds, number_print_u64(c->cooldown_ms / 1000, seconds)));
    doc_write_key(w, STR("candidates"));
    buf_add_char(w->out, '\n');
    w->indent += STEP;
    for (size_t i = 0; i < c->count; i++)
        put_candidate(w, &c->candidates[i]);
    w->indent -= 2 * STEP;
}

static void put_profile(struct doc_write *w, const struct tooling_profile *p)
{
    doc_write_item(w);
    w->indent += STEP;
    doc_write_text_line(w, "id", p->id);
    doc_write_text_line(w, "name", p->name);
    doc_write_key(w, STR("categories"));
    buf_add_char(w->out, '\n');
    w->indent += STEP;
    for (enum category c = 0; c < CATEGORY_COUNT; c++)
        if (p->categories[c].count)
            put_category(w, c, &p->categories[c]);
    w->indent -= 2 * STEP;
}

void tooling_write_yaml(const struct tooling *t, struct buf *out, size_t indent)
{
    struct doc_write w = {.out = out, .indent = indent};
    doc_write_text_line(&w, "active_profile", t->active->id);
    doc_write_key(&w, STR("profiles"));
    buf_add_char(out, '\n');
    w.indent += STEP;
    for (size_t i = 0; i < t->profile_count; i++)
        put_profile(&w, &t->profiles[i]);
    w.indent -= STEP;
    doc_write_key(&w, STR("force"));
    buf_add_char(out, '\n');
    w.indent += STEP;
    doc_write_bool_line(&w, "enabled", t->forced);
    put_tool(&w, &t->force);
    put_overrides(&w, &t->force);
}
