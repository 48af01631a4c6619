/* The headless editor: what a Unity Editor with the plugin is to the bridge, without Unity.
 *
 *     struct editor *e = editor_new(loop, &(struct editor_options){.project = "game"}, &err);
 *     editor_connect(e, bridge);                 // says hello; answers from now on
 *     ...
 *     editor_stop(e);                            // running tests end; the link closes
 *     while (!editor_is_quiet(e)) ...
 *     editor_free(e);
 *
 * Where a live Unity Editor of the same project connects, it steps back until that one is gone.
 *
 * It speaks the same messages as the plugin (docs/spec/10-bridge.md, 3) over link_local. Everything
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
    const char *scene; /* to open at the start; NULL: as the spec says */
    bool save_manual;
    bool watch; /* look out for changed files; else each call looks for itself */
    const char *const
        *test_command;      /* argv, NULL ends; NULL: Unity in batch mode, if there is one */
    const char *unity_path; /* the Unity program; NULL: UNITY_PATH, Unity Hub's folders */
};

struct editor *editor_new(struct loop *loop, const struct editor_options *options,
                          struct error *err);
/* False: the bridge takes no link now. */
bool editor_connect(struct editor *e, struct bridge *bridge);
void editor_stop(struct editor *e);           /* a second time: what still runs is killed */
bool editor_is_quiet(const struct editor *e); /* no link, no job */
/* fn(ctx) is called each time it has become quiet. NULL: nobody is notified. */
void editor_on_quiet(struct editor *e, loop_fn *fn, void *ctx);
void editor_free(struct editor *e); /* when it is quiet; NULL is fine */

/* One call without a bridge: the answer's object into out, or false and *err. The arguments must
 * have been checked. Jobs: run_tests.h. */
bool editor_run(struct editor *e, struct str tool, const struct json *args, struct buf *out,
                struct editor_error *err);
