/* How a run ended, in a file for who started it: `multiverse run --result FILE`.
 *
 *     run_result_write("result.json", &r, &err);      // atomic, 0600
 *     run_result_read("result.json", &arena, &r, &err);
 *
 * A run that was killed writes none. Texts are masked (secrets.h) by the runner that tells them.
 *
 *     {"version": 1, "run": "R-...", "task": "id", "state": "COMPLETE", "stopped": false,
 *      "outcome": "ok", "nobody": false, "until": "2026-11-16T10:00:00.000Z" | null, "why": "",
 *      "tool": "claude-code", "model": "...", "input_tokens": 12, "output_tokens": 3,
 *      "cost_usd": 0.01, "worker_runs": 2, "files": [{"path": "a.cs", "change": "modified"}],
 *      "transcripts": "/home/.../runs/R-..."}
 *
 * outcome: "ok", the class of the attempt that ended the run (outcome.h), or "unmet": the agents did
 * their work, and the task is not done (criteria, test, loops). nobody: no candidate was left; until:
 * when the first one that rests is back, if any does. tool and model: the last worker's.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"

#define RUN_RESULT_MAX       (1u << 20)
#define RUN_RESULT_MAX_FILES 1000u /* more are cut, and counted in the last one */

struct run_result {
    struct str run, task, state, outcome, why, tool, model, transcripts;
    bool stopped, nobody;
    int64_t until; /* unix ms; 0: not known */
    uint64_t input_tokens, output_tokens, worker_runs;
    double cost_usd;
    struct str files; /* JSON array, as in the file; "" is [] */
};

bool run_result_write(const char *path, const struct run_result *r, struct error *err);
/* ERR_IO if it is not there, ERR_CONFIG_PARSE if it is none. Texts are in the arena. */
bool run_result_read(const char *path, struct arena *a, struct run_result *out, struct error *err);
