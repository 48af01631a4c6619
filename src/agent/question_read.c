#include <stdlib.h>

#include "agent/question.h"
#include "agent/question_object.h"
#include "base/map.h"
#include "base/spelling.h"

/* ---- which object it is */

static bool has(const struct json *object, const char *const *names)
{
    for (; *names; names++)
        if (spelling_get(object, *names))
            return true;
    return false;
}

static const char *const plan_names[] = {"acceptance_criteria", NULL};
static const char *const next_names[] = {"decision", "action", "worker_call", NULL};
static const char *const assess_names[] = {"all_criteria_satisfied", "by_criterion", NULL};

static bool is_plan(const struct json *object)
{
    return has(question_object_unwrap(object), plan_names);
}

static bool is_next(const struct json *object)
{
    return has(question_object_unwrap(object), next_names);
}

static bool is_assessment(const struct json *object)
{
    return has(question_object_unwrap(object), assess_names);
}

static const struct json *find(struct arena *a, struct str answer, enum question q,
                               struct error *err)
{
    static question_object_fits_fn *const fits[QUESTION_COUNT] = {
        [QUESTION_PLAN] = is_plan, [QUESTION_NEXT] = is_next, [QUESTION_ASSESS] = is_assessment};
    static const char *const member[QUESTION_COUNT] = {[QUESTION_PLAN] = "acceptance_criteria",
                                                       [QUESTION_NEXT] = "decision",
                                                       [QUESTION_ASSESS] =
                                                           "all_criteria_satisfied"};
    struct question_object_kind kind = {question_name(q), member[q], fits[q]};
    return question_object_read(a, answer, &kind, err);
}

/* ---- plan_task */

static bool take_criterion(const struct json *item, struct question_criterion *out,
                           struct error *err)
{
    static const char *const names[] = {"description", "text", "criterion"};
    const struct json *text = json_is(item, JSON_OBJECT) ? NULL : item;
    const struct json *id = spelling_get_some(item, "id");
    for (size_t i = 0; i < sizeof names / sizeof *names && !text; i++)
        text = spelling_get_some(item, names[i]);
    if (!json_is(text, JSON_STRING) || !str_trim(json_str(text)).n)
        return question_object_wrong(err, "the description of a criterion", "text", text);
    if (id && !json_is(id, JSON_STRING) && !json_is(id, JSON_NUMBER))
        return question_object_wrong(err, "the id of a criterion", "text", id);
    *out =
        (struct question_criterion){.text = question_object_cut(json_str(text), QUESTION_MAX_TEXT)};
    out->id = question_object_cut(json_is(id, JSON_NUMBER) ? json_number_text(id) : json_str(id),
                                  QUESTION_MAX_ID);
    return true;
}

/* Those without an id get AC-n, n their place; or the next that is free. */
static bool name_criteria(struct arena *a, struct question_plan *plan, struct error *err)
{
    struct map ids = {0};
    bool ok = true;
    for (size_t i = 0; i < plan->count && ok; i++) {
        struct question_criterion *c = &plan->criteria[i];
        struct question_criterion *twin = c->id.n ? map_set(&ids, c->id, c) : NULL;
        if (twin)
            ok = error_set(err, ERR_INVALID_PARAMS, "criteria %zu and %zu have the same id",
                           (size_t)(twin - plan->criteria) + 1, i + 1);
    }
    for (size_t i = 0; i < plan->count && ok; i++) {
        struct question_criterion *c = &plan->criteria[i];
        for (size_t n = i + 1; !c->id.n; n++) {
            struct str id = arena_printf(a, "AC-%zu", n);
            if (!map_get(&ids, id))
                c->id = id;
        }
        map_set(&ids, c->id, c);
    }
    map_done(&ids);
    return ok;
}

bool question_read_plan(struct arena *a, struct str answer, struct question_plan *out,
                        struct error *err)
{
    const struct json *object = find(a, answer, QUESTION_PLAN, err);
    const struct json *list = spelling_get(object, "acceptance_criteria");
    struct question_plan plan = {.count = 0};
    if (!object)
        return false;
    if (!json_is(list, JSON_ARRAY))
        return question_object_wrong(err, "acceptance_criteria", "a list", list);
    if (json_count(list) == 0)
        return error_set(err, ERR_INVALID_PARAMS, "acceptance_criteria is empty");
    if (json_count(list) > QUESTION_MAX_CRITERIA)
        return error_set(err, ERR_INVALID_PARAMS, "there are %zu criteria, more than %u",
                         json_count(list), QUESTION_MAX_CRITERIA);
    JSON_ITEMS (list, item)
        if (!take_criterion(item, &plan.criteria[plan.count++], err))
            return false;
    if (!question_object_text(object, "plan", QUESTION_MAX_WORK, &plan.plan, err) ||
        !name_criteria(a, &plan, err))
        return false;
    *out = plan;
    return true;
}

/* ---- next_action */

static bool are_texts(const struct json *v)
{
    JSON_ITEMS (v, item)
        if (!json_is(item, JSON_STRING))
            return false;
    JSON_EACH (v, k)
        if (!json_is(k + 1, JSON_STRING))
            return false;
    return true;
}

static bool take_call(const struct json *call, struct question_next *out, struct error *err)
{
    struct str worker = {0};
    const struct json *stdin_ = spelling_get_some(call, "use_stdin");
    struct candidate *c = &out->call;
    if (!json_is(call, JSON_OBJECT))
        return question_object_wrong(err, "worker_call", "an object", call);
    if (!question_object_text(call, "prompt", QUESTION_MAX_WORK, &out->prompt, err) ||
        !question_object_text(call, "mode", QUESTION_MAX_ID, &out->mode, err) ||
        !question_object_text(call, "model", QUESTION_MAX_ID, &c->model, err) ||
        !question_object_text(call, "worker_type", QUESTION_MAX_ID, &worker, err))
        return false;
    if (!out->prompt.n)
        return error_set(err, ERR_INVALID_PARAMS,
                         "worker_call.prompt must say what the worker shall do");
    c->tool = agent_kind_find(worker);
    c->flags = spelling_get_some(call, "flags");
    c->env = spelling_get_some(call, "env");
    c->tool_specific = spelling_get_some(call, "tool_specific");
    if (c->flags && (!json_is(c->flags, JSON_ARRAY) || !are_texts(c->flags)))
        return question_object_wrong(err, "worker_call.flags", "a list of texts", c->flags);
    if (c->env && (!json_is(c->env, JSON_OBJECT) || !are_texts(c->env)))
        return question_object_wrong(err, "worker_call.env", "an object of texts", c->env);
    if (c->tool_specific && !json_is(c->tool_specific, JSON_OBJECT))
        return question_object_wrong(err, "worker_call.tool_specific", "an object",
                                     c->tool_specific);
    if (stdin_ && !json_is(stdin_, JSON_BOOL))
        return question_object_wrong(err, "worker_call.use_stdin", "true or false", stdin_);
    out->use_stdin = json_bool(stdin_);
    return true;
}

bool question_read_next(struct arena *a, struct str answer, struct question_next *out,
                        struct error *err)
{
    const struct json *object = find(a, answer, QUESTION_NEXT, err);
    struct question_next next = {.complete = false};
    if (!object)
        return false;
    const struct json *decision = spelling_get(object, "decision");
    const struct json *around = json_is(decision, JSON_OBJECT) ? decision : object;
    const struct json *action =
        json_is(decision, JSON_STRING) ? decision : spelling_get(around, "action");
    next.complete = question_object_is(json_str(action), "mark_complete");
    if (!next.complete && !question_object_is(json_str(action), "run_worker"))
        return question_object_wrong(err, "decision.action", "\"run_worker\" or \"mark_complete\"",
                                     action);
    if (!question_object_text(around, "reason", QUESTION_MAX_TEXT, &next.reason, err))
        return false;
    if (!next.complete && !take_call(spelling_get_some(object, "worker_call"), &next, err))
        return false;
    *out = next;
    return true;
}

/* ---- completion_assessment */

static struct question_criterion *find_criterion(struct question_plan *plan, struct str id)
{
    struct question_criterion *found = NULL;
    for (size_t i = 0; i < plan->count; i++) {
        struct question_criterion *c = &plan->criteria[i];
        if (str_eq(c->id, id))
            return c;
        if (str_eq_nocase(c->id, id))
            found = c;
    }
    return found;
}

static bool take_mark(const struct json *item, struct question_plan *plan, struct error *err)
{
    const struct json *id = spelling_get(item, "id"), *status = spelling_get(item, "status");
    struct str said = json_is(id, JSON_NUMBER) ? json_number_text(id) : json_str(id);
    struct question_criterion *c = find_criterion(plan, str_trim(said));
    if (!c)
        return question_object_wrong(err, "the id in by_criterion",
                                     "one of the acceptance criteria", id);
    if (c->mark != QUESTION_OPEN)
        return question_object_wrong(err, "the id in by_criterion", "there once", id);
    if (question_object_is(json_str(status), "passed") ||
        question_object_is(json_str(status), "pass"))
        c->mark = QUESTION_PASSED;
    else if (question_object_is(json_str(status), "failed") ||
             question_object_is(json_str(status), "fail"))
        c->mark = QUESTION_FAILED;
    else
        return question_object_wrong(err, "status", "\"passed\" or \"failed\"", status);
    return question_object_text(item, "comment", QUESTION_MAX_TEXT, &c->comment, err);
}

static bool take_risks(const struct json *list, struct question_assessment *out, struct error *err)
{
    if (list && !json_is(list, JSON_ARRAY))
        return question_object_wrong(err, "risks", "a list of texts", list);
    JSON_ITEMS (list, item) {
        const struct json *text =
            json_is(item, JSON_OBJECT) ? spelling_get(item, "description") : item;
        if (!json_is(text, JSON_STRING))
            return question_object_wrong(err, "a risk", "text", item);
        if (out->risk_count < QUESTION_MAX_RISKS)
            out->risks[out->risk_count++] = question_object_cut(json_str(text), QUESTION_MAX_TEXT);
    }
    return true;
}

bool question_read_assessment(struct arena *a, struct str answer, struct question_plan *plan,
                              struct question_assessment *out, struct error *err)
{
    const struct json *object = find(a, answer, QUESTION_ASSESS, err);
    if (!object)
        return false;
    const struct json *all = spelling_get(object, "all_criteria_satisfied");
    const struct json *list = spelling_get_some(object, "by_criterion");
    struct question_assessment made = {.satisfied = json_bool(all)};
    struct question_plan marked = *plan;
    for (size_t i = 0; i < marked.count; i++) {
        marked.criteria[i].mark = QUESTION_OPEN;
        marked.criteria[i].comment = STR("");
    }
    if (!json_is(all, JSON_BOOL))
        return question_object_wrong(err, "all_criteria_satisfied", "true or false", all);
    if (list && !json_is(list, JSON_ARRAY))
        return question_object_wrong(err, "by_criterion", "a list", list);
    JSON_ITEMS (list, item)
        if (!take_mark(item, &marked, err))
            return false;
    if (!question_object_text(object, "summary", QUESTION_MAX_TEXT, &made.summary, err) ||
        !take_risks(spelling_get_some(object, "risks"), &made, err))
        return false;
    for (size_t i = 0; i < marked.count; i++) {
        made.passed += marked.criteria[i].mark == QUESTION_PASSED;
        made.failed += marked.criteria[i].mark == QUESTION_FAILED;
    }
    made.satisfied &= made.failed == 0; /* who contradicts itself is not believed */
    *plan = marked;
    *out = made;
    return true;
}
