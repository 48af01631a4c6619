/* What a run of an agent says, read as it comes: progress, the last words, and how it ended.
 *
 *     struct output r;
 *     output_init(&r, AGENT_CLAUDE, now);
 *     output_feed(&r, PROCESS_STDOUT, bytes);      // any pieces, as they come
 *     output_feed(&r, PROCESS_STDERR, more);
 *     output_end(&r, &(struct output_end){.exit_code = 1});
 *     enum outcome_class class = r.outcome.class;  // OUTCOME_USAGE_LIMITED; also until, evidence
 *     output_done(&r);
 *
 * One reader for each tool (output_claude.c, ...), which knows the tool's events. The outcome comes
 * from structured fields of terminal events, the exit code and whether we killed it; where a tool
 * has nothing structured, from anchored phrases on its error channel only. Never from what the
 * model said, what a tool printed, the prompt, ids or paths. Retries that recovered decide nothing.
 *
 * Also read: whole outputs that are no stream (text and json modes), for `tooling classify`.
 *
 * Bounded: a line longer than OUTPUT_MAX_LINE is skipped (and counted), texts are cut, nothing is
 * kept that is not needed. Time given in words ("try again at 11:10 AM", "resets 3pm (Zone)",
 * "in 5 days 22 hours") is read against `now` and, where no zone is named, the local zone: without
 * a date a time that has passed is tomorrow's.
 */
#pragma once

#include "base/buf.h"
#include "base/json.h"
#include "process/process.h"
#include "tooling/agent_kind.h"
#include "tooling/outcome.h"

#define OUTPUT_MAX_LINE (8u << 20)
#define OUTPUT_MAX_TEXT (1u << 20) /* of the last words */

enum output_step_kind {
    OUTPUT_STARTED,  /* session begun: text is the model */
    OUTPUT_SAID,     /* the agent said something: text */
    OUTPUT_TOOL,     /* it uses a tool: text is "name: short argument" */
    OUTPUT_TOOL_END, /* it was answered: ok or not */
    OUTPUT_RETRY,    /* the tool itself tries again: text says why */
    OUTPUT_USAGE     /* numbers changed */
};

struct output_step {
    enum output_step_kind kind;
    struct str text; /* one line, cut; for a person */
    bool failed;     /* OUTPUT_TOOL_END */
};

struct output;
typedef void output_step_fn(const struct output *r, const struct output_step *step, void *ctx);

struct output_usage {
    uint64_t input_tokens, output_tokens; /* 0: not told */
    double cost_usd;                      /* 0: not told */
};

struct output_end {
    int64_t exit_code;
    int signal;             /* 0: it ended by itself */
    bool killed;            /* by us, or on our behalf: interrupt */
    bool timed_out;         /* by us, because its time was over: OUTCOME_BUDGET */
    const char *no_start;   /* it could not be started: why; else NULL */
    struct str session_log; /* codex: the text of its rollout file, empty if there is none */
    int64_t
        at; /* unix ms when it ended, for times in words; 0: the last event that has a time, else
                   the report's now */
};

struct output_reader; /* of the tool; output_internal.h */
struct output_facts;

struct output {
    enum agent_kind agent;
    int64_t now;                    /* unix ms at the start, for times in words */
    struct outcome outcome;         /* after output_end() */
    struct outcome_warning warning; /* used > 0: a limit is near */
    struct output_usage usage;
    struct buf last_message;     /* the last message of the agent, whole: what meta reads */
    char session[128];           /* session or thread id, "" if none */
    char model[128];             /* as the tool names it */
    uint32_t tool_calls, denied; /* tools it used; tools that were refused to it */
    bool mcp_failed;             /* our server was not reached, as the tool says */
    bool
        hopeless; /* the tool waits or retries for long on a limit: kill it, the outcome is known */
    output_step_fn *on_step; /* set by the owner; may be NULL */
    void *ctx;
    uint64_t skipped; /* lines that were too long */
    /* private */
    const struct output_reader *reader;
    struct arena arena;  /* of the line at hand */
    struct buf lines[3]; /* by process_stream: what of a line has come */
    bool skipping[3];
    struct output_facts *facts; /* what the reader has seen; output_internal.h */
};

void output_init(struct output *r, enum agent_kind tool, int64_t now);
void output_feed(struct output *r, enum process_stream which, struct str bytes);
void output_end(struct output *r, const struct output_end *end);
void output_done(struct output *r);

/* One record of a run, as `tooling classify` takes it: {id, tool, exit_code, argv?, stdout, stderr,
 * killed?, timed_out?, at? (RFC 3339), rollout?}; true, and one line of JSON in out: {id, outcome,
 * until (RFC 3339 or null), evidence, message, model_only?, warning?}. An exit code below 0 is a
 * signal. False and *err if it is no such record. */
bool output_classify(const struct json *record, int64_t now, struct buf *out, struct error *err);
