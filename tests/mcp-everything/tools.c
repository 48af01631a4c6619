/* Tools that finish at once, or with progress and messages on the way. */
#include <stdlib.h>

#include "base/mem.h"
#include "everything.h"
#include "mcp/rpc.h"

struct str argument(const struct mcp_call *call, const char *name)
{
    return json_str(json_get(mcp_call_arguments(call), str_from(name)));
}

struct str tiny_png(void)
{
    static const unsigned char png[] = {
        0x89, 'P',  'N',  'G',  '\r', '\n', 0x1a, '\n', 0,   0,   0,    13,   'I',  'H',
        'D',  'R',  0,    0,    0,    1,    0,    0,    0,   1,   8,    6,    0,    0,
        0,    0x1f, 0x15, 0xc4, 0x89, 0,    0,    0,    13,  'I', 'D',  'A',  'T',  0x78,
        0x9c, 0x63, 0xf8, 0xcf, 0xc0, 0xf0, 0x1f, 0,    5,   0,   1,    0xff, 0x56, 0xc7,
        0x2f, 0x0d, 0,    0,    0,    0,    'I',  'E',  'N', 'D', 0xae, 0x42, 0x60, 0x82,
    };
    return str_make((const char *)png, sizeof png);
}

struct str tiny_wav(void)
{
    static const unsigned char wav[] = {
        'R', 'I', 'F', 'F', 38,  0,   0,   0,   'W',  'A',  'V', 'E', 'f',  'm',  't', ' ',
        16,  0,   0,   0,   1,   0,   1,   0,   0x40, 0x1f, 0,   0,   0x80, 0x3e, 0,   0,
        2,   0,   16,  0,   'd', 'a', 't', 'a', 2,    0,    0,   0,   0,    0,
    };
    return str_make((const char *)wav, sizeof wav);
}

/* ---- steps in time */

struct tool_steps {
    struct mcp_call *call;
    struct timer timer;
    step_fn *step;
    uint64_t ms;
    int n;
};

static void on_step(void *ctx)
{
    struct tool_steps *s = ctx;
    struct loop *loop = mcp_call_loop(s->call);
    if (s->step(s->call, s->n++)) {
        timer_start(&s->timer, loop, s->ms, on_step, s);
        return;
    }
    free(s);
}

static void on_steps_cancelled(void *ctx)
{
    struct tool_steps *s = ctx;
    struct mcp_call *call = s->call;
    timer_stop(&s->timer);
    free(s);
    mcp_reply_tool_error(call, "cancelled");
}

void run_steps(struct mcp_call *call, uint64_t ms, step_fn *step)
{
    struct tool_steps *s = mem_zalloc(sizeof *s);
    s->call = call;
    s->step = step;
    s->ms = ms;
    mcp_call_on_cancel(call, on_steps_cancelled, s);
    timer_start(&s->timer, mcp_call_loop(call), 0, on_step, s);
}

/* ---- the tools */

static void simple_text(struct mcp_call *call)
{
    mcp_reply_text(call, STR("This is a simple text response for testing."));
}

static void image(struct mcp_call *call)
{
    struct jsonw *w = mcp_reply_begin(call);
    mcp_content_begin(w);
    mcp_content_image(w, tiny_png(), "image/png");
    mcp_content_end(w);
    mcp_reply(call);
}

static void audio(struct mcp_call *call)
{
    struct jsonw *w = mcp_reply_begin(call);
    mcp_content_begin(w);
    mcp_content_audio(w, tiny_wav(), "audio/wav");
    mcp_content_end(w);
    mcp_reply(call);
}

static void embedded_resource(struct mcp_call *call)
{
    struct jsonw *w = mcp_reply_begin(call);
    mcp_content_begin(w);
    mcp_content_resource(w, STR("test://embedded-resource"), "text/plain",
                         STR("This is an embedded resource content."));
    mcp_content_end(w);
    mcp_reply(call);
}

static void multiple_content(struct mcp_call *call)
{
    struct jsonw *w = mcp_reply_begin(call);
    mcp_content_begin(w);
    mcp_content_text(w, STR("Multiple content types test:"));
    mcp_content_image(w, tiny_png(), "image/png");
    mcp_content_resource(w, STR("test://mixed-content-resource"), "application/json",
                         STR("{\"test\":\"data\",\"value\":123}"));
    mcp_content_end(w);
    mcp_reply(call);
}

static void error_handling(struct mcp_call *call)
{
    mcp_reply_tool_error(call, "This tool intentionally returns an error for testing");
}

static void structured(struct mcp_call *call)
{
    struct str name = argument(call, "name");
    if (!name.n) {
        mcp_reply_tool_error(call, "name is missing: give the name to measure");
        return;
    }
    struct buf out = {0};
    struct jsonw w = jsonw_make(&out);
    jsonw_object(&w);
    jsonw_kstr(&w, "name", name);
    jsonw_kint(&w, "bytes", (int64_t)name.n);
    jsonw_end(&w);
    mcp_reply_json(call, buf_str(&out), false);
    buf_done(&out);
}

static bool progress_step(struct mcp_call *call, int n)
{
    mcp_call_progress(call, n * 50, 100, n == 0 ? "started" : n == 1 ? "half way" : "done");
    if (n < 2)
        return true;
    mcp_reply_text(call, STR("Tool with progress executed successfully"));
    return false;
}

static void with_progress(struct mcp_call *call)
{
    run_steps(call, 120, progress_step);
}

static bool logging_step(struct mcp_call *call, int n)
{
    static const char *const texts[] = {"Tool execution started", "Tool processing data",
                                        "Tool execution completed"};
    mcp_call_log(call, MCP_LOG_INFO, "everything", str_from(texts[n]));
    if (n < 2)
        return true;
    mcp_reply_text(call, STR("Tool with logging executed successfully"));
    return false;
}

static void with_logging(struct mcp_call *call)
{
    run_steps(call, 20, logging_step);
}

static bool reconnection_step(struct mcp_call *call, int n)
{
    if (n == 0) {
        mcp_call_close_stream(call, 300);
        return true;
    }
    mcp_reply_text(call, STR("Reconnection test completed: the answer came on the new stream"));
    return false;
}

static void reconnection(struct mcp_call *call)
{
    run_steps(call, 100, reconnection_step);
}

/* Never finishes by itself: for tests of cancelling, closing and stopping. */
static bool wait_step(struct mcp_call *call, int n)
{
    mcp_call_progress(call, n, 0, "waiting");
    return true;
}

static void wait_forever(struct mcp_call *call)
{
    run_steps(call, 50, wait_step);
}

static void schema_2020_12(struct mcp_call *call)
{
    mcp_reply_text(call, STR("ok"));
}

static void custom_header(struct mcp_call *call)
{
    mcp_reply_text(call, arena_printf(mcp_call_arena(call), "region: %.*s",
                                      STR_ARG(argument(call, "region"))));
}

static void missing_capability(struct mcp_call *call)
{
    if (mcp_call_require(call, MCP_CAN_SAMPLE))
        mcp_reply_text(call, STR("The client can sample"));
}

static void trigger_tool_change(struct mcp_call *call)
{
    mcp_reply_text(call, STR("The list of tools has changed"));
    toggle_tool();
}

static void trigger_prompt_change(struct mcp_call *call)
{
    mcp_reply_text(call, STR("The list of prompts has changed"));
    toggle_prompt();
}

static void trigger_resource_update(struct mcp_call *call)
{
    mcp_reply_text(call, STR("The watched resource has changed"));
    touch_watched();
}

static void count_open_calls(struct mcp_call *call)
{
    struct buf out = {0};
    struct jsonw w = jsonw_make(&out);
    jsonw_object(&w);
    jsonw_kint(&w, "open", (int64_t)open_calls() - 1);
    jsonw_end(&w);
    mcp_reply_json(call, buf_str(&out), false);
    buf_done(&out);
}

#define READ_ONLY                                                                                  \
    {                                                                                              \
        .read_only = true, .idempotent = true                                                      \
    }

#define SCHEMA_2020_12                                                                             \
    "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"type\":\"object\","           \
    "\"$defs\":{\"address\":{\"$anchor\":\"addressDef\",\"type\":\"object\",\"properties\":{"      \
    "\"street\":{\"type\":\"string\"},\"city\":{\"type\":\"string\"}}}},"                          \
    "\"properties\":{\"name\":{\"type\":\"string\"},\"address\":{\"$ref\":\"#/$defs/address\"},"   \
    "\"contactMethod\":{\"type\":\"string\",\"enum\":[\"phone\",\"email\"]},"                      \
    "\"phone\":{\"type\":\"string\"},\"email\":{\"type\":\"string\"}},"                            \
    "\"allOf\":[{\"anyOf\":[{\"required\":[\"phone\"]},{\"required\":[\"email\"]}]}],"             \
    "\"if\":{\"properties\":{\"contactMethod\":{\"const\":\"phone\"}},\"required\":["              \
    "\"contactMethod\"]},"                                                                         \
    "\"then\":{\"required\":[\"phone\"]},\"else\":{\"required\":[\"email\"]},"                     \
    "\"additionalProperties\":false}"

#define NAME_SCHEMA                                                                                \
    "{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\",\"description\":\"The "    \
    "name "                                                                                        \
    "to measure\"}},\"required\":[\"name\"],\"additionalProperties\":false}"
#define NAME_RESULT                                                                                \
    "{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"},\"bytes\":{\"type\":"     \
    "\"integer\"}},\"required\":[\"name\",\"bytes\"],\"additionalProperties\":false}"
#define OPEN_RESULT                                                                                \
    "{\"type\":\"object\",\"properties\":{\"open\":{\"type\":\"integer\"}},\"required\":["         \
    "\"open\"],"                                                                                   \
    "\"additionalProperties\":false}"
#define REGION_SCHEMA                                                                              \
    "{\"type\":\"object\",\"properties\":{\"region\":{\"type\":\"string\",\"description\":"        \
    "\"Where to "                                                                                  \
    "run\",\"x-mcp-header\":\"Region\"}},\"additionalProperties\":false}"

#define TOOL(n, what, schema, fn)                                                                  \
    {                                                                                              \
        {.name = n, .description = what, .input_schema = schema, .annotations = READ_ONLY}, fn     \
    }

const struct tool_row simple_tools[] = {
    TOOL("test_simple_text", "Returns one text block.", NO_ARGUMENTS, simple_text),
    TOOL("test_image_content", "Returns an image.", NO_ARGUMENTS, image),
    TOOL("test_audio_content", "Returns a sound.", NO_ARGUMENTS, audio),
    TOOL("test_embedded_resource", "Returns an embedded resource.", NO_ARGUMENTS,
         embedded_resource),
    TOOL("test_multiple_content_types", "Returns text, an image and a resource.", NO_ARGUMENTS,
         multiple_content),
    TOOL("test_error_handling", "Always fails, with a tool error.", NO_ARGUMENTS, error_handling),
    {{.name = "test_structured_content",
      .title = "Structured content",
      .description = "Returns an object that satisfies its output schema.",
      .input_schema = NAME_SCHEMA,
      .output_schema = NAME_RESULT,
      .annotations = READ_ONLY},
     structured},
    TOOL("test_tool_with_progress", "Reports progress three times.", NO_ARGUMENTS, with_progress),
    TOOL("test_tool_with_logging", "Sends three log messages.", NO_ARGUMENTS, with_logging),
    TOOL("test_logging_tool", "Sends log messages only to clients that asked for them.",
         NO_ARGUMENTS, with_logging),
    TOOL("test_reconnection", "Closes its stream; the result is fetched on a new one.",
         NO_ARGUMENTS, reconnection),
    TOOL("test_wait", "Never finishes: for tests of cancelling.", NO_ARGUMENTS, wait_forever),
    TOOL("json_schema_2020_12_tool", "Has a schema with the keywords of 2020-12.", SCHEMA_2020_12,
         schema_2020_12),
    TOOL("test_custom_header", "Has an argument that is repeated in an HTTP header.", REGION_SCHEMA,
         custom_header),
    TOOL("test_missing_capability", "Needs a client that can sample.", NO_ARGUMENTS,
         missing_capability),
    {{.name = "test_trigger_tool_change",
      .description = "Adds or removes a tool.",
      .input_schema = NO_ARGUMENTS},
     trigger_tool_change},
    {{.name = "test_trigger_prompt_change",
      .description = "Adds or removes a prompt.",
      .input_schema = NO_ARGUMENTS},
     trigger_prompt_change},
    {{.name = "test_trigger_resource_update",
      .description = "Changes test://watched-resource.",
      .input_schema = NO_ARGUMENTS},
     trigger_resource_update},
    {{.name = "test_open_calls",
      .description = "Counts the calls without a result, except this one.",
      .input_schema = NO_ARGUMENTS,
      .output_schema = OPEN_RESULT,
      .annotations = {.read_only = true}},
     count_open_calls},
};
const size_t simple_tool_count = sizeof simple_tools / sizeof *simple_tools;
