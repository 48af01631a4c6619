/* The output of an agent, read as it arrives: progress, the last message, and the outcome.
 *
 *     struct output r;
 *     output_init(&r, AGENT_CLAUDE, now);
 *     output_feed(&r, PROCESS_STDOUT, bytes);       // pieces of any size
 *     output_feed(&r, PROCESS_STDERR, more);
 *     output_end(&r, &(struct output_end){.exit_code = 1});
 *     enum outcome_class class = r.outcome.class;  // OUTCOME_USAGE_LIMITED; also until, evidence
 *     output_done(&r);
 *
 * Each agent has a reader (output_claude.c, ...) that knows its events. The outcome is derived from
 * structured fields of terminal events, the exit code, and whether we killed the process. Where an
 * agent has nothing structured, it is derived from anchored phrases on its error channel. It is
 * never derived from what the model wrote, what a tool printed, the prompt, ids or paths. A retry
 * that succeeded does not affect the outcome.
 *
 * Whole outputs that are not a stream (text and json modes) are also read, for `tooling classify`.
 *
 * Memory is bounded: a line longer than OUTPUT_MAX_LINE is skipped and counted, texts are cut.
 * Times in words ("try again at 11:10 AM", "resets 3pm (Zone)", "in 5 days 22 hours") are relative
 * to `now`, in the local zone unless they name one; a time of day that has passed means tomorrow.
 */
#pragma once

#include "base/buf.h"
#include "base/json.h"
#include "process/process.h"
#include "tooling/agent_kind.h"
#include "tooling/outcome.h"

#define OUTPUT_MAX_LINE (8u << 20)
#define OUTPUT_MAX_TEXT (1u << 20) /* of the last message */

enum output_step_kind {
    OUTPUT_STARTED,  /* the session began: text is the model */
    OUTPUT_SAID,     /* a message of the agent: text */
    OUTPUT_TOOL,     /* it calls a tool: text is "name: short argument" */
    OUTPUT_TOOL_END, /* the tool returned: failed or not */
    OUTPUT_RETRY,    /* the agent retries by itself: text is the reason */
    OUTPUT_USAGE     /* the token counts changed */
};

struct output_step {
    enum output_step_kind kind;
    struct str text; /* one line, cut, for display */
    bool failed;     /* OUTPUT_TOOL_END */
};

struct output;
typedef void output_step_fn(const struct output *r, const struct output_step *step, void *ctx);

struct output_usage {
    uint64_t input_tokens, output_tokens; /* 0: unknown */
    double cost_usd;                      /* 0: unknown */
};

struct output_end {
    int64_t exit_code;
    int signal;             /* 0: it exited by itself */
    bool killed;            /* by us, or by an interrupt of the user */
    bool timed_out;         /* by us, at its time limit: OUTCOME_BUDGET */
    const char *no_start;   /* why it could not be started, or NULL */
    struct str session_log; /* codex: its session log, or empty */
    int64_t at; /* unix ms of the end, for times in words; 0: the last event with a time, or now */
};

struct output_reader; /* output_internal.h */
struct output_facts;

struct output {
    enum agent_kind agent;
    int64_t now;                    /* unix ms at the start, for times in words */
    struct outcome outcome;         /* after output_end() */
    struct outcome_warning warning; /* used > 0: a limit is near */
    struct output_usage usage;
    struct buf last_message;     /* of the agent, whole: the answer to a question */
    char session[128];           /* id of the session or thread, or "" */
    char model[128];             /* as the agent names it */
    uint32_t tool_calls, denied; /* tool calls; tool calls that were denied */
    bool mcp_failed;             /* the agent reported that it cannot reach our MCP server */
    bool hopeless;               /* it waits long for a limit: kill it, the outcome is known */
    output_step_fn *on_step;     /* set by the owner; may be NULL */
    void *ctx;
    uint64_t skipped; /* lines that were too long */
    /* private */
    const struct output_reader *reader;
    struct arena arena;  /* of the current line */
    struct buf lines[3]; /* by process_stream: the incomplete line */
    bool skipping[3];
    struct output_facts *facts; /* what the reader has collected */
};

void output_init(struct output *r, enum agent_kind agent, int64_t now);
void output_feed(struct output *r, enum process_stream which, struct str bytes);
void output_end(struct output *r, const struct output_end *end);
void output_done(struct output *r);

/* Classify one recorded run: {id, tool, exit_code, argv?, stdout, stderr, killed?, timed_out?, at?
 * (RFC 3339), rollout?}. Append one line of JSON to out: {id, outcome, until (RFC 3339 or null),
 * evidence, message, model_only?, warning?}. An exit code below 0 is a signal. Return false and set
 * *err if it is not such a record. */
bool output_classify(const struct json *record, int64_t now, struct buf *out, struct error *err);
