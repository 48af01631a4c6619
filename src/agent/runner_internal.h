/* What runner.c and runner_event.c share. runner.c decides what happens next; runner_event.c
 * makes the reports: events, the note, the result. */
#pragma once

#include "agent/changes.h"
#include "agent/question.h"
#include "agent/run_outcome.h"
#include "agent/runner.h"
#include "agent/task_note.h"
#include "agent/verify.h"

enum runner_step { /* the last event, when advance_run() is called next */
    STEP_STARTED,
    STEP_PLANNED,  /* the answer to plan_task */
    STEP_DECIDED,  /* the answer to next_action */
    STEP_WORKED,   /* the end of a worker run */
    STEP_ASSESSED, /* the answer to completion_assessment */
    STEP_TESTED,   /* the end of the test */
    STEP_ENDED     /* state COMPLETE or FAILED */
};

struct runner {
    struct loop *loop;
    struct runner_options o;
    enum run_state state;
    enum runner_step step;
    bool stopping;
    uint64_t start_ms;          /* by loop_now() */
    int64_t started;            /* unix ms */
    struct buf why;             /* why it failed */
    struct run_outcome outcome; /* and what that means */
    struct str tool, model;     /* of the last worker; before the first, of the last question */
    bool has_worked;
    struct arena arena;

    /* what the run knows */
    struct question_plan plan;
    struct question_next next;
    struct question_assessment assessment;
    struct arena next_arena, assessment_arena;
    bool is_assessed;
    struct question_run runs[QUESTION_MAX_RUNS];
    struct task_note_loop loops[QUESTION_MAX_RUNS];
    size_t run_count; /* with the current one */
    struct buf test_summary, test_output;
    bool test_failed;
    unsigned marks; /* marked complete, and no work since */

    /* the current dispatch or test */
    struct dispatch *dispatch;
    struct verify *verify;
    enum category category;
    char name[64];
    unsigned file_count;                 /* of transcripts */
    int64_t cooldown_until;              /* of the last attempt's candidate; 0: none */
    struct output_usage spent, spending; /* by attempts that ended; by the current one */
    struct {                             /* how the last dispatch ended */
        enum dispatch_end_kind kind;
        bool ran; /* an attempt was made */
        enum outcome_class class;
        struct run_outcome outcome; /* of the run, if it ended for this */
        struct buf why, said;
    } end;

    /* the current question */
    enum question asked;
    unsigned ask_try;
    struct buf question, prompt; /* as first asked; as sent */

    /* the current worker run */
    struct worker_overrides overrides;
    struct changes_snapshot *before; /* the files when it started */
    struct changes_snapshot *origin; /* the files before the first worker run */
    struct buf changed;              /* the changes since `before`, as text */
    struct buf workers;              /* who worked: "codex-cli gpt-5.2, then claude-code" */

    struct buf note_path;
    bool note_failed;
};

/* Fill in the common members of an event, mask the text, and send it. */
void runner_event_send(struct runner *r, struct runner_event e);
void runner_event_send_text(struct runner *r, enum runner_event_kind kind, struct str text);
void runner_event_send_end(struct runner *r); /* RUNNER_END with the result */
/* What happens in the current dispatch, as the runner's own events. */
void runner_event_on_dispatch(const struct dispatch_event *e, void *runner);
void runner_event_write_note(struct runner *r, int64_t ended); /* 0: the run goes on */
