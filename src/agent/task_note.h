/* The note of a run: `<repo>/.agent-runner/task-<id>.md`, for people.
 *
 * Title, state, criteria with their marks, each loop with who did it, how it ended and what changed,
 * the test's end, risks, tokens and cost where known. Replaced atomically at each step, so that a
 * run that was killed leaves one that says where. Secrets are masked. The id becomes a file name:
 * anything but letters, digits, . _ - turns into _.
 */
#pragma once

#include "agent/question.h"
#include "agent/run.h"
#include "agent/secrets.h"

#define TASK_NOTE_FOLDER ".agent-runner"

struct task_note_loop {
    struct str who, outcome, said, changes;
    int64_t started, ended;
};

struct task_note {
    const struct task_file *task;
    enum run_state state;
    struct str why; /* it failed: why */
    const struct question_plan *plan;
    const struct question_assessment *assessment; /* NULL: none yet */
    const struct task_note_loop *loops;
    size_t loop_count;
    struct str test_end; /* "exit 0 after 3.2 s", "" none */
    struct str test_output;
    int64_t started, ended;
    uint64_t input_tokens, output_tokens;
    double cost_usd;
};

/* The path in *path (may be NULL). */
bool task_note_write(const struct task_note *n, const struct secrets *secrets, struct buf *path,
                     struct error *err);
