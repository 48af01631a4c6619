/* The headless editor: for the bridge it is a Unity Editor with the plugin, without Unity.
 *
 *     struct editor *e = editor_new(loop, &(struct editor_options){.project = "game"}, &err);
 *     editor_connect(e, bridge);                 // sends hello and answers calls
 *     ...
 *     editor_stop(e);                            // running tests end; the link closes
 *     while (!editor_is_quiet(e)) ...
 *     editor_free(e);
 *
 * When a live Unity Editor of the same project connects, the headless editor disconnects until that
 * one is gone.
 *
 * It uses the same messages as the plugin (docs/spec/10-bridge.md, 3) over link_local. Everything
 * runs on the loop's thread, one tool at a time; run_tests is a job over a child process.
 */
#pragma once

#include "base/error.h"
#include "base/json.h"
#include "base/loop.h"
#include "editor/editor_error.h"

struct bridge;
struct editor;

struct editor_options {
    const char *project;
    const char *scene; /* opened at the start; NULL: chosen as in the spec */
    bool save_manual;
    bool watch; /* watch files; else each call checks for changed files */
    const char *const
        *test_command;      /* argv, NULL ends; NULL: Unity in batch mode, if there is one */
    const char *unity_path; /* the Unity program; NULL: UNITY_PATH, Unity Hub's folders */
};

struct editor *editor_new(struct loop *loop, const struct editor_options *options,
                          struct error *err);
/* Return false if the bridge accepts no link now. */
bool editor_connect(struct editor *e, struct bridge *bridge);
void editor_stop(struct editor *e);           /* a second time: kills the running tests */
bool editor_is_quiet(const struct editor *e); /* no link, no job */
/* Call fn(ctx) each time it becomes quiet. NULL: no calls. */
void editor_on_quiet(struct editor *e, loop_fn *fn, void *ctx);
void editor_free(struct editor *e); /* when it is quiet; NULL is fine */

/* Run one call without a bridge: write the object of the answer to out, or return false with an
 * error. The arguments must have been checked. For jobs see run_tests.h. */
bool editor_run(struct editor *e, struct str tool, const struct json *args, struct buf *out,
                struct editor_error *err);
