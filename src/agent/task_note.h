/* The note of a run: `<repo>/.agent-runner/task-<id>.md`, for people.
 *
 *     struct task_note n = {.task = t, .state = RUN_RUNNING, .plan = &plan, ...};
 *     task_note_write(&n, secrets, &path, &err);
 *
 * Title, state, criteria with their marks, each loop with who did it, how it ended and what
 * changed, the test's end, risks, tokens and cost where known. Replaced atomically at each step, so
 * that a run that was killed leaves one that says where. Secrets are masked. The id becomes a file
 * name: anything but letters, digits, . _ - turns into _. Texts of agents are cut and cannot break
 * out of their block. Neither the folder nor the note may be a link: what a repo contains does not
 * decide where we write.
 */
#pragma once

#include "agent/question.h"
#include "agent/run.h"
#include "base/secrets.h"

#define TASK_NOTE_FOLDER   ".agent-runner"
#define TASK_NOTE_MAX_TEXT 4096u /* of what an agent said in a loop, of the changes, of the test */
#define TASK_NOTE_MAX_NAME 100u  /* of the id in the file's name */

struct task_note_loop {
    struct str who, outcome, said, changes; /* who: "codex-cli gpt-5.2, claude-code" */
    int64_t started, ended;
};

struct task_note {
    const struct task_file *task;
    enum run_state state;
    struct str why;                               /* it failed: why */
    const struct question_plan *plan;             /* NULL: none yet */
    const struct question_assessment *assessment; /* NULL: none yet */
    const struct task_note_loop *loops;
    size_t loop_count;
    struct str test_end; /* "exit 0 after 3.2 s", "" none */
    struct str test_output;
    int64_t started, ended; /* unix ms; ended 0: not yet */
    uint64_t input_tokens, output_tokens;
    double cost_usd;
};

/* The path is added to *path (may be NULL). ERR_IO. secrets may be NULL. */
bool task_note_write(const struct task_note *n, const struct secrets *secrets, struct buf *path,
                     struct error *err);
