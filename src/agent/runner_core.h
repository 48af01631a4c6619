/* What the parts of the runner share: runner.c moves it from state to state, runner_work.c runs a
 * worker, runner_tell.c says what happens. */
#pragma once

#include "agent/changes.h"
#include "agent/question.h"
#include "agent/runner.h"
#include "agent/task_note.h"
#include "agent/verify.h"

struct runner {
    struct loop *loop;
    struct runner_options o;
    enum run_state state;
    bool stopping;
    uint64_t start_ms; /* by loop_now() */
    int64_t started;   /* unix ms */
    struct buf why;    /* it failed: why */
    struct {           /* and what that means for who would try again (run_result.h) */
        const char *outcome;
        bool nobody;
        int64_t until;
    } verdict;
    struct str tool, model; /* of the last worker; before there was one, of who was asked last */
    bool has_worked;
    int64_t cooldown_until; /* of the last attempt's candidate; 0: it does not rest */
    struct arena arena;

    /* what is known */
    struct question_plan plan;
    struct question_next next;
    struct question_assessment assessment;
    struct arena next_arena, assessment_arena;
    bool is_assessed;
    struct question_run runs[QUESTION_MAX_RUNS];
    struct task_note_loop loops[QUESTION_MAX_RUNS];
    size_t run_count; /* the one at hand counted */
    struct buf test_say, test_output;
    bool test_failed;
    unsigned marks;                      /* complete, and no work since */
    struct report_usage spent, spending; /* by what ended; by what runs */

    /* at hand */
    struct dispatch *dispatch;
    struct verify *verify;
    enum question asked;
    unsigned ask_try;
    struct buf first, prompt; /* the question; what is sent */
    struct {                  /* how the last dispatch ended */
        enum dispatch_end_kind kind;
        bool ran; /* an attempt was made */
        enum outcome_class class;
        const char *outcome; /* this and the next two: as they would be told of the whole run */
        bool nobody;
        int64_t until;
        struct buf why, said;
    } end;
    enum category category;
    unsigned try_number;
    struct changes *before; /* the worker run at hand */
    struct changes *origin; /* before any worker run */
    struct buf left, who;   /* what was changed so far; who worked on it */
    struct buf dropped;
    unsigned file_count; /* of transcripts */
    char name[64];
    bool note_failed;
    struct buf note_path;
};

/* runner.c */
/* The end follows; nothing else may. The agents did their work, if they were not stopped. */
void runner_fail(struct runner *r, struct str why);
void runner_fail_by_end(struct runner *r, struct str why); /* because of how r->end was */
void runner_move(struct runner *r, enum run_event event);
void runner_ask(struct runner *r, enum question q);

/* runner_work.c: the worker that r->next wants; asks for the next action when it is done. */
void runner_work(struct runner *r);

/* runner_end.c */
/* How the dispatch ended is kept, and what it would mean. */
void runner_keep_end(struct runner *r, const struct dispatch_end *end);
void runner_tell_end(struct runner *r); /* RUNNER_END with its result */

/* runner_tell.c */
void runner_tell(struct runner *r, struct runner_event e); /* fills in what all have in common */
void runner_say(struct runner *r, enum runner_event_kind kind, struct str text);
void runner_note(struct runner *r, int64_t ended); /* ended 0: it goes on */
/* What is the same for every dispatch: all but category, call, prompt, on_end. `name` is the
 * category's. */
struct dispatch_options runner_dispatch_options(struct runner *r, enum category category);
void runner_dispatch(struct runner *r, const struct dispatch_options *options);
