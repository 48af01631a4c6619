/* What the readers share: facts collected line by line, and functions that set the outcome. For
 * output*.c only.
 *
 *     static void read_event(struct output *r, const struct json *e) { ... } // an event on stdout
 *     static void read_stderr_line(struct output *r, struct str line) { ... }
 *     // once, at the end:
 *     static void decide_outcome(struct output *r, const struct output_end *end)
 *     {
 *         output_set_outcome(r, OUTCOME_RATE_LIMITED, "stdout result.api_error_status=%d", 429);
 *     }
 *
 * stdout is a stream of events, one JSON value, or text. A record's command line decides which;
 * otherwise text becomes a stream at the event that begins a stream of this agent, so that an
 * answer that quotes events remains an answer. Other lines on stdout are kept in facts->text
 * (bounded).
 *
 * output_end() decides what is the same for all agents: not started, timed out, killed.
 */
#pragma once

#include "agent/output.h"

enum output_mode { /* of stdout, by the command line */
    OUTPUT_ANY,
    OUTPUT_TEXT,
    OUTPUT_JSON,
    OUTPUT_STREAM
};

#define OUTPUT_MCP_NAME    "multiverse" /* our MCP server in the agents' settings */
#define OUTPUT_HOPELESS_MS 20000        /* an agent that waits longer for a limit is killed */
#define OUTPUT_LONG_MS     3600000      /* a longer limit is a usage window */

/* The first member of a reader's own struct, which is zeroed before the first byte. */
struct output_facts {
    enum output_mode mode;
    bool stream;          /* an event was read */
    uint64_t events;      /* number of events */
    int64_t clock;        /* unix ms: the latest time in an event; 0: none */
    struct buf text;      /* lines on stdout that are not events */
    struct buf complaint; /* the first lines of stderr, for the message */
    struct outcome limit; /* the outcome if we kill it for waiting */
    int64_t limit_ms;     /* the wait that it announced; 0: unknown */
};

struct output_reader {
    size_t size; /* of the reader's struct */
    bool (*is_opening)(const struct json *event);
    void (*read_event)(struct output *r, const struct json *event);
    void (*read_stderr_line)(struct output *r, struct str line); /* NULL: ignore stderr */
    void (*read_whole)(struct output *r,
                       const struct json *value); /* stdout is one value; may be NULL */
    void (*decide_outcome)(struct output *r, const struct output_end *end);
    void (*free_state)(struct output *r); /* free memory in the struct; may be NULL */
};

extern const struct output_reader output_claude, output_codex, output_gemini, output_cursor,
    output_openai, output_mock;

/* Set the outcome, unless it is set. The evidence names stream, event and field. */
void output_set_outcome(struct output *r, enum outcome_class class, const char *evidence, ...)
    __attribute__((format(printf, 3, 4)));
void output_set_message(struct output *r, struct str text); /* unless set */
void output_set_until(struct output *r, int64_t unix_ms,
                      enum outcome_trust trust); /* unless a more trusted time is set */
/* Find a time in the text, in words, and set `until`. */
void output_find_until(struct output *r, struct str text, int64_t at);
/* The agent waits for a limit of this class: mark it hopeless. wait_ms 0: unknown. */
void output_give_up(struct output *r, enum outcome_class class, int64_t wait_ms,
                    const char *evidence);
/* If no outcome is set, derive it from the exit code: launch if the agent never began, ok if it
 * printed text and exited with 0, else incomplete. */
void output_set_outcome_by_exit(struct output *r, const struct output_end *end);

/* Find the class of an HTTP status. Return false if it is below 400 or unknown. */
bool output_find_status_class(int64_t status, enum outcome_class *class);
/* Find the class of an error code or type of the OpenAI or Anthropic API: "insufficient_quota". */
bool output_find_code_class(struct str code, enum outcome_class *class);

struct output_phrase { /* the start of a sentence and its meaning */
    const char *start;
    enum outcome_class class;
};
/* Return the first row that the text starts with, or NULL. ' also matches U+2019. */
const struct output_phrase *output_find_phrase(const struct output_phrase *rows, size_t count,
                                               struct str text);

/* Return the text of a member, or an empty one. */
struct str output_field(const struct json *object, const char *name);
/* Return the time of the end, of the last event, or `now`. end may be NULL. */
int64_t output_read_clock(const struct output *r, const struct output_end *end);
/* Return seconds, ms or RFC 3339 as unix ms, or 0. */
int64_t output_read_time(const struct json *v);
/* Set the clock to the time of an event. */
void output_update_clock(struct output *r, const struct json *time);
/* Copy as one line of UTF-8, cut to size - 1 bytes at a character. */
void output_copy_line(char *to, size_t size, struct str s);
void output_send_step(struct output *r, enum output_step_kind kind, struct str text, bool failed);
void output_send_tool_step(struct output *r, struct str name, const struct json *args);
void output_set_last_message(struct output *r, struct str text);
void output_add_last_message(struct output *r, struct str text);
/* Whether a shell exits with this code after a signal: 129, 130, 131, 137, 143. */
bool output_is_exit_of_signal(int64_t exit_code);
