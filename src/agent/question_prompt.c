#include "agent/prompt_text.h"
#include "agent/question.h"

/* How much of each text is said; together they stay below QUESTION_MAX_PROMPT. */
#define MAX_PRD       (48u << 10)
#define MAX_ABOUT     (8u << 10) /* description */
#define MAX_CRITERIA  (40u << 10)
#define MAX_COMMENT   400u
#define MAX_SHORT     PROMPT_TEXT_SHORT
#define MAX_RUN       (6u << 10) /* each of prompt, words and changes of the last run */
#define MAX_OLD_RUN   600u       /* of an older one */
#define MAX_OLD_RUNS  (24u << 10)
#define MAX_TEST      (8u << 10)
#define MAX_SUMMARY   (4u << 10)
#define MAX_ANSWER    (6u << 10)
#define MAX_WORK_PRD  (16u << 10)
#define MAX_WORK_LEFT (8u << 10)

/* ---- what is known */

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
    size_t room = MAX_CRITERIA / plan->count; /* a fair part for each of very many */
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

/* The last one in detail; of the older ones as many as there is room for. */
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

static void add_verdicts(struct buf *out, const struct question_history *h)
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
    add_verdicts(out, h);
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
    add_verdicts(out, h);
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
    buf_add(out, STR("\n# Once more\n\nYour last answer to this could not be used: "));
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
        buf_add(out, STR("# Somebody began this\n\nAnother agent worked on exactly this and was "
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
