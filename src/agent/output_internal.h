/* What the readers of the tools share: facts that are collected line by line, and the words in
 * which an outcome is said. For report*.c only; everybody else uses output.h.
 *
 *     static void event(struct output *r, const struct json *e) { ... }     // each event on stdout
 *     static void line(struct output *r, struct str line) { ... }           // each line on stderr
 *     static void decide(struct output *r, const struct output_end *end)    // once, at the end
 *     {
 *         output_set_outcome(r, OUTCOME_RATE_LIMITED, "stdout result.api_error_status=%d", 429);
 *     }
 *
 * stdout is a stream of events, or one JSON value, or text. Told by the command line (records) or
 * by what comes: text turns into a stream only at the event with which a stream of that tool opens,
 * so that an answer which quotes events stays an answer. What stands on stdout and is no event is
 * kept in facts.text (bounded).
 *
 * output_end() itself decides what is the same for all: not started, out of time, killed.
 */
#pragma once

#include "agent/output.h"

enum output_mode { /* as the command line says */
    OUTPUT_ANY,
    OUTPUT_TEXT,
    OUTPUT_JSON,
    OUTPUT_STREAM
};

#define OUTPUT_MCP_NAME    "multiverse" /* our server, as the tools know it */
#define OUTPUT_HOPELESS_MS 20000        /* a tool that waits longer on a limit is not waited for */
#define OUTPUT_LONG_MS     3600000      /* a limit that lasts longer is that of a window */

/* The beginning of the reader's own struct, which is zeroed before the first byte. */
struct output_facts {
    enum output_mode mode;
    bool stream;          /* events have come */
    uint64_t events;      /* how many */
    int64_t clock;        /* unix ms: the latest time that an event told; 0: none did */
    struct buf text;      /* stdout that is no event */
    struct buf complaint; /* the first lines of stderr, for people */
    struct outcome limit; /* what a hopeless wait is about */
    int64_t limit_ms;     /* how long it said it would wait; 0: it did not */
};

struct output_reader {
    size_t size; /* of its own struct */
    bool (*is_opening)(const struct json *event);
    void (*read_event)(struct output *r, const struct json *event);
    void (*read_stderr_line)(struct output *r, struct str line); /* of stderr; NULL: not read */
    void (*read_whole)(struct output *r,
                       const struct json *value); /* stdout as one value; may be NULL */
    void (*decide_outcome)(struct output *r, const struct output_end *end);
    void (*free_state)(struct output *r); /* memory of its own; may be NULL */
};

extern const struct output_reader output_claude, output_codex, output_gemini, output_cursor,
    output_openai, output_mock;

/* Outcomes. The first one said holds; evidence names stream, event and field. */
void output_set_outcome(struct output *r, enum outcome_class class, const char *evidence, ...)
    __attribute__((format(printf, 3, 4)));
void output_set_message(struct output *r, struct str text); /* one line of it */
void output_set_until(struct output *r, int64_t unix_ms,
                      enum outcome_trust trust); /* the better one */
void output_find_until(struct output *r, struct str text, int64_t at);
/* It waits for a limit of this class; after it nothing is known. evidence as above. */
void output_give_up(struct output *r, enum outcome_class class, int64_t wait_ms,
                    const char *evidence);
/* For tools of which nothing but the exit code is left: launch if it never began, else incomplete,
 * and ok or not if all it does is print text. */
void output_set_outcome_by_exit(struct output *r, const struct output_end *end);

/* The class of an HTTP status; false: it says nothing (below 400, unknown). */
bool output_find_status_class(int64_t status, enum outcome_class *class);
/* The class of a code or type that an API of OpenAI or Anthropic gives: "insufficient_quota". */
bool output_find_code_class(struct str code, enum outcome_class *class);

struct output_phrase { /* how a sentence begins */
    const char *start;
    enum outcome_class class;
};
/* The row with which the text begins; ' stands for U+2019, too. NULL: none. */
const struct output_phrase *output_find_phrase(const struct output_phrase *rows, size_t count,
                                               struct str text);

/* Facts. */
struct str output_field(const struct json *object, const char *name); /* text of a member */
int64_t output_read_clock(const struct output *r, const struct output_end *end);
int64_t output_read_time(const struct json *v); /* seconds, ms or RFC 3339, as unix ms; 0: none */
void output_update_clock(struct output *r, const struct json *time); /* an event says when */
void output_copy_line(char *to, size_t size, struct str s); /* cut where it must, at a character */
void output_send_step(struct output *r, enum output_step_kind kind, struct str text, bool failed);
void output_send_tool_step(struct output *r, struct str name, const struct json *args);
void output_set_last_message(struct output *r, struct str text); /* the last words, anew */
void output_add_last_message(struct output *r, struct str text); /* more of them */
bool output_is_exit_of_signal(int64_t exit_code); /* 129, 130, 137, 143: as shells say it */
