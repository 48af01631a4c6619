/* task_file_tooling(): who may be chosen in a run. */
#include "task/task_file_core.h"

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
        task_file_put_candidate(w, "tool", &c->candidates[i]);
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
