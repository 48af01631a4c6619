/* The fake editor: declarations shared by its parts. README.md describes what it does and its
 * commands.
 *
 *     main.c       options, the loop, the end
 *     control.c    commands on stdin, events on stdout
 *     wire.c       the connection: hello, capability, status, reconnect
 *     calls.c      execute, submit_job, cancel, resume: from arrival to exactly one execution
 *     jobs.c       jobs and their progress
 *     results.c    the results of the tools
 *     directive.c  "fake:delay=200,twice" in an argument
 *     chaos.c      random directives, and accidents by the clock
 *     trace.c      what really happened, line by line
 *
 * One struct holds the whole state; everything runs in one loop. Stored texts are char *, from
 * fake_dup(), and freed by their owner.
 */
#pragma once

#include "base/buf.h"
#include "base/json.h"
#include "base/jsonw.h"
#include "base/list.h"
#include "base/loop.h"
#include "base/rng.h"
#include "net/stream.h"
#include "net/ws_conn.h"

#define FAKE_ANSWERS   64u /* docs/spec/10-bridge.md, 4: kept for resume */
#define FAKE_JOBS      1024u
#define FAKE_MAX_TOOLS 64u

enum fake_state {
    FAKE_READY,
    FAKE_COMPILING,
    FAKE_RELOADING,
    FAKE_STATE_COUNT
};

/* How to treat one call; all zero: at once and correctly. */
struct directive {
    uint64_t delay_ms, huge, steps, step_ms, failed;
    uint64_t compile_ms, reload_ms; /* valid with has_...: 0 is a time, too */
    bool has_compile, has_reload;
    bool hang, twice, wrongid, garbage, truncated, noresult, drop, lose, crash;
    bool reject, fail, forget, nocancel, notests;
    char error[64];
    char echo[64]; /* included somewhere in the result */
};

/* Received and not executed yet. */
struct fake_call {
    struct list in;
    struct wire_editor *f;
    struct timer timer;
    char *request_id, *tool, *params; /* params: JSON text */
    char *job_id;                     /* NULL: not a job */
    struct directive how;
    bool started;
    bool is_held; /* by mode hang: continues when that ends */
};

/* A past answer: the whole message. */
struct fake_answer {
    char *request_id;
    struct buf message;
};

struct fake_job {
    struct list in;
    struct wire_editor *f;
    struct timer timer;
    char *id, *request_id, *tool;
    const char *state; /* as on the wire */
    uint64_t done, total;
    struct directive how;
};

struct fake_options {
    uint16_t port;
    const char *path, *instance, *session, *project, *editor, *unity_version, *trace, *script;
    struct buf token;
    uint64_t status_ms;    /* 0: as the server requests */
    uint64_t reconnect_ms; /* 0: increasing, as the server or the spec says */
    uint64_t chaos_seed;
    bool has_chaos, no_reconnect, no_control, verbose;
};

/* Set by the mode command. */
struct fake_mode {
    char payload[32];
    uint64_t delay_ms;
    bool serial, hang;
    char fault[16];
    uint64_t fault_count;
};

enum chaos_kind { /* per call; the names are those of the directives */
    CHAOS_DELAY,
    CHAOS_LATE,
    CHAOS_TWICE,
    CHAOS_HANG,
    CHAOS_WRONGID,
    CHAOS_GARBAGE,
    CHAOS_TRUNCATED,
    CHAOS_NORESULT,
    CHAOS_ERROR,
    CHAOS_DROP,
    CHAOS_LOSE,
    CHAOS_T_DROP, /* from here on: per tick of the clock */
    CHAOS_T_RELOAD,
    CHAOS_T_COMPILE,
    CHAOS_T_SILENT,
    CHAOS_KIND_COUNT
};

struct chaos {
    bool on, made_silent;
    struct rng rng;
    double p[CHAOS_KIND_COUNT];
    uint64_t tick_ms, delay_max_ms, away_max_ms, late_extra_ms;
    struct timer tick, silence;
};

struct wire_editor {
    struct loop *loop;
    struct fake_options options;
    struct fake_mode mode;
    struct chaos chaos;
    bool quitting;

    /* control.c */
    struct stream *in, *out;
    struct buf line, script;
    struct timer script_timer;

    /* trace.c */
    int trace_fd; /* -1: none */
    uint64_t trace_order;

    /* wire.c */
    struct ws_conn *conn; /* NULL: none, not even connecting */
    bool open;            /* on_open was called */
    bool away;            /* does not reconnect until a command or a timer says so */
    struct timer reconnect, status, ready, back;
    struct rng jitter;
    uint64_t attempt, failures, seq, sessions;
    uint64_t server_status_ms, initial_ms, max_ms;
    double multiplier, jitter_part;
    enum fake_state state;
    bool reloading; /* becomes ready by itself after the next hello */
    bool scene_dirty, is_playing, is_paused, silent;
    struct buf held;  /* messages of a silent editor, one per line */
    struct buf hello; /* JSON object: overrides of the next hellos */
    char tools[FAKE_MAX_TOOLS][64];
    size_t tool_count;

    /* calls.c, jobs.c */
    struct list calls, jobs; /* of struct fake_call, struct fake_job */
    struct fake_answer answers[FAKE_ANSWERS];
    size_t answer_next;
    uint64_t requests, answered, executed, bytes_out;

    /* results.c */
    struct buf tree; /* the last hierarchy that was built */
    size_t tree_n;
};

char *fake_dup(struct str s);

/* control.c */
bool control_start(struct wire_editor *f);
void control_stop(struct wire_editor *f);
struct jsonw control_event(struct buf *line, const char *event);
void control_print(struct wire_editor *f,
                   struct buf *line); /* adds the line end; clears the line */
void fake_quit(struct wire_editor *f);

/* trace.c: begin, further members, end. w.out is NULL if there is no trace. */
bool trace_open(struct wire_editor *f, const char *path);
bool trace_begin(struct wire_editor *f, struct buf *line, struct jsonw *w, const char *what);
void trace_end(struct wire_editor *f, struct buf *line, struct jsonw *w);
void trace_request(struct wire_editor *f, const char *what, const char *request_id,
                   const char *how);

/* wire.c */
void wire_start(struct wire_editor *f);
struct jsonw wire_message(struct buf *out, const char *type);
bool wire_send(struct wire_editor *f, struct str message); /* false: not connected */
void wire_send_status(struct wire_editor *f);
void wire_send_capability(struct wire_editor *f);
void wire_send_error(struct wire_editor *f, const char *code, const char *key, struct str id);
void wire_set_state(struct wire_editor *f, enum fake_state state);
bool wire_state_from(struct str name, enum fake_state *state);
void wire_leave(struct wire_editor *f, struct str how); /* close, rst, playmode, drop */
void wire_leave_for(struct wire_editor *f, struct str how, uint64_t ms);
void wire_come_back(struct wire_editor *f);
void wire_compile(struct wire_editor *f, uint64_t ms);
void wire_reload(struct wire_editor *f, uint64_t ms, bool keep_jobs, bool keep_requests);
void wire_set_silent(struct wire_editor *f, bool on);
void wire_done(struct wire_editor *f);

/* calls.c */
void calls_receive(struct wire_editor *f, const struct json *message, bool is_job);
void calls_cancel(struct wire_editor *f, const struct json *message);
void calls_resume(struct wire_editor *f, const struct json *message);
void calls_release(struct wire_editor *f); /* those held by mode hang */
void calls_forget(struct wire_editor *f);
size_t calls_pending(const struct wire_editor *f);

/* jobs.c */
void jobs_start(struct wire_editor *f, const struct fake_call *c);
struct fake_job *jobs_find(struct wire_editor *f, struct str id);
void jobs_send_status(struct fake_job *j);
const char *jobs_cancel(struct fake_job *j); /* status of the cancel_result */
void jobs_forget(struct wire_editor *f, bool all);
void jobs_done(struct wire_editor *f);

/* results.c: the result of a tool, or the code of an error. */
const char *results_put(struct wire_editor *f, struct jsonw *w, const struct fake_call *c);
void results_put_tests(struct jsonw *w, const struct fake_job *j);

/* directive.c: false: an unknown word. */
bool directive_parse(struct directive *d, struct str text);
bool directive_find(struct directive *d, const struct json *params);

/* chaos.c */
void chaos_init(struct wire_editor *f);
void chaos_start(struct wire_editor *f, uint64_t seed);
void chaos_stop(struct wire_editor *f);
bool chaos_set(struct wire_editor *f, const struct json *values);
void chaos_choose(struct wire_editor *f, struct directive *d, uint64_t timeout_ms);
