/* The note of a run, for people: `<repo>/.agent-runner/task-<id>.md`.
 *
 *     struct task_note n = {.task = t, .state = RUN_RUNNING, .plan = &plan, .started = now};
 *     task_note_write(&n, secrets, &path, &err);
 *
 * It contains title, state, criteria with their marks, each worker run with its agents, its outcome
 * and its changes, the end of the test, risks, and tokens and cost if known. It is replaced
 * atomically at each step, so that a killed run leaves a note of where it was. Secrets are masked.
 * In the file name, everything but letters, digits, ".", "_" and "-" of the id becomes "_". Texts
 * of agents are cut and cannot break out of their block. Neither the folder nor the note may be a
 * link: a repo must not decide where this program writes.
 */
#pragma once

#include "agent/question.h"
#include "agent/run.h"
#include "base/secrets.h"

#define TASK_NOTE_FOLDER   ".agent-runner"
#define TASK_NOTE_MAX_TEXT 4096u /* bytes of an agent's message, of the changes, of the test */
#define TASK_NOTE_MAX_NAME 100u  /* bytes of the id in the file's name */

struct task_note_loop {                     /* a worker run */
    struct str who, outcome, said, changes; /* who: "codex-cli gpt-5.2, then claude-code" */
    int64_t started, ended;
};

struct task_note {
    const struct task_file *task;
    enum run_state state;
    struct str why;                               /* why it failed, or "" */
    const struct question_plan *plan;             /* NULL: none yet */
    const struct question_assessment *assessment; /* NULL: none yet */
    const struct task_note_loop *loops;
    size_t loop_count;
    struct str test_end; /* "exit 0 after 3.2 s"; "": no test yet */
    struct str test_output;
    int64_t started, ended; /* unix ms; ended 0: not yet */
    uint64_t input_tokens, output_tokens;
    double cost_usd;
};

/* Add the path to *path (may be NULL). ERR_IO on failure. secrets may be NULL. */
bool task_note_write(const struct task_note *n, const struct secrets *secrets, struct buf *path,
                     struct error *err);
