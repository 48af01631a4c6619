/* Tools that ask the client. Each is one function that runs again with the answers: the same code
 * serves clients of every revision (call.h). */
#include <string.h>

#include "everything.h"

#define FORM(message, properties)                                                                  \
    "{\"message\":\"" message                                                                      \
    "\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{" properties "}}}"
#define NAME_FORM FORM("What is your name?", "\"name\":{\"type\":\"string\"}")
#define SAMPLE                                                                                     \
    "{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"What is the "     \
    "capital of "                                                                                  \
    "France?\"}}],\"maxTokens\":100}"

static struct str content_of(const struct json *answer, const char *key)
{
    return json_str(json_get(json_get(answer, STR("content")), str_from(key)));
}

/* The user's action and values, as a text. */
static void reply_elicited(struct mcp_call *call, const struct json *answer)
{
    struct buf content = {0};
    struct jsonw w = jsonw_make(&content);
    if (json_get(answer, STR("content")))
        jsonw_value(&w, json_get(answer, STR("content")));
    mcp_reply_text(call,
                   arena_printf(mcp_call_arena(call), "User response: action=%.*s, content=%.*s",
                                STR_ARG(json_str(json_get(answer, STR("action")))),
                                STR_ARG(buf_str(&content))));
    buf_done(&content);
}

static void ask_form(struct mcp_call *call, struct str params)
{
    const struct json *answer = mcp_ask_answer(call, "form", MCP_ASK_ELICITATION);
    if (answer) {
        reply_elicited(call, answer);
        return;
    }
    mcp_ask(call, "form", MCP_ASK_ELICITATION, params);
    mcp_ask_reply(call, STR(""));
}

static void elicitation(struct mcp_call *call)
{
    struct buf params = {0};
    struct jsonw w = jsonw_make(&params);
    jsonw_object(&w);
    jsonw_kstr(&w, "message", argument(call, "message"));
    jsonw_key(&w, "requestedSchema");
    jsonw_raw(&w, STR("{\"type\":\"object\",\"properties\":{\"username\":{\"type\":\"string\","
                      "\"description\":\"User's response\"},\"email\":{\"type\":\"string\","
                      "\"description\":\"User's email address\"}},\"required\":[\"username\","
                      "\"email\"]}"));
    jsonw_end(&w);
    ask_form(call, buf_str(&params));
    buf_done(&params);
}

static void elicitation_defaults(struct mcp_call *call)
{
    ask_form(
        call,
        STR(FORM("Please review and update the form fields with defaults",
                 "\"name\":{\"type\":\"string\",\"default\":\"John Doe\"},"
                 "\"age\":{\"type\":\"integer\",\"default\":30},"
                 "\"score\":{\"type\":\"number\",\"default\":95.5},"
                 "\"status\":{\"type\":\"string\",\"enum\":[\"active\",\"inactive\",\"pending\"],"
                 "\"default\":\"active\"},"
                 "\"verified\":{\"type\":\"boolean\",\"default\":true}")));
}

static void elicitation_enums(struct mcp_call *call)
{
    ask_form(
        call,
        STR(FORM("Please select options",
                 "\"untitledSingle\":{\"type\":\"string\",\"enum\":[\"option1\",\"option2\","
                 "\"option3\"]},"
                 "\"titledSingle\":{\"type\":\"string\",\"oneOf\":[{\"const\":\"value1\",\"title\":"
                 "\"First Option\"},{\"const\":\"value2\",\"title\":\"Second Option\"},{\"const\":"
                 "\"value3\",\"title\":\"Third Option\"}]},"
                 "\"legacyEnum\":{\"type\":\"string\",\"enum\":[\"opt1\",\"opt2\",\"opt3\"],"
                 "\"enumNames\":[\"Option One\",\"Option Two\",\"Option Three\"]},"
                 "\"untitledMulti\":{\"type\":\"array\",\"items\":{\"type\":\"string\",\"enum\":["
                 "\"option1\",\"option2\",\"option3\"]}},"
                 "\"titledMulti\":{\"type\":\"array\",\"items\":{\"anyOf\":[{\"const\":\"value1\","
                 "\"title\":\"First Choice\"},{\"const\":\"value2\",\"title\":\"Second Choice\"},{"
                 "\"const\":\"value3\",\"title\":\"Third Choice\"}]}}")));
}

static void sampling(struct mcp_call *call)
{
    const struct json *answer = mcp_ask_answer(call, "sample", MCP_ASK_SAMPLING);
    if (answer) {
        mcp_reply_text(call, arena_printf(mcp_call_arena(call), "LLM response: %.*s",
                                          STR_ARG(content_of(answer, "text"))));
        return;
    }
    struct buf params = {0};
    struct jsonw w = jsonw_make(&params);
    jsonw_object(&w);
    jsonw_key(&w, "messages");
    jsonw_array(&w);
    jsonw_object(&w);
    jsonw_kcstr(&w, "role", "user");
    jsonw_key(&w, "content");
    mcp_content_text(&w, argument(call, "prompt"));
    jsonw_end(&w);
    jsonw_end(&w);
    jsonw_kint(&w, "maxTokens", 100);
    jsonw_end(&w);
    mcp_ask(call, "sample", MCP_ASK_SAMPLING, buf_str(&params));
    buf_done(&params);
    mcp_ask_reply(call, STR(""));
}

static void basic_elicitation(struct mcp_call *call)
{
    const struct json *answer = mcp_ask_answer(call, "user_name", MCP_ASK_ELICITATION);
    if (answer) {
        mcp_reply_text(call, arena_printf(mcp_call_arena(call), "Hello, %.*s!",
                                          STR_ARG(content_of(answer, "name"))));
        return;
    }
    mcp_ask(call, "user_name", MCP_ASK_ELICITATION, STR(NAME_FORM));
    mcp_ask_reply(call, STR(""));
}

static void basic_sampling(struct mcp_call *call)
{
    const struct json *answer = mcp_ask_answer(call, "capital_question", MCP_ASK_SAMPLING);
    if (answer) {
        mcp_reply_text(call, arena_printf(mcp_call_arena(call), "The model says: %.*s",
                                          STR_ARG(content_of(answer, "text"))));
        return;
    }
    mcp_ask(call, "capital_question", MCP_ASK_SAMPLING, STR(SAMPLE));
    mcp_ask_reply(call, STR(""));
}

static void basic_roots(struct mcp_call *call)
{
    const struct json *answer = mcp_ask_answer(call, "client_roots", MCP_ASK_ROOTS);
    if (answer) {
        mcp_reply_text(call, arena_printf(mcp_call_arena(call), "The client has %zu roots",
                                          json_count(json_get(answer, STR("roots")))));
        return;
    }
    mcp_ask(call, "client_roots", MCP_ASK_ROOTS, STR(""));
    mcp_ask_reply(call, STR(""));
}

static void request_state(struct mcp_call *call)
{
    if (mcp_ask_answer(call, "confirm", MCP_ASK_ELICITATION)) {
        mcp_reply_text(call, str_eq(mcp_ask_state(call), STR("round-1")) ? STR("state-ok")
                                                                         : STR("state-missing"));
        return;
    }
    mcp_ask(call, "confirm", MCP_ASK_ELICITATION,
            STR(FORM("Please confirm", "\"ok\":{\"type\":\"boolean\"}")));
    mcp_ask_reply(call, STR("round-1"));
}

static void multiple_inputs(struct mcp_call *call)
{
    const struct json *name = mcp_ask_answer(call, "user_name", MCP_ASK_ELICITATION);
    const struct json *greeting = mcp_ask_answer(call, "greeting", MCP_ASK_SAMPLING);
    const struct json *roots = mcp_ask_answer(call, "client_roots", MCP_ASK_ROOTS);
    if (name && greeting && roots) {
        mcp_reply_text(call, STR("All inputs received"));
        return;
    }
    mcp_ask(call, "user_name", MCP_ASK_ELICITATION, STR(NAME_FORM));
    mcp_ask(call, "greeting", MCP_ASK_SAMPLING, STR(SAMPLE));
    mcp_ask(call, "client_roots", MCP_ASK_ROOTS, STR(""));
    mcp_ask_reply(call, STR("waiting-for-three"));
}

static void multi_round(struct mcp_call *call)
{
    struct str state = mcp_ask_state(call);
    if (str_eq(state, STR("second")) && mcp_ask_answer(call, "step2", MCP_ASK_ELICITATION)) {
        mcp_reply_text(call, STR("Both rounds are done"));
    } else if (str_eq(state, STR("first")) && mcp_ask_answer(call, "step1", MCP_ASK_ELICITATION)) {
        mcp_ask(call, "step2", MCP_ASK_ELICITATION,
                STR(FORM("Step 2: your favourite colour?", "\"color\":{\"type\":\"string\"}")));
        mcp_ask_reply(call, STR("second"));
    } else {
        mcp_ask(call, "step1", MCP_ASK_ELICITATION, STR(NAME_FORM));
        mcp_ask_reply(call, STR("first"));
    }
}

/* Ask only for what the client supports. */
static void ask_by_capability(struct mcp_call *call)
{
    if (mcp_ask_answer(call, "user_name", MCP_ASK_ELICITATION) ||
        mcp_ask_answer(call, "greeting", MCP_ASK_SAMPLING)) {
        mcp_reply_text(call, STR("Thank you"));
        return;
    }
    if (mcp_call_client_can(call, MCP_CAN_ELICIT))
        mcp_ask(call, "user_name", MCP_ASK_ELICITATION, STR(NAME_FORM));
    if (mcp_call_client_can(call, MCP_CAN_SAMPLE))
        mcp_ask(call, "greeting", MCP_ASK_SAMPLING, STR(SAMPLE));
    if (mcp_call_client_can(call, MCP_CAN_ELICIT) || mcp_call_client_can(call, MCP_CAN_SAMPLE))
        mcp_ask_reply(call, STR(""));
    else
        mcp_reply_text(call, STR("The client can be asked nothing"));
}

static bool streaming_step(struct mcp_call *call, int n)
{
    mcp_call_progress(call, n + 1, 3, NULL);
    if (n < 2)
        return true;
    mcp_reply_text(call, STR("Streamed without a question"));
    return false;
}

static void streaming_elicitation(struct mcp_call *call)
{
    run_steps(call, 20, streaming_step);
}

#define TEXT_SCHEMA(name, what)                                                                    \
    "{\"type\":\"object\",\"properties\":{\"" name                                                 \
    "\":{\"type\":\"string\",\"description\":\"" what "\"}},\"required\":[\"" name                 \
    "\"],\"additionalProperties\":false}"

#define TOOL(n, what, schema, fn)                                                                  \
    {                                                                                              \
        {.name = n,                                                                                \
         .description = what,                                                                      \
         .input_schema = schema,                                                                   \
         .annotations = {.read_only = true, .open_world = true}},                                  \
            fn                                                                                     \
    }

const struct tool_row asking_tools[] = {
    TOOL("test_sampling", "Asks the client's model.",
         TEXT_SCHEMA("prompt", "What to ask the model"), sampling),
    TOOL("test_elicitation", "Asks the user for a name and an address.",
         TEXT_SCHEMA("message", "What to show the user"), elicitation),
    TOOL("test_elicitation_sep1034_defaults", "Asks with default values.", NO_ARGUMENTS,
         elicitation_defaults),
    TOOL("test_elicitation_sep1330_enums", "Asks with every kind of choice.", NO_ARGUMENTS,
         elicitation_enums),
    TOOL("test_streaming_elicitation", "Streams, and asks nothing.", NO_ARGUMENTS,
         streaming_elicitation),
    TOOL("test_input_required_result_elicitation", "Asks the user for a name.", NO_ARGUMENTS,
         basic_elicitation),
    TOOL("test_input_required_result_sampling", "Asks the model for a capital.", NO_ARGUMENTS,
         basic_sampling),
    TOOL("test_input_required_result_list_roots", "Asks for the client's roots.", NO_ARGUMENTS,
         basic_roots),
    TOOL("test_input_required_result_request_state", "Keeps a state between two rounds.",
         NO_ARGUMENTS, request_state),
    TOOL("test_input_required_result_tampered_state", "Refuses a state that was changed.",
         NO_ARGUMENTS, request_state),
    TOOL("test_input_required_result_multiple_inputs", "Asks three things at once.", NO_ARGUMENTS,
         multiple_inputs),
    TOOL("test_input_required_result_multi_round", "Asks twice.", NO_ARGUMENTS, multi_round),
    TOOL("test_input_required_result_capabilities", "Asks only what the client can answer.",
         NO_ARGUMENTS, ask_by_capability),
};
const size_t asking_tool_count = sizeof asking_tools / sizeof *asking_tools;
