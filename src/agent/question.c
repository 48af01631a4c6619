#include "agent/question.h"

#include <assert.h>

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
