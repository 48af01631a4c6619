/* The tool run_tests: starts a test run (test_run.h) from its arguments. It is a job, so it has no
 * editor_tool: the link submits it, `multiverse call` waits for it. */
#pragma once

#include "editor/editor.h"
#include "editor/test_run.h"

struct run_tests_events {
    uint64_t timeout_ms; /* 0: none */
    test_progress_fn *on_progress;
    test_end_fn *on_end;
    void *ctx;
};

struct test_run *run_tests_start(struct editor *e, const struct json *args,
                                 const struct run_tests_events *events, struct editor_error *err);
