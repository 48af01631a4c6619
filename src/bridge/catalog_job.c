/* Jobs: the tool that starts one and those that follow it. Shapes: docs/spec/15-editor-tools.md. */
#include "bridge/catalog_row.h"
#include "bridge/control.h"

/* clang-format off */
#define JOB_STATE                                                                                  \
    JSON({"enum": ["queued", "running", "succeeded", "failed", "timeout", "cancelled"]})

#define JOB_PROGRESS                                                                               \
    JSON({"anyOf": [{"type": "object",                                                             \
                     "properties": {"done": {"type": "number", "minimum": 0},                      \
                                    "total": {"type": "number", "minimum": 0},                     \
                                    "current": {"type": "string"}},                                \
                     "required": ["done", "total", "current"],                                     \
                     "additionalProperties": false},                                               \
                    {"type": "null"}]})

#define JOB_ERROR                                                                                  \
    JSON({"type": "object",                                                                        \
          "properties": {                                                                          \
              "code": {"type": "string"},                                                          \
              "message": {"type": "string"},                                                       \
              "retryable": {"type": "boolean"},                                                    \
              "details": {                                                                         \
                  "type": "object",                                                                \
                  "properties": {                                                                  \
                      "execution_guarantee":                                                       \
                          {"enum": ["not_executed", "unknown", "completed_error"]},                \
                      "recovery_action": {"type": "string"}},                                      \
                  "required": ["execution_guarantee", "recovery_action"]}},                        \
          "required": ["code", "message", "retryable", "details"],                                 \
          "additionalProperties": false})

#define TEST_RESULT                                                                                \
    JSON({"type": "object",                                                                        \
          "properties": {                                                                          \
              "summary": {                                                                         \
                  "type": "object",                                                                \
                  "properties": {"total": {"type": "integer", "minimum": 0},                       \
                                 "passed": {"type": "integer", "minimum": 0},                      \
                                 "failed": {"type": "integer", "minimum": 0},                      \
                                 "skipped": {"type": "integer", "minimum": 0},                     \
                                 "inconclusive": {"type": "integer", "minimum": 0},                \
                                 "duration_ms": {"type": "number", "minimum": 0}},                 \
                  "required": ["total", "passed", "failed", "skipped", "inconclusive",             \
                               "duration_ms"],                                                     \
                  "additionalProperties": false},                                                  \
              "failed_tests": {                                                                    \
                  "type": "array",                                                                 \
                  "items": {"type": "object",                                                      \
                            "properties": {"name": {"type": "string"},                             \
                                           "message": {"type": "string"},                          \
                                           "stack_trace": {"type": "string"},                      \
                                           "duration_ms": {"type": "number", "minimum": 0}},       \
                            "required": ["name", "message", "stack_trace", "duration_ms"],         \
                            "additionalProperties": false}},                                       \
              "skipped_tests":                                                                     \
                  {"type": "array", "items": {"type": "string"}, "maxItems": 50},                  \
              "truncated": {"type": "boolean"}},                                                   \
          "required": ["summary", "failed_tests", "skipped_tests", "truncated"],                   \
          "additionalProperties": false})

#define JOB_TIMES                                                                                  \
    {"submitted_at", JSON({"type": "string"}), REQUIRED, "RFC 3339, UTC."},                        \
    {"started_at", JSON({"type": "string"}), OPTIONAL, "RFC 3339, UTC; after its start."},     \
    {"finished_at", JSON({"type": "string"}), OPTIONAL, "RFC 3339, UTC; after its end."},      \
    {"queue_position", JSON({"type": "integer", "minimum": 0}), OPTIONAL,                          \
     "Place in the queue, while it is queued."}

static const char wait_ms[] = JSON({"type": "integer", "minimum": 0, "maximum": 20000,
                                    "default": 0});

static const struct catalog_field run_tests_input[] = {
    {"mode", JSON({"type": "string", "enum": ["all", "edit", "play"], "default": "edit"}), OPTIONAL,
     "Which tests to run. Play mode tests change the editor's state: ask for them only if needed."},
    {"filter", JSON({"type": "string"}), OPTIONAL,
     "Only tests whose full name is this, begins with it, or matches it as a regular expression."},
    {"assemblies", JSON({"type": "array", "items": {"type": "string"}}), OPTIONAL,
     "Names of the test assemblies to run. If omitted, all of them."},
    {"categories", JSON({"type": "array", "items": {"type": "string"}}), OPTIONAL,
     "NUnit categories to run. If omitted, all of them."},
    {"wait_ms", wait_ms, OPTIONAL,
     "Milliseconds to wait for the end. If the job ends in this time, its whole status is "
     "returned."},
};

/* Either the first two members, or all members of get_job_status; `more` below enforces it. */
static const struct catalog_field run_tests_output[] = {
    {"job_id", JSON({"type": "string"}), REQUIRED, "For get_job_status and cancel_job."},
    {"state", JOB_STATE, REQUIRED, "State of the job."},
    {"tool", JSON({"const": "run_tests"}), OPTIONAL,
     "This and the following members: only if the job ended within wait_ms."},
    {"progress", JOB_PROGRESS, OPTIONAL, "Finished tests, their total and the current one."},
    {"submitted_at", JSON({"type": "string"}), OPTIONAL, "RFC 3339, UTC."},
    {"started_at", JSON({"type": "string"}), OPTIONAL, "RFC 3339, UTC."},
    {"finished_at", JSON({"type": "string"}), OPTIONAL, "RFC 3339, UTC."},
    {"result", TEST_RESULT, OPTIONAL,
     "Counts, and each failed test with its message and stack; names of at most 50 skipped ones."},
    {"error", JOB_ERROR, OPTIONAL, "Why the job did not succeed."},
};

static const char run_tests_more[] = JSON({"anyOf": [
    {"properties": {"job_id": true, "state": true}, "additionalProperties": false},
    {"required": ["tool", "progress", "submitted_at"]}]});

const struct catalog_row catalog_run_tests = {
    .name = "run_tests",
    .subject = "filter",
    .title = "Run tests",
    .summary = "starts the project's tests as a job",
    .description =
        "Starts the project's tests as a job and returns its job_id at once; by default edit mode "
        "tests. Follow the job with get_job_status and stop it with cancel_job. Failed tests are "
        "listed with message and stack trace, passed ones are counted; filter, assemblies and "
        "categories select tests.",
    .input = CATALOG_OBJECT(run_tests_input),
    .output = {.fields = run_tests_output,
               .count = sizeof run_tests_output / sizeof *run_tests_output,
               .more = run_tests_more},
    .example = JSON({"filter": "MyGame.Tests.EnemyChaserTests", "wait_ms": 20000}),
    .answer = JSON({"job_id": "job-1001", "state": "running"}),
    .mode = TOOL_JOB,
    .supports_cancel = true,
    .default_timeout = CATALOG_LIMIT(job_default_timeout_ms),
    .max_timeout = CATALOG_LIMIT(job_max_timeout_ms),
    .may_be_task = true,
    /* Play mode reloads the domain and runs the game. */
    .traits = {.over_5s = true, .needs_cancel = true, .reloads = true, .changes = true},
};

static const struct catalog_field get_job_status_input[] = {
    {"job_id", JSON({"type": "string"}), REQUIRED, "The job_id that run_tests returned."},
    {"wait_ms", wait_ms, OPTIONAL,
     "Milliseconds to wait for a change; returns as soon as there is one."},
};

static const struct catalog_field get_job_status_output[] = {
    {"job_id", JSON({"type": "string"}), REQUIRED, "The job."},
    {"tool", JSON({"type": "string"}), REQUIRED, "The tool that started it."},
    {"state", JOB_STATE, REQUIRED, "State of the job; the last four are final."},
    {"progress", JOB_PROGRESS, REQUIRED,
     "Finished steps, their total (0: not known) and the current one; null: none yet."},
    JOB_TIMES,
    {"result", JSON({"type": "object"}), OPTIONAL,
     "The result as the job's tool describes it; if it succeeded."},
    {"error", JOB_ERROR, OPTIONAL, "The error, if the job failed."},
};

const struct catalog_row catalog_get_job_status = {
    .name = "get_job_status",
    .subject = "job_id",
    .title = "Get job status",
    .summary = "state, progress and result of a job",
    .description =
        "Returns the state and progress of a job and, after its end, the result or error. With "
        "wait_ms it waits for a change, so there is no need to poll. The states succeeded, failed, "
        "timeout and cancelled are final.",
    .input = CATALOG_OBJECT(get_job_status_input),
    .output = CATALOG_OBJECT(get_job_status_output),
    .example = JSON({"job_id": "job-1001", "wait_ms": 20000}),
    .answer = JSON({
        "job_id": "job-1001", "tool": "run_tests", "state": "succeeded",
        "progress": {"done": 12, "total": 12, "current": "MyGame.Tests.EnemyChaserTests.Stops"},
        "submitted_at": "2026-03-01T09:30:00Z", "started_at": "2026-03-01T09:30:01Z",
        "finished_at": "2026-03-01T09:30:09Z",
        "result": {"summary": {"total": 12, "passed": 11, "failed": 1, "skipped": 0,
                               "inconclusive": 0, "duration_ms": 7640},
                   "failed_tests": [{"name": "MyGame.Tests.EnemyChaserTests.Stops",
                                     "message": "Expected: 0  But was: 5",
                                     "stack_trace": "at EnemyChaserTests.cs:41",
                                     "duration_ms": 12}],
                   "skipped_tests": [], "truncated": false}}),
    .control = control_get_job_status,
    .default_timeout = CATALOG_LIMIT(sync_fast_timeout_ms),
    .max_timeout = CATALOG_MS(10000),
    .hints = {.read_only = true, .idempotent = true},
};

static const struct catalog_field cancel_job_input[] = {
    {"job_id", JSON({"type": "string"}), REQUIRED, "The job_id that run_tests returned."},
};

static const struct catalog_field cancel_job_output[] = {
    {"job_id", JSON({"type": "string"}), REQUIRED, "The job."},
    {"status", JSON({"enum": ["cancelled", "cancel_requested", "rejected"]}), REQUIRED,
     "cancelled: it never started; cancel_requested: the editor was asked to stop it; rejected: "
     "it has already ended."},
    {"state", JOB_STATE, REQUIRED, "State of the job now."},
};

const struct catalog_row catalog_cancel_job = {
    .name = "cancel_job",
    .subject = "job_id",
    .title = "Cancel job",
    .summary = "stops a job",
    .description =
        "Stops a job. A queued job is cancelled at once. For a running one the editor is asked to "
        "stop (cancel_requested); get_job_status shows how it ended. An ended job is not changed "
        "(rejected).",
    .input = CATALOG_OBJECT(cancel_job_input),
    .output = CATALOG_OBJECT(cancel_job_output),
    .example = JSON({"job_id": "job-1001"}),
    .answer = JSON({"job_id": "job-1001", "status": "cancel_requested", "state": "running"}),
    .control = control_cancel_job,
    .default_timeout = CATALOG_LIMIT(sync_fast_timeout_ms),
    .max_timeout = CATALOG_MS(10000),
    .hints = {.idempotent = true},
    .traits = {.changes = true},
};
/* clang-format on */
