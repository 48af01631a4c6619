/* How a run ended, in a file for who started it: `multiverse run --result FILE`.
 *
 *     run_result_write("result.json", &r, &err);      // atomic, 0600
 *     run_result_read("result.json", &arena, &r, &err);
 *
 * A run that was killed writes none: one of an earlier run goes when it starts. Texts are masked
 * (secrets.h) by the runner that tells them.
 *
 *     {"version": 1, "run": "R-...", "task": "id", "state": "COMPLETE", "stopped": false,
 *      "outcome": "ok", "nobody": false, "until": "2026-11-16T10:00:00.000Z" | null, "why": "",
 *      "tool": "claude-code", "model": "...", "input_tokens": 12, "output_tokens": 3,
 *      "cost_usd": 0.01, "worker_runs": 2, "files": [{"path": "a.cs", "change": "modified"}],
 *      "transcripts": ".../runs/R-..."}
 *
 * outcome   "ok"; the class (outcome.h) of the attempt that ended the run, or of the rest that ends
 *           first; "unmet": the agents did their work, and the task is not done (criteria, test,
 *           loops); "store": rests and decisions could not be kept
 * nobody    no candidate was left, and another run now would find none either: until says when
 *           the first is back whose rest ends by itself (limits, overload); null: none will come
 *           back by waiting (not installed, not signed in, no credit, no such model). Where the
 *           last ones crashed in this run it is false: trying again may help
 * tool, model   the last worker's; where none was called, of who was asked last
 * change    "added", "modified", "deleted"; "more" in the last one: its path says how many
 *
 * What is read is bounded and without NUL, whoever wrote it: texts are cut, wrong types are as if
 * they were not there.
 */
#pragma once

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/str.h"

#define RUN_RESULT_MAX       (1u << 20)
#define RUN_RESULT_MAX_FILES 1000u /* more are cut, and counted in the last one */
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

/* The members of files, in the order in which they shall stand; at the end the whole list. */
struct run_result_files {
    /* private */
    struct buf out;
    size_t count, left_out;
};
void run_result_add_file(struct run_result_files *f, struct str path, struct str change);
struct str run_result_list_files(struct run_result_files *f); /* lives until _done */
void run_result_files_done(struct run_result_files *f);

bool run_result_write(const char *path, const struct run_result *r, struct error *err);
/* ERR_IO if it is not there, ERR_CONFIG_PARSE if it is none. Texts are in the arena. */
bool run_result_read(const char *path, struct arena *a, struct run_result *out, struct error *err);
