/* How a run ended, in a file for the program that started it: `multiverse run --result FILE`.
 *
 *     run_result_write("result.json", &r, &err);      // atomic, 0600
 *     run_result_read("result.json", &arena, &r, &err);
 *
 * A killed run writes none; the file of an earlier run is removed when a run starts. Texts are
 * masked (secrets.h) by the runner.
 *
 *     {"version": 1, "run": "R-...", "task": "id", "state": "COMPLETE", "stopped": false,
 *      "outcome": "ok", "nobody": false, "until": "2026-11-16T10:00:00.000Z" | null, "why": "",
 *      "tool": "claude-code", "model": "...", "input_tokens": 12, "output_tokens": 3,
 *      "cost_usd": 0.01, "worker_runs": 2, "files": [{"path": "a.cs", "change": "modified"}],
 *      "transcripts": ".../runs/R-..."}
 *
 * outcome   "ok"; the class (outcome.h) of the attempt that ended the run, or of the cooldown that
 *           ends first; "unmet": the agents did their work, and the task is not done (criteria,
 *           test, loops); "store": cooldowns and decisions could not be stored
 * nobody    no candidate was left, and another run now would find none either. "until" is when the
 *           first one is available again, if its cooldown ends by itself (limits, overload); null:
 *           waiting does not help (not installed, not signed in, no credit, no such model). False
 *           if candidates crashed in this run: trying again may help
 * tool, model   those of the last worker; if there was none, of the last agent that was asked
 * change    "added", "modified", "deleted"; "more" in the last member: its path says how many
 *
 * A result that is read is bounded and without NUL, even if another program wrote the file: texts
 * are cut, and members of a wrong type are ignored.
 */
#pragma once

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/str.h"

#define RUN_RESULT_MAX       (1u << 20)
#define RUN_RESULT_MAX_FILES 1000u /* more are cut; the last one has their number */
#define RUN_RESULT_MAX_PATH  512u
#define RUN_RESULT_MAX_NAME  256u
#define RUN_RESULT_MAX_WHY   4096u
#define RUN_RESULT_STORE     "store"
#define RUN_RESULT_UNMET     "unmet"

struct run_result {
    struct str run, task, state, outcome, why, tool, model, transcripts;
    bool stopped, nobody;
    int64_t until; /* unix ms; 0: not known */
    uint64_t input_tokens, output_tokens, worker_runs;
    double cost_usd;
    struct str files; /* JSON array, as in the file; "" is [] */
};

/* Builds `files`: add the members in order, then take the whole list. */
struct run_result_files {
    /* private */
    struct buf out;
    size_t count, left_out;
};
void run_result_add_file(struct run_result_files *f, struct str path, struct str change);
struct str run_result_list_files(
    struct run_result_files *f); /* lives until run_result_files_done() */
void run_result_files_done(struct run_result_files *f);

bool run_result_write(const char *path, const struct run_result *r, struct error *err);
/* ERR_IO if there is no file, ERR_CONFIG_PARSE if it is not a result. Texts are in the arena. */
bool run_result_read(const char *path, struct arena *a, struct run_result *out, struct error *err);
