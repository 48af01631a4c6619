/* One run of an agent, as its two streams and its end, read by an output.
 *
 *     struct output r;
 *     read_run(&r, &(struct run){.tool = AGENT_CLAUDE, .out = "...", .exit_code = 1});
 *     CHECK_OUTCOME(&r, OUTCOME_RATE_LIMITED, "stdout result.api_error_status=429");
 *     output_done(&r);
 *
 * JSON may be written as "{'type':'result','result':'You^ve hit your limit'}": in lines that begin
 * so, ' means a quote and ^ for an apostrophe.
 */
#pragma once

#include <stdlib.h>

#include "agent/output.h"
#include "agent/output_internal.h"
#include "test.h"

#define JSON(...)  #__VA_ARGS__
#define EVENT(...) #__VA_ARGS__ "\n"
#define NOW        1794735000000 /* 2026-11-15T09:30:00Z */

struct run {
    enum agent_kind tool;
    const char *out, *err, *session_log;
    struct output_end end;
    int64_t exit_code;
    size_t piece; /* bytes at a time; 0: all at once */
    output_step_fn *on_step;
    void *ctx;
    enum output_mode mode;
};

static inline char *unquote(const char *text)
{
    char *copy = str_dup(str_from(text));
    bool json = false;
    for (char *p = copy; *p; p++) {
        if (p == copy || p[-1] == '\n')
            json = p[0] == '{' && p[1] == '\'';
        if (json && *p == '\'')
            *p = '"';
        else if (json && *p == '^')
            *p = '\'';
    }
    return copy;
}

/* The state of an output during a run. */
static inline void begin_run(struct output *r, enum agent_kind tool, const char *out)
{
    char *text = unquote(out);
    output_init(r, tool, NOW);
    output_feed(r, PROCESS_STDOUT, str_from(text));
    free(text);
}

static inline void feed_run(struct output *r, enum process_stream which, struct str s, size_t piece)
{
    if (piece == 0)
        output_feed(r, which, s);
    for (; piece && s.n; s = str_skip(s, piece))
        output_feed(r, which, str_head(s, piece));
}

static inline void read_run(struct output *r, const struct run *run)
{
    struct output_end end = run->end;
    char *out = unquote(run->out), *rollout = unquote(run->session_log);
    if (run->exit_code)
        end.exit_code = run->exit_code;
    end.session_log = str_from(rollout);
    output_init(r, run->tool, NOW);
    r->on_step = run->on_step;
    r->ctx = run->ctx;
    r->facts->mode = run->mode;
    feed_run(r, PROCESS_STDOUT, str_from(out), run->piece);
    feed_run(r, PROCESS_STDERR, str_from(run->err), run->piece);
    output_end(r, &end);
    free(out);
    free(rollout);
}

#define CHECK_OUTCOME(r, want, why) check_outcome_at((r), (want), (why), __FILE__, __LINE__)

static inline void check_outcome_at(const struct output *r, enum outcome_class want,
                                    const char *why, const char *file, int line)
{
    if (r->outcome.class != want)
        print_error("got %s (%s), want %s\n", outcome_name(r->outcome.class), r->outcome.evidence,
                    outcome_name(want));
    _assert_int_equal(r->outcome.class, want, file, line);
    check_str_at(str_from(r->outcome.evidence), str_from(why), file, line);
}

/* Check only the outcome of a run. */
#define CHECK_RUN(want, why, ...)                                                                  \
    do {                                                                                           \
        struct output output_at_hand;                                                              \
        read_run(&output_at_hand, &(struct run){__VA_ARGS__});                                     \
        CHECK_OUTCOME(&output_at_hand, (want), (why));                                             \
        output_done(&output_at_hand);                                                              \
    } while (0)
