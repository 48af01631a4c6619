/* Prompts and completions. */
#include "everything.h"

static void begin_message(struct jsonw *w)
{
    jsonw_object(w);
    jsonw_kcstr(w, "role", "user");
    jsonw_key(w, "content");
}

static void reply_texts(struct mcp_call *call, struct str text)
{
    struct jsonw *w = mcp_reply_begin(call);
    jsonw_key(w, "messages");
    jsonw_array(w);
    begin_message(w);
    mcp_content_text(w, text);
    jsonw_end(w);
    jsonw_end(w);
    mcp_reply(call);
}

static void simple(struct mcp_call *call)
{
    reply_texts(call, STR("This is a simple prompt for testing."));
}

static void with_arguments(struct mcp_call *call)
{
    reply_texts(
        call, arena_printf(mcp_call_arena(call), "Prompt with arguments: arg1='%.*s', arg2='%.*s'",
                           STR_ARG(argument(call, "arg1")), STR_ARG(argument(call, "arg2"))));
}

static void with_resource(struct mcp_call *call)
{
    struct jsonw *w = mcp_reply_begin(call);
    jsonw_key(w, "messages");
    jsonw_array(w);
    begin_message(w);
    mcp_content_resource(w, argument(call, "resourceUri"), "text/plain",
                         STR("Embedded resource content for testing."));
    jsonw_end(w);
    begin_message(w);
    mcp_content_text(w, STR("Please process the embedded resource above."));
    jsonw_end(w);
    jsonw_end(w);
    mcp_reply(call);
}

static void with_image(struct mcp_call *call)
{
    struct jsonw *w = mcp_reply_begin(call);
    jsonw_key(w, "messages");
    jsonw_array(w);
    begin_message(w);
    mcp_content_image(w, tiny_png(), "image/png");
    jsonw_end(w);
    begin_message(w);
    mcp_content_text(w, STR("Please analyze the image above."));
    jsonw_end(w);
    jsonw_end(w);
    mcp_reply(call);
}

static void ask_first(struct mcp_call *call)
{
    const struct json *answer = mcp_ask_answer(call, "user_context", MCP_ASK_ELICITATION);
    if (!answer) {
        mcp_ask(call, "user_context", MCP_ASK_ELICITATION,
                STR("{\"message\":\"What context should the prompt "
                    "use?\",\"requestedSchema\":{\"type\":"
                    "\"object\",\"properties\":{\"context\":{\"type\":\"string\"}}}}"));
        mcp_ask_reply(call, STR(""));
        return;
    }
    struct str context = json_str(json_get(json_get(answer, STR("content")), STR("context")));
    reply_texts(call,
                arena_printf(mcp_call_arena(call), "Use this context: %.*s", STR_ARG(context)));
}

struct prompt {
    struct mcp_prompt def; /* first: a prompt of the library is one of ours */
    void (*get)(struct mcp_call *call);
};

static const struct mcp_argument two[] = {{"arg1", "First test argument", true},
                                          {"arg2", "Second test argument", true}};
static const struct mcp_argument uri[] = {{"resourceUri", "URI of the resource to embed", true}};

static const struct prompt all[] = {
    {{.name = "test_simple_prompt", .description = "A prompt without arguments."}, simple},
    {{.name = "test_prompt_with_arguments",
      .description = "A prompt with two arguments.",
      .arguments = two,
      .argument_count = 2},
     with_arguments},
    {{.name = "test_prompt_with_embedded_resource",
      .description = "A prompt with a resource in it.",
      .arguments = uri,
      .argument_count = 1},
     with_resource},
    {{.name = "test_prompt_with_image", .description = "A prompt with an image in it."},
     with_image},
    {{.name = "test_input_required_result_prompt", .description = "A prompt that asks first."},
     ask_first},
    {{.name = "test_dynamic_prompt", .description = "Comes and goes."}, simple},
};

const struct mcp_prompt *const prompts[] = {&all[0].def, &all[1].def, &all[2].def,
                                            &all[3].def, &all[4].def, &all[5].def};
const size_t prompt_count = sizeof prompts / sizeof *prompts;

void get_prompt(struct mcp_call *call, const struct mcp_prompt *prompt, void *ctx)
{
    (void)ctx;
    ((const struct prompt *)(const void *)prompt)->get(call);
}

void complete(struct mcp_call *call, const struct mcp_completion *ask, void *ctx)
{
    static const char *const words[] = {"paris", "park", "party"};
    struct str hits[3];
    size_t count = 0;
    (void)ctx;
    for (size_t i = 0; i < 3; i++)
        if (str_starts(str_from(words[i]), ask->value))
            hits[count++] = str_from(words[i]);
    mcp_reply_completion(call, hits, count);
}
