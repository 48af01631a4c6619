#include "agent/question.h"

#include <assert.h>
#include <stdlib.h>

#include "agent/answer_object.h"
#include "agent/prompt_text.h"
#include "base/map.h"
#include "base/spelling.h"

/* Limits for each text; the sum is below QUESTION_MAX_PROMPT. */
#define MAX_PRD       (48u << 10)
#define MAX_ABOUT     (8u << 10) /* description */
#define MAX_CRITERIA  (40u << 10)
#define MAX_COMMENT   400u
#define MAX_SHORT     PROMPT_TEXT_SHORT
#define MAX_RUN       (6u << 10) /* each of prompt, message and changes of the last run */
#define MAX_OLD_RUN   600u       /* of an older one */
#define MAX_OLD_RUNS  (24u << 10)
#define MAX_TEST      (8u << 10)
#define MAX_SUMMARY   (4u << 10)
#define MAX_ANSWER    (6u << 10)
#define MAX_WORK_PRD  (16u << 10)
#define MAX_WORK_LEFT (8u << 10)

static const struct {
    const char *name;
    enum category category;
} rows[QUESTION_COUNT] = {
    [QUESTION_PLAN] = {"plan_task", CATEGORY_TASK},
    [QUESTION_NEXT] = {"next_action", CATEGORY_EXECUTION},
    [QUESTION_ASSESS] = {"completion_assessment", CATEGORY_EXECUTION},
};

const char *question_name(enum question q)
{
    assert(q < QUESTION_COUNT);
    return rows[q].name;
}

enum category question_category(enum question q)
{
    assert(q < QUESTION_COUNT);
    return rows[q].category;
}

/* ---- parts of prompts */

static void add_task(struct buf *out, const struct task_file *t, size_t max_prd)
{
    buf_add(out, STR("# The task\n\nid: "));
    prompt_text_line(out, t->id, MAX_SHORT);
    buf_add(out, STR("\ntitle: "));
    prompt_text_line(out, t->title, MAX_SHORT);
    buf_add_char(out, '\n');
    if (t->phase_name.n) {
        buf_add(out, STR("phase: "));
        prompt_text_line(out, t->phase_name, MAX_SHORT);
        buf_add_char(out, '\n');
    }
    if (t->language.n) {
        buf_add(out, STR("language: "));
        prompt_text_line(out, t->language, MAX_SHORT);
        buf_add_char(out, '\n');
    }
    prompt_text_list(out, "files that it is probably about", t->file_paths, t->file_path_count);
    prompt_text_list(out, "constraints", t->constraints, t->constraint_count);
    if (t->test_command.n) {
        buf_add(out, STR("test command, run at the end: "));
        prompt_text_line(out, t->test_command, MAX_SHORT);
        buf_add_char(out, '\n');
    }
    if (t->description.n)
        prompt_text_tagged(out, "description", t->description, MAX_ABOUT);
    buf_add(out, STR("\nWhat is wanted:\n\n"));
    prompt_text_tagged(out, "requirements", t->prd, max_prd);
}

static void add_criteria(struct buf *out, const struct question_plan *plan)
{
    static const char *const marks[] = {
        [QUESTION_OPEN] = "", [QUESTION_PASSED] = " (passed)", [QUESTION_FAILED] = " (failed)"};
    size_t room = MAX_CRITERIA / plan->count; /* an equal share if there are many */
    room = room > QUESTION_MAX_TEXT ? QUESTION_MAX_TEXT : room;
    room = room > 2 * MAX_COMMENT ? room - MAX_COMMENT : room / 2;
    buf_add(out, STR("\n# Acceptance criteria\n\n"));
    for (size_t i = 0; i < plan->count; i++) {
        const struct question_criterion *c = &plan->criteria[i];
        buf_add(out, STR("- "));
        prompt_text_line(out, c->id, QUESTION_MAX_ID);
        buf_printf(out, "%s: ", marks[c->mark]);
        prompt_text_line(out, c->text, room);
        if (c->comment.n) {
            buf_add(out, STR(" -- "));
            prompt_text_line(out, c->comment, room < MAX_COMMENT ? room : MAX_COMMENT);
        }
        buf_add_char(out, '\n');
    }
}

static void add_run(struct buf *out, const struct question_run *run, size_t number, size_t most)
{
    buf_printf(out, "\n## Run %zu: ", number);
    prompt_text_line(out, run->outcome, MAX_SHORT);
    buf_add_char(out, '\n');
    prompt_text_tagged(out, "instructions", run->prompt, most);
    if (run->said.n)
        prompt_text_tagged(out, "report", run->said, most);
    if (run->changes.n)
        prompt_text_tagged(out, "changed-files", run->changes, most);
    else
        buf_add(out, STR("No file was changed.\n"));
}

/* Add the last run in detail, and as many older ones as there is room for. */
static void add_runs(struct buf *out, const struct question_history *h)
{
    const size_t each = 3 * MAX_OLD_RUN + MAX_SHORT + 200, most = MAX_OLD_RUNS / each;
    size_t first = h->run_count > most + 1 ? h->run_count - most - 1 : 0;
    buf_add(out, STR("\n# Worker runs so far\n"));
    if (!h->run_count)
        buf_add(out, STR("\nNone.\n"));
    if (first)
        buf_printf(out, "\nRuns 1 to %zu are left out.\n", first);
    for (size_t i = first; i < h->run_count; i++)
        add_run(out, &h->runs[i], i + 1, i + 1 < h->run_count ? MAX_OLD_RUN : MAX_RUN);
}

static void add_results(struct buf *out, const struct question_history *h)
{
    if (h->assessment && h->assessment->summary.n) {
        buf_add(out, STR("\n# The last assessment\n\n"));
        prompt_text_tagged(out, "summary", h->assessment->summary, MAX_SUMMARY);
    }
    if (h->test_output.n || h->test_failed) {
        buf_printf(out, "\n# The last run of the test command %s; the end of its output\n\n",
                   h->test_failed ? "FAILED" : "passed");
        prompt_text_tagged(out, "test-output", h->test_output, MAX_TEST);
    }
}

/* ---- the questions */

void question_prompt_plan(struct buf *out, const struct task_file *t)
{
    prompt_text_head(
        out, question_name(QUESTION_PLAN),
        "You are the planner of a programming task that others will carry out. You decide "
        "what must be true when it is done.");
    add_task(out, t, MAX_PRD);
    buf_add(out,
            STR("\n# Your answer\n\n"
                "Derive the acceptance criteria from what is wanted: as few as cover it all, "
                "usually 1 to 8. Each is one fact about the finished work that can be checked by "
                "looking at the repository or by running something; no steps of work, no wishes "
                "that the text does not contain. Ids are AC-1, AC-2 and so on. \"plan\" is a "
                "short outline of how to get there.\n"));
    prompt_text_form(out,
                     "{\"type\": \"plan_task\", \"task_id\": \"T-1\", \"acceptance_criteria\": "
                     "[{\"id\": \"AC-1\", \"description\": \"Player.cs has a public float field "
                     "JumpHeight with the initial value 2\"}, {\"id\": \"AC-2\", \"description\": "
                     "\"make test ends with exit code 0\"}], \"plan\": \"Add the field, use it in "
                     "Jump(), extend the test.\"}");
}

void question_prompt_next(struct buf *out, const struct task_file *t,
                          const struct question_history *h)
{
    prompt_text_head(
        out, question_name(QUESTION_NEXT),
        "You lead a programming task. Workers, which are coding agents, do the work in the "
        "repository, one after the other; you decide what happens next.");
    add_task(out, t, MAX_PRD);
    add_criteria(out, h->plan);
    if (h->plan->plan.n)
        prompt_text_tagged(out, "plan", h->plan->plan, MAX_SUMMARY);
    add_runs(out, h);
    add_results(out, h);
    buf_printf(out, "\n# Your answer\n\n%zu of %llu worker runs are used.\n", h->run_count,
               (unsigned long long)t->max_loops);
    buf_add(out, STR("Choose one action:\n"
                     "- \"run_worker\": something is still to be done. worker_call.prompt tells "
                     "the worker what: complete and precise, for it has not seen this page; name "
                     "files, criteria and how to check the result. Give as much work as fits in "
                     "one go. If a run failed or the test did, say what went wrong.\n"
                     "- \"mark_complete\": every criterion is met. It will be verified.\n"));
    prompt_text_form(
        out, "{\"type\": \"next_action\", \"decision\": {\"action\": \"run_worker\", \"reason\": "
             "\"AC-1 is not met yet\"}, \"worker_call\": {\"prompt\": \"In Assets/Player.cs add "
             "a public float field JumpHeight = 2 and use it in Jump(). Run make test.\"}}\n\n"
             "or\n\n"
             "{\"type\": \"next_action\", \"decision\": {\"action\": \"mark_complete\", "
             "\"reason\": \"AC-1 and AC-2 are met\"}}");
}

void question_prompt_assess(struct buf *out, const struct task_file *t,
                            const struct question_history *h)
{
    prompt_text_head(
        out, question_name(QUESTION_ASSESS),
        "You are the reviewer of a programming task that is said to be complete. You decide "
        "whether it is.");
    add_task(out, t, MAX_PRD);
    add_criteria(out, h->plan);
    add_runs(out, h);
    add_results(out, h);
    buf_add(out, STR("\n# Your answer\n\n"
                     "Check each acceptance criterion against the repository as it is now, not "
                     "against what the reports claim. Each gets one entry in by_criterion with "
                     "its id and the status \"passed\" or \"failed\"; what cannot be confirmed "
                     "is failed, and the comment says what is missing. all_criteria_satisfied is "
                     "true only if all passed. risks lists what the criteria do not cover and "
                     "somebody should know; it may be empty.\n"));
    prompt_text_form(
        out, "{\"type\": \"completion_assessment\", \"all_criteria_satisfied\": false, "
             "\"summary\": \"The field is there, but no test covers it.\", \"by_criterion\": "
             "[{\"id\": \"AC-1\", \"status\": \"passed\"}, {\"id\": \"AC-2\", \"status\": "
             "\"failed\", \"comment\": \"there is no test for JumpHeight\"}], \"risks\": "
             "[\"Enemies use the old constant\"]}");
}

void question_prompt_repair(struct buf *out, struct str first, struct str answer, const char *why)
{
    buf_add(out, first);
    buf_add(out, STR("\n# Try again\n\nYour last answer to this question could not be used: "));
    prompt_text_line(out, str_from(why), ERROR_TEXT_MAX);
    buf_add(out, STR("\n\nIt was:\n\n"));
    prompt_text_tagged(out, "last-answer", answer, MAX_ANSWER);
    buf_add(out,
            STR("\nAnswer again, whole: one JSON object of the form above and nothing else.\n"));
}

void question_prompt_work(struct buf *out, const struct task_file *t,
                          const struct question_work *work)
{
    prompt_text_cut(out, work->prompt, QUESTION_MAX_WORK);
    buf_add(out, STR("\n\n---\n\n"));
    if (work->left.n || work->ended.n) {
        buf_add(out, STR("# Unfinished work of another agent\n\nAnother agent worked on exactly "
                         "this and was "
                         "stopped before it was done ("));
        prompt_text_line(out, work->ended, MAX_SHORT);
        buf_add(out, work->left.n
                         ? STR("). Its changes are still in the working folder. Look at them "
                               "first and continue in place: keep what is right, do not start "
                               "over and do not revert it blindly. What it changed:\n\n")
                         : STR("). It had changed no files.\n\n"));
        if (work->left.n)
            prompt_text_tagged(out, "changed-files", work->left, MAX_WORK_LEFT);
        buf_add_char(out, '\n');
    }
    buf_add(out, STR("The above is one step of the task below. Work in the current folder; nobody "
                     "can answer questions meanwhile. When you are done, say in a few sentences "
                     "what you changed and what is left.\n\n"));
    add_task(out, t, MAX_WORK_PRD);
    if (work->plan && work->plan->count)
        add_criteria(out, work->plan);
}

/* ---- finding the answer */

static bool has_any_member(const struct json *object, const char *const *names)
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
    return has_any_member(answer_object_unwrap(object), plan_names);
}

static bool is_next(const struct json *object)
{
    return has_any_member(answer_object_unwrap(object), next_names);
}

static bool is_assessment(const struct json *object)
{
    return has_any_member(answer_object_unwrap(object), assess_names);
}

static const struct json *find_answer(struct arena *a, struct str answer, enum question q,
                                      struct error *err)
{
    static answer_object_fits_fn *const fits[QUESTION_COUNT] = {
        [QUESTION_PLAN] = is_plan, [QUESTION_NEXT] = is_next, [QUESTION_ASSESS] = is_assessment};
    static const char *const member[QUESTION_COUNT] = {[QUESTION_PLAN] = "acceptance_criteria",
                                                       [QUESTION_NEXT] = "decision",
                                                       [QUESTION_ASSESS] =
                                                           "all_criteria_satisfied"};
    struct answer_object_kind kind = {question_name(q), member[q], fits[q]};
    return answer_object_read(a, answer, &kind, err);
}

/* ---- plan_task */

static bool read_criterion(const struct json *item, struct question_criterion *out,
                           struct error *err)
{
    static const char *const names[] = {"description", "text", "criterion"};
    const struct json *text = json_is(item, JSON_OBJECT) ? NULL : item;
    const struct json *id = spelling_get_some(item, "id");
    for (size_t i = 0; i < sizeof names / sizeof *names && !text; i++)
        text = spelling_get_some(item, names[i]);
    if (!json_is(text, JSON_STRING) || !str_trim(json_str(text)).n)
        return answer_object_reject(err, "the description of a criterion", "text", text);
    if (id && !json_is(id, JSON_STRING) && !json_is(id, JSON_NUMBER))
        return answer_object_reject(err, "the id of a criterion", "text", id);
    *out =
        (struct question_criterion){.text = answer_object_cut(json_str(text), QUESTION_MAX_TEXT)};
    out->id = answer_object_cut(json_is(id, JSON_NUMBER) ? json_number_text(id) : json_str(id),
                                QUESTION_MAX_ID);
    return true;
}

/* Give a criterion without an id AC-n with its number, or with the next free number. */
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
    const struct json *object = find_answer(a, answer, QUESTION_PLAN, err);
    const struct json *list = spelling_get(object, "acceptance_criteria");
    struct question_plan plan = {.count = 0};
    if (!object)
        return false;
    if (!json_is(list, JSON_ARRAY))
        return answer_object_reject(err, "acceptance_criteria", "a list", list);
    if (json_count(list) == 0)
        return error_set(err, ERR_INVALID_PARAMS, "acceptance_criteria is empty");
    if (json_count(list) > QUESTION_MAX_CRITERIA)
        return error_set(err, ERR_INVALID_PARAMS, "there are %zu criteria, more than %u",
                         json_count(list), QUESTION_MAX_CRITERIA);
    JSON_ITEMS (list, item)
        if (!read_criterion(item, &plan.criteria[plan.count++], err))
            return false;
    if (!answer_object_read_text(object, "plan", QUESTION_MAX_WORK, &plan.plan, err) ||
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

static bool read_worker_call(const struct json *call, struct question_next *out, struct error *err)
{
    struct str worker = {0};
    const struct json *stdin_ = spelling_get_some(call, "use_stdin");
    struct candidate *c = &out->call;
    if (!json_is(call, JSON_OBJECT))
        return answer_object_reject(err, "worker_call", "an object", call);
    if (!answer_object_read_text(call, "prompt", QUESTION_MAX_WORK, &out->prompt, err) ||
        !answer_object_read_text(call, "mode", QUESTION_MAX_ID, &out->mode, err) ||
        !answer_object_read_text(call, "model", QUESTION_MAX_ID, &c->model, err) ||
        !answer_object_read_text(call, "worker_type", QUESTION_MAX_ID, &worker, err))
        return false;
    if (!out->prompt.n)
        return error_set(err, ERR_INVALID_PARAMS,
                         "worker_call.prompt is empty: write what the worker must do");
    c->tool = agent_kind_find(worker);
    c->flags = spelling_get_some(call, "flags");
    c->env = spelling_get_some(call, "env");
    c->tool_specific = spelling_get_some(call, "tool_specific");
    if (c->flags && (!json_is(c->flags, JSON_ARRAY) || !are_texts(c->flags)))
        return answer_object_reject(err, "worker_call.flags", "a list of texts", c->flags);
    if (c->env && (!json_is(c->env, JSON_OBJECT) || !are_texts(c->env)))
        return answer_object_reject(err, "worker_call.env", "an object of texts", c->env);
    if (c->tool_specific && !json_is(c->tool_specific, JSON_OBJECT))
        return answer_object_reject(err, "worker_call.tool_specific", "an object",
                                    c->tool_specific);
    if (stdin_ && !json_is(stdin_, JSON_BOOL))
        return answer_object_reject(err, "worker_call.use_stdin", "true or false", stdin_);
    out->use_stdin = json_bool(stdin_);
    return true;
}

bool question_read_next(struct arena *a, struct str answer, struct question_next *out,
                        struct error *err)
{
    const struct json *object = find_answer(a, answer, QUESTION_NEXT, err);
    struct question_next next = {.complete = false};
    if (!object)
        return false;
    const struct json *decision = spelling_get(object, "decision");
    const struct json *around = json_is(decision, JSON_OBJECT) ? decision : object;
    const struct json *action =
        json_is(decision, JSON_STRING) ? decision : spelling_get(around, "action");
    next.complete = answer_object_is_name(json_str(action), "mark_complete");
    if (!next.complete && !answer_object_is_name(json_str(action), "run_worker"))
        return answer_object_reject(err, "decision.action", "\"run_worker\" or \"mark_complete\"",
                                    action);
    if (!answer_object_read_text(around, "reason", QUESTION_MAX_TEXT, &next.reason, err))
        return false;
    if (!next.complete && !read_worker_call(spelling_get_some(object, "worker_call"), &next, err))
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

static bool read_mark(const struct json *item, struct question_plan *plan, struct error *err)
{
    const struct json *id = spelling_get(item, "id"), *status = spelling_get(item, "status");
    struct str said = json_is(id, JSON_NUMBER) ? json_number_text(id) : json_str(id);
    struct question_criterion *c = find_criterion(plan, str_trim(said));
    if (!c)
        return answer_object_reject(err, "the id in by_criterion", "one of the acceptance criteria",
                                    id);
    if (c->mark != QUESTION_OPEN)
        return answer_object_reject(err, "the id in by_criterion", "unique", id);
    if (answer_object_is_name(json_str(status), "passed") ||
        answer_object_is_name(json_str(status), "pass"))
        c->mark = QUESTION_PASSED;
    else if (answer_object_is_name(json_str(status), "failed") ||
             answer_object_is_name(json_str(status), "fail"))
        c->mark = QUESTION_FAILED;
    else
        return answer_object_reject(err, "status", "\"passed\" or \"failed\"", status);
    return answer_object_read_text(item, "comment", QUESTION_MAX_TEXT, &c->comment, err);
}

static bool read_risks(const struct json *list, struct question_assessment *out, struct error *err)
{
    if (list && !json_is(list, JSON_ARRAY))
        return answer_object_reject(err, "risks", "a list of texts", list);
    JSON_ITEMS (list, item) {
        const struct json *text =
            json_is(item, JSON_OBJECT) ? spelling_get(item, "description") : item;
        if (!json_is(text, JSON_STRING))
            return answer_object_reject(err, "a risk", "text", item);
        if (out->risk_count < QUESTION_MAX_RISKS)
            out->risks[out->risk_count++] = answer_object_cut(json_str(text), QUESTION_MAX_TEXT);
    }
    return true;
}

bool question_read_assessment(struct arena *a, struct str answer, struct question_plan *plan,
                              struct question_assessment *out, struct error *err)
{
    const struct json *object = find_answer(a, answer, QUESTION_ASSESS, err);
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
        return answer_object_reject(err, "all_criteria_satisfied", "true or false", all);
    if (list && !json_is(list, JSON_ARRAY))
        return answer_object_reject(err, "by_criterion", "a list", list);
    JSON_ITEMS (list, item)
        if (!read_mark(item, &marked, err))
            return false;
    if (!answer_object_read_text(object, "summary", QUESTION_MAX_TEXT, &made.summary, err) ||
        !read_risks(spelling_get_some(object, "risks"), &made, err))
        return false;
    for (size_t i = 0; i < marked.count; i++) {
        made.passed += marked.criteria[i].mark == QUESTION_PASSED;
        made.failed += marked.criteria[i].mark == QUESTION_FAILED;
    }
    made.satisfied &= made.failed == 0; /* a contradiction counts as not satisfied */
    *plan = marked;
    *out = made;
    return true;
}
