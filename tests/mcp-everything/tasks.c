/* Tools that continue as tasks, which the client can follow. */
#include "everything.h"
#include "mcp/rpc.h"

static void greet(struct mcp_call *call)
{
    mcp_reply_text(
        call, arena_printf(mcp_call_arena(call), "Hello, %.*s!", STR_ARG(argument(call, "name"))));
}

static int64_t seconds_of(const struct mcp_call *call)
{
    int64_t seconds = 0;
    json_i64(json_get(mcp_call_arguments(call), STR("seconds")), &seconds);
    return seconds < 0 ? 0 : seconds > 600 ? 600 : seconds;
}

static bool compute_step(struct mcp_call *call, int n)
{
    int64_t steps = seconds_of(call) * 10;
    if (n < steps) {
        mcp_call_progress(call, n + 1, (double)steps, "computing");
        return true;
    }
    mcp_reply_text(call, arena_printf(mcp_call_arena(call), "Computed %.*s",
                                      STR_ARG(argument(call, "label"))));
    return false;
}

static void slow_compute(struct mcp_call *call)
{
    mcp_task_start(call, &(struct mcp_task_options){.poll_ms = 200});
    run_steps(call, 100, compute_step);
}

static bool failing_step(struct mcp_call *call, int n)
{
    if (n == 0)
        return true;
    mcp_reply_tool_error(call, "The job failed on purpose");
    return false;
}

static void failing_job(struct mcp_call *call)
{
    mcp_task_start(call, &(struct mcp_task_options){.poll_ms = 200});
    run_steps(call, 500, failing_step);
}

static bool protocol_error_step(struct mcp_call *call, int n)
{
    if (n == 0)
        return true;
    mcp_reply_error(call, RPC_INTERNAL_ERROR, "The job broke the protocol on purpose");
    return false;
}

static void protocol_error_job(struct mcp_call *call)
{
    mcp_task_start(call, &(struct mcp_task_options){.poll_ms = 200});
    run_steps(call, 200, protocol_error_step);
}

#define CONFIRM                                                                                    \
    "{\"message\":\"Are you "                                                                      \
    "sure?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"confirm\":"                \
    "{\"type\":\"boolean\"}}}}"

static void confirm_delete(struct mcp_call *call)
{
    mcp_task_start(call, NULL);
    const struct json *answer = mcp_ask_answer(call, "confirm", MCP_ASK_ELICITATION);
    if (!answer) {
        mcp_ask(call, "confirm", MCP_ASK_ELICITATION, STR(CONFIRM));
        mcp_ask_reply(call, STR(""));
        return;
    }
    bool yes = json_bool(json_get(json_get(answer, STR("content")), STR("confirm")));
    mcp_reply_text(call, arena_printf(mcp_call_arena(call), "%s %.*s", yes ? "Deleted" : "Kept",
                                      STR_ARG(argument(call, "filename"))));
}

static void multi_input(struct mcp_call *call)
{
    mcp_task_start(call, NULL);
    if (!mcp_ask_answer(call, "first", MCP_ASK_ELICITATION) ||
        !mcp_ask_answer(call, "second", MCP_ASK_ELICITATION)) {
        mcp_ask(call, "first", MCP_ASK_ELICITATION, STR(CONFIRM));
        mcp_ask(call, "second", MCP_ASK_ELICITATION, STR(CONFIRM));
        mcp_ask_reply(call, STR(""));
        return;
    }
    mcp_reply_text(call, STR("Both answers are there"));
}

/* Asks for the name first; the work that uses it is the task. */
static bool name_step(struct mcp_call *call, int n)
{
    const struct json *who = mcp_ask_answer(call, "user_name", MCP_ASK_ELICITATION);
    if (n < 2)
        return true;
    mcp_reply_text(
        call,
        arena_printf(mcp_call_arena(call), "Done for %.*s",
                     STR_ARG(json_str(json_get(json_get(who, STR("content")), STR("name"))))));
    return false;
}

static void tool_with_task(struct mcp_call *call)
{
    if (!mcp_ask_answer(call, "user_name", MCP_ASK_ELICITATION)) {
        mcp_ask(call, "user_name", MCP_ASK_ELICITATION,
                STR("{\"message\":\"What is your name?\",\"requestedSchema\":{\"type\":\"object\","
                    "\"properties\":{\"name\":{\"type\":\"string\"}}}}"));
        mcp_ask_reply(call, STR(""));
        return;
    }
    mcp_task_start(call, NULL);
    run_steps(call, 100, name_step);
}

#define TEXT(name, what) "\"" name "\":{\"type\":\"string\",\"description\":\"" what "\"}"
#define OBJECT(properties)                                                                         \
    "{\"type\":\"object\",\"properties\":{" properties "},\"additionalProperties\":false}"

const struct tool_row task_tools[] = {
    {{.name = "greet",
      .description = "Greets at once.",
      .input_schema = OBJECT(TEXT("name", "Whom to greet")),
      .annotations = {.read_only = true, .idempotent = true}},
     greet},
    {{.name = "slow_compute",
      .description = "Computes for some seconds.",
      .input_schema =
          OBJECT("\"seconds\":{\"type\":\"integer\",\"description\":\"How long\"}," TEXT(
              "label", "What to call it")),
      .annotations = {.read_only = true},
      .task = MCP_TASK_OPTIONAL},
     slow_compute},
    {{.name = "failing_job",
      .description = "Fails after a while.",
      .input_schema = NO_ARGUMENTS,
      .annotations = {.read_only = true},
      .task = MCP_TASK_REQUIRED},
     failing_job},
    {{.name = "protocol_error_job",
      .description = "Ends in a protocol error after a while.",
      .input_schema = NO_ARGUMENTS,
      .annotations = {.read_only = true},
      .task = MCP_TASK_OPTIONAL},
     protocol_error_job},
    {{.name = "confirm_delete",
      .description = "Asks before it deletes (nothing is deleted).",
      .input_schema = OBJECT(TEXT("filename", "What to delete")),
      .annotations = {.destructive = true},
      .task = MCP_TASK_OPTIONAL},
     confirm_delete},
    {{.name = "multi_input",
      .description = "Asks two things at once.",
      .input_schema = NO_ARGUMENTS,
      .annotations = {.read_only = true},
      .task = MCP_TASK_OPTIONAL},
     multi_input},
    {{.name = "test_tool_with_task",
      .description = "Asks for a name, then works for it as a task.",
      .input_schema = NO_ARGUMENTS,
      .annotations = {.read_only = true},
      .task = MCP_TASK_OPTIONAL},
     tool_with_task},
};
const size_t task_tool_count = sizeof task_tools / sizeof *task_tools;
