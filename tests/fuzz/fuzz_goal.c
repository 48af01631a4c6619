/* The bytes as the answer to a goal: an accepted answer gives tasks with names, in an executable
 * order, each as a Task YAML that reads back; a refused one gives a message. */
#include <assert.h>

#include "agent/question.h"
#include "base/utf8.h"
#include "fuzz.h"
#include "orchestrator/goal.h"
#include "task/task_file.h"

static void check_name(struct str s)
{
    assert(s.n > 4 && s.n <= TASKS_MAX_NAME && str_starts(s, STR("big-")));
    for (size_t i = 0; i < s.n; i++)
        assert((s.p[i] >= 'a' && s.p[i] <= 'z') || (s.p[i] >= 'A' && s.p[i] <= 'Z') ||
               (s.p[i] >= '0' && s.p[i] <= '9') || memchr("._-", s.p[i], 3));
}

static void check_task(const struct goal_plan *plan, size_t at)
{
    const struct goal_task *t = &plan->tasks[at];
    struct error err = {0};
    check_name(t->id);
    assert(t->title.n && utf8_is_valid(t->title));
    for (size_t i = 0; i < at; i++)
        assert(!str_eq(plan->tasks[i].id, t->id));
    for (size_t k = 0; k < t->need_count; k++) {
        bool before = false;
        for (size_t i = 0; i < at; i++)
            before |= str_eq(plan->tasks[i].id, t->needs[k]);
        assert(before);
    }
    struct task_file *f = task_file_read(t->spec, "-", &err);
    assert(f && str_eq(f->id, t->id) && str_eq(f->title, t->title));
    assert(f->warning_count == 0 && f->dependency_count == t->need_count && f->prd.n);
    task_file_free(f);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct arena a = {0};
    struct error err = {0};
    struct goal_plan plan = {0};
    struct str answer = str_make((const char *)bytes, n);
    struct goal_options o = {
        .text = n && n <= GOAL_MAX_TEXT ? answer : STR("x"), .repo = "/", .prefix = STR("big-")};
    if (goal_read(answer, &o, &a, &plan, &err)) {
        assert(plan.count >= 1 && plan.count <= GOAL_MAX_TASKS);
        for (size_t i = 0; i < plan.count; i++)
            check_task(&plan, i);
    } else {
        assert(!plan.tasks && err.code != ERR_NONE && err.text[0]);
        assert(utf8_is_valid(str_from(err.text)));
    }
    arena_done(&a);
    return 0;
}
