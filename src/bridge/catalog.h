/* Every tool of the server, once: one table that feeds tools/list, the editor's `capability`,
 * validation, `multiverse tools` and docs/tools.md.
 *
 *     struct catalog *c = catalog_new(&limits);
 *     const struct tool *t = catalog_find(c, STR("read_console"));
 *     if (!catalog_check(t, arguments, &args, &err)) ...
 *     catalog_free(c);
 *
 * A row gives a tool's own arguments; timeout_ms and client_request_id, which every tool takes, are
 * added here, so the published input schema is complete. The metadata of the tools is pinned by a
 * golden test; a change is made there too, with a line in docs/adr/. A tool whose traits say "job"
 * (catalog_wants_job) must declare it, which a test checks.  Spec: docs/spec/10-bridge.md, 9.
 */
#pragma once

#include "base/buf.h"
#include "base/error.h"
#include "base/json.h"
#include "bridge/limits.h"

#define CATALOG_CLIENT_REQUEST_ID_MAX 128u /* characters */

struct bridge;
struct caller;
struct tool;
struct tool_args;

enum tool_mode {
    TOOL_SYNC, /* holds the editor until its result is there */
    TOOL_JOB   /* submitted, then followed by its job_id */
};

struct tool_traits {
    bool over_5s;       /* may take longer than five seconds in daily use */
    bool needs_cancel;  /* people will want to stop it */
    bool whole_project; /* has an effect on the whole project */
    bool reloads;       /* compiles or reloads afterwards */
    bool changes;       /* changes something: client_request_id deduplicates */
};

struct tool_hints {   /* published for every tool */
    bool read_only;   /* changes nothing */
    bool destructive; /* may overwrite or delete, not only add */
    bool idempotent;  /* the same call again changes nothing more */
    bool open_world;  /* touches things outside the project */
};

/* Answers a call without an editor (control.h). */
typedef void tool_control_fn(struct bridge *b, struct caller *caller, const struct tool *tool,
                             const struct tool_args *args);

struct tool {
    const char *name, *title;
    const char *description;                  /* for a model */
    const char *input_schema, *output_schema; /* as published; output_schema may be NULL */
    struct tool_hints hints;
    bool may_be_task; /* a call may run on as an MCP task */
    enum tool_mode mode;
    tool_control_fn *control; /* the server itself answers; NULL: the editor does */
    bool supports_cancel;
    bool requires_client_request_id;
    bool execution_error_retryable;
    uint64_t default_timeout_ms, max_timeout_ms;
    struct tool_traits traits;
    const char *subject; /* the argument to show for a call; NULL: none */
    /* The parsed schemas. input is the published one. output describes answers exactly; the
     * published one describes only the fields, because an error object can take the place of an
     * answer. */
    const struct json *input, *output;
};

struct tool_args { /* what every tool takes */
    uint64_t timeout_ms;
    bool has_timeout;             /* it was given */
    struct str client_request_id; /* empty: none */
};

struct catalog;

/* The limits give the timeouts that rows take from them; a default above a tool's maximum is the
 * maximum. Nothing of them is kept. A faulty row aborts and says which. */
struct catalog *catalog_new(const struct limits *limits);
void catalog_free(struct catalog *c);
size_t catalog_count(const struct catalog *c);
const struct tool *catalog_at(const struct catalog *c, size_t i); /* in the order of the table */
const struct tool *catalog_find(const struct catalog *c, struct str name);

/* Arguments of a call (NULL: none): against the schema, timeout_ms and client_request_id included,
 * and for what one argument needs of others (action "add" needs component_type).
 * ERR_INVALID_PARAMS, or ERR_INVALID_REQUEST where a required client_request_id is missing. The id
 * in *args is a view into the arguments. The tool is one of a catalog. */
bool catalog_check(const struct tool *tool, const struct json *arguments, struct tool_args *args,
                   struct error *err);

const char *catalog_mode_name(enum tool_mode mode); /* "sync", "job" */
bool catalog_wants_job(const struct tool_traits *traits);

/* The table for people and programs. */
void catalog_show_json(const struct catalog *c, struct buf *out);     /* an array, indented by 2 */
void catalog_show_markdown(const struct catalog *c, struct buf *out); /* docs/tools.md, whole */
void catalog_show_table(const struct catalog *c, struct buf *out);    /* for a terminal */
