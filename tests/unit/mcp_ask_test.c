/* Round trips to the client: ask.c, whose manual is call.h. */
#include "base/base64.h"
#include "base/rfc3339.h"
#include "base/sha256.h"
#include "mcp_fixture.h"

#define CAN_ELICIT           "{'elicitation':{}}"
#define WHO                  "{'message':'Who?'}"
#define QUESTION(id)         "... {'id':" id ",'method':'elicitation/create','params':" WHO "}\n"
#define RESPONSE(id, result) "{'jsonrpc':'2.0','id':" id ",'result':" result "}"
#define ACCEPT(name)         "{'action':'accept','content':{'name':'" name "'}}"

/* ---- legacy: the library asks the client */

TEST(a_legacy_client_is_asked_and_the_tool_runs_again)
{
    struct fixture f;
    set_up(&f);
    struct mcp_session *s = open_session(&f, CAN_ELICIT);
    ask(&f, s, "1", "tools/call", "{'name':'ask'}");
    HEARD(&f, QUESTION("1"));
    say(&f, s, RESPONSE("1", ACCEPT("Ann")));
    HEARD(&f, "200 {'id':1,'result':{'content':[{'type':'text','text':'asked, Ann'}]}}\n");
    assert_int_equal(f.runs, 2);
    say(&f, s, RESPONSE("1", ACCEPT("Bob"))); /* once is enough */
    HEARD(&f, "");
    assert_int_equal(f.runs, 2);
    tear_down(&f);
}

TEST(unexpected_answers_are_ignored)
{
    static const char *const messages[] = {
        RESPONSE("2", ACCEPT("Eve")),
        RESPONSE("'1'", ACCEPT("Eve")),
        RESPONSE("0", ACCEPT("Eve")),
        RESPONSE("-1", ACCEPT("Eve")),
        "{'jsonrpc':'2.0','id':null,'error':{'code':1}}",
        "{'jsonrpc':'2.0','error':{'code':1}}",
    };
    struct fixture f;
    set_up(&f);
    struct mcp_session *s = open_session(&f, CAN_ELICIT), *other = open_session(&f, CAN_ELICIT);
    ask(&f, s, "1", "tools/call", "{'name':'ask'}");
    buf_clear(&f.heard);
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++)
        say(&f, s, messages[i]);
    say(&f, other, RESPONSE("1", ACCEPT("Eve"))); /* it was not asked */
    HEARD(&f, "");
    assert_int_equal(f.runs, 1);
    say(&f, s, RESPONSE("1", ACCEPT("Ann")));
    HEARD(&f, "200 {'id':1,'result':{'content':[{'type':'text','text':'asked, Ann'}]}}\n");
    tear_down(&f);
}

TEST(an_answer_of_the_wrong_shape_is_ignored)
{
    static const char *const shapes[] = {
        "null",
        "1",
        "[]",
        "{}",
        "{'action':'yes'}",
        "{'action':1}",
        "{'action':'accept','content':1}",
        "{'content':{'name':'x'}}",
    };
    struct fixture f;
    char id[16], text[200];
    int n = 1;
    set_up(&f);
    struct mcp_session *s = open_session(&f, CAN_ELICIT);
    ask(&f, s, "1", "tools/call", "{'name':'ask'}");
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        snprintf(id, sizeof id, "%d", n++);
        snprintf(text, sizeof text, "{'jsonrpc':'2.0','id':%s,'result':%s}", id, shapes[i]);
        buf_clear(&f.heard);
        say(&f, s, text);
        snprintf(text, sizeof text, QUESTION("%d"), n);
        HEARD(&f, text);
    }
    snprintf(text, sizeof text, RESPONSE("%d", "{'action':'decline'}"), n);
    say(&f, s, text);
    HEARD(&f, "200 {'id':1,'result':{'content':[{'type':'text','text':'asked, '}]}}\n");
    tear_down(&f);
}

TEST(answers_are_checked_for_their_shape)
{
    static const struct {
        enum mcp_ask_kind kind;
        const char *text;
        bool ok;
    } cases[] = {
        {MCP_ASK_ELICITATION, "{\"action\":\"accept\",\"content\":{}}", true},
        {MCP_ASK_ELICITATION, "{\"action\":\"accept\"}", true},
        {MCP_ASK_ELICITATION, "{\"action\":\"accept\",\"content\":[]}", false},
        {MCP_ASK_ELICITATION, "{\"action\":\"decline\",\"content\":null}", true},
        {MCP_ASK_ELICITATION, "{\"action\":\"cancel\"}", true},
        {MCP_ASK_ELICITATION, "{\"action\":\"\"}", false},
        {MCP_ASK_ELICITATION, "{\"roots\":[]}", false},
        {MCP_ASK_SAMPLING, "{\"role\":\"assistant\",\"content\":{\"type\":\"text\"}}", true},
        {MCP_ASK_SAMPLING, "{\"role\":\"assistant\",\"content\":[]}", true},
        {MCP_ASK_SAMPLING, "{\"role\":1,\"content\":{}}", false},
        {MCP_ASK_SAMPLING, "{\"role\":\"assistant\"}", false},
        {MCP_ASK_ROOTS, "{\"roots\":[]}", true},
        {MCP_ASK_ROOTS, "{\"roots\":{}}", false},
        {MCP_ASK_ROOTS, "[]", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena a = {0};
        const struct json *v = json_parse(&a, str_from(cases[i].text), NULL, NULL);
        assert_non_null(v);
        if (mcp_ask_is_answer(v, cases[i].kind) != cases[i].ok)
            fail_msg("%s", cases[i].text);
        arena_done(&a);
    }
    assert_false(mcp_ask_is_answer(NULL, MCP_ASK_ELICITATION));
}

TEST(a_client_that_never_answers_correctly_is_asked_a_limited_number_of_times)
{
    struct fixture f;
    char text[100];
    set_up(&f);
    struct mcp_session *s = open_session(&f, CAN_ELICIT);
    ask(&f, s, "1", "tools/call", "{'name':'ask'}");
    for (int i = 1; i <= MCP_MAX_ROUNDS; i++) {
        snprintf(text, sizeof text, RESPONSE("%d", "{}"), i);
        say(&f, s, text);
    }
    assert_int_equal(count(&f, "elicitation/create"), MCP_MAX_ROUNDS + 1);
    buf_clear(&f.heard);
    snprintf(text, sizeof text, RESPONSE("%d", "{}"), MCP_MAX_ROUNDS + 1);
    say(&f, s, text);
    HEARD(&f, "200 {'id':1,'error':{'code':-32603,'message':'The client was asked 16 times without "
              "a usable answer'}}\n");
    tear_down(&f);
}

TEST(a_client_that_refuses_ends_the_call)
{
    struct fixture f;
    set_up(&f);
    struct mcp_session *s = open_session(&f, CAN_ELICIT);
    ask(&f, s, "1", "tools/call", "{'name':'ask'}");
    buf_clear(&f.heard);
    say(&f, s, "{'jsonrpc':'2.0','id':1,'error':{'code':-1,'message':'no user here'}}");
    HEARD(&f, "200 {'id':1,'result':{'content':[{'type':'text','text':'The client answered "
              "elicitation/create with an error: no user here'}],'isError':true}}\n");
    ask(&f, s, "2", "tools/call", "{'name':'ask'}");
    buf_clear(&f.heard);
    say(&f, s, "{'jsonrpc':'2.0','id':2,'error':7}");
    HEARD(&f, "200 {'id':2,'result':{'content':[{'type':'text','text':'The client answered "
              "elicitation/create with an error: '}],'isError':true}}\n");
    assert_int_equal(mcp_open_calls(f.mcp), 0);
    tear_down(&f);
}

TEST(a_client_that_cannot_be_asked_gets_an_error)
{
    struct fixture f;
    set_up(&f);
    struct mcp_session *s = open_session(&f, "{'sampling':{},'elicitation':{'url':{}}}");
    ask(&f, s, "1", "tools/call", "{'name':'ask'}");
    HEARD(&f, "200 {'id':1,'result':{'content':[{'type':'text','text':'This needs a client "
              "capability that was not declared: {\\'elicitation\\':{}}'}],'isError':true}}\n");
    ask(&f, NULL, "1", "tools/call", "{'name':'ask'," MODERN("{}") "}");
    HEARD(&f, "400 {'id':1,'error':{'code':-32021,'message':'This needs a client capability that "
              "was not declared: see requiredCapabilities','data':{'requiredCapabilities':"
              "{'elicitation':{}}}}}\n");
    tear_down(&f);
}

/* While the client is asked, the program does not own the call. */
TEST(a_cancel_while_asking_frees_the_call)
{
    struct fixture f;
    set_up(&f);
    struct mcp_session *s = open_session(&f, CAN_ELICIT);
    ask(&f, s, "1", "tools/call", "{'name':'ask'}");
    buf_clear(&f.heard);
    say(&f, s, "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':1}}");
    HEARD(&f, "202\n");
    assert_int_equal(mcp_open_calls(f.mcp), 0);
    say(&f, s, RESPONSE("1", ACCEPT("Ann")));
    HEARD(&f, "");
    assert_int_equal(f.runs, 1);

    ask(&f, s, "2", "tools/call", "{'name':'ask'}");
    buf_clear(&f.heard);
    mcp_session_end(s);
    HEARD(&f, "404 {'id':2,'error':{'code':-32603,'message':'The session has ended: send "
              "initialize again'}}\n");
    assert_int_equal(mcp_open_calls(f.mcp), 0);
    tear_down(&f);
}

/* The program owns the call between mcp_ask and mcp_ask_reply; later, on_cancel is not called. */
TEST(questions_may_be_prepared_over_time)
{
    struct fixture f;
    set_up(&f);
    struct mcp_session *s = open_session(&f, CAN_ELICIT);
    ask(&f, s, "1", "tools/call", "{'name':'hold'}");
    mcp_ask(f.held[0], "k", MCP_ASK_ELICITATION, STR(""));
    say(&f, s, "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':1}}");
    assert_int_equal(f.cancelled, 1);
    mcp_ask_reply(f.held[0], STR(""));
    HEARD(&f, "202\n");
    assert_int_equal(mcp_open_calls(f.mcp), 0);

    ask(&f, s, "2", "tools/call", "{'name':'hold'}");
    mcp_ask(f.held[1], "k", MCP_ASK_ELICITATION, STR(""));
    mcp_ask_reply(f.held[1], STR(""));
    HEARD(&f, "... {'id':1,'method':'elicitation/create','params':{}}\n");
    say(&f, s, "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':2}}");
    assert_int_equal(f.cancelled, 1);
    assert_int_equal(mcp_open_calls(f.mcp), 0);
    tear_down(&f);
}

TEST(on_cancel_set_before_a_question_is_not_called_after_it)
{
    struct fixture f;
    set_up(&f);
    struct mcp_session *s = open_session(&f, CAN_ELICIT);
    ask(&f, s, "1", "tools/call", "{'name':'hold'}");
    mcp_ask(f.held[0], "k", MCP_ASK_ELICITATION, STR(""));
    mcp_ask_reply(f.held[0], STR(""));
    say(&f, s, RESPONSE("1", ACCEPT("Ann")));
    assert_int_equal(f.held_count, 2); /* run again, and held without mcp_call_on_cancel */
    say(&f, s, "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':1}}");
    assert_int_equal(f.cancelled, 0);
    assert_true(mcp_call_is_cancelled(f.held[1]));
    mcp_reply_text(f.held[1], STR("late"));
    tear_down(&f);
}

TEST(asking_nothing_is_an_error)
{
    struct fixture f;
    set_up(&f);
    struct mcp_session *s = open_session(&f, CAN_ELICIT);
    ask(&f, s, "1", "tools/call", "{'name':'hold'}");
    mcp_ask_reply(f.held[0], STR("state"));
    HEARD(&f, "200 {'id':1,'error':{'code':-32603,'message':'The server ended a round of questions "
              "without a question'}}\n");
    tear_down(&f);
}

/* ---- modern: the client repeats the request with a sealed state */

/* Return the requestState of the last answer. */
static void take_state(struct fixture *f, struct buf *to)
{
    struct str mark = STR("'requestState':'"), rest = buf_str(&f->heard), state;
    size_t at = str_find(rest, mark);
    assert_true(at < rest.n);
    rest = str_skip(rest, at + mark.n);
    str_cut(&rest, '\'', &state);
    buf_clear(to);
    buf_add(to, state);
    buf_clear(&f->heard);
}

static void ask_with(struct fixture *f, const char *tool, struct str state)
{
    struct buf params = {0};
    buf_printf(&params,
               "{'name':'%s','requestState':'%.*s','inputResponses':{'who':" ACCEPT(
                   "Ann") "}," MODERN(CAN_ELICIT) "}",
               tool, STR_ARG(state));
    ask(f, NULL, "2", "tools/call", params.p);
    buf_done(&params);
}

#define NOT_OURS                                                                                   \
    "200 {'id':2,'error':{'code':-32602,'message':'requestState was changed, is too old, "         \
    "or is not from this server: start the call again'}}\n"
#define ANN                                                                                        \
    "200 {'id':2,'result':{'resultType':'complete',META,'content':[{'type':'text','text':'asked, " \
    "Ann'}]}}\n"

TEST(a_modern_client_repeats_its_request)
{
    struct fixture f;
    struct buf sealed = {0};
    set_up(&f);
    ask(&f, NULL, "1", "tools/call", "{'name':'ask'," MODERN(CAN_ELICIT) "}");
    assert_int_equal(count(&f, "200 {'id':1,'result':{'resultType':'input_required','inputRequests'"
                               ":{'who':{'method':'elicitation/create','params':{'message':'Who?'}"
                               "}},'requestState':'"),
                     1);
    assert_int_equal(mcp_open_calls(f.mcp), 0); /* nothing is kept */
    take_state(&f, &sealed);
    ask_with(&f, "ask", buf_str(&sealed));
    HEARD(&f, ANN);
    ask_with(&f, "ask",
             buf_str(&sealed)); /* it may be repeated: the program must prevent a second effect */
    HEARD(&f, ANN);
    buf_done(&sealed);
    tear_down(&f);
}

TEST(a_changed_state_is_refused)
{
    struct fixture f;
    struct buf sealed = {0};
    set_up(&f);
    ask(&f, NULL, "1", "tools/call", "{'name':'ask'," MODERN(CAN_ELICIT) "}");
    take_state(&f, &sealed);
    /* Every letter; the last one carries two unused bits that must be zero. */
    for (size_t i = 0; i < sealed.n; i++) {
        char old = sealed.p[i];
        sealed.p[i] = old == 'A' ? 'B' : 'A';
        ask_with(&f, "ask", buf_str(&sealed));
        HEARD(&f, NOT_OURS);
        sealed.p[i] = old;
    }
    for (size_t n = 0; n < sealed.n; n++) {
        ask_with(&f, "ask", str_head(buf_str(&sealed), n));
        HEARD(&f, NOT_OURS);
    }
    ask_with(&f, "question", buf_str(&sealed)); /* another tool's */
    HEARD(&f, NOT_OURS);
    ask(&f, NULL, "2", "tools/call", "{'name':'ask','requestState':7," MODERN(CAN_ELICIT) "}");
    HEARD(&f, NOT_OURS);
    ask_with(&f, "ask", buf_str(&sealed));
    HEARD(&f, ANN);

    /* Another server's: the key is its own. */
    struct fixture g;
    set_up(&g);
    ask_with(&g, "ask", buf_str(&sealed));
    HEARD(&g, NOT_OURS);
    tear_down(&g);
    buf_done(&sealed);
    tear_down(&f);
}

/* A state as ask.c seals it, with another expiry time: MAC, expiry, text. */
static void seal_until(struct fixture *f, int64_t until, struct buf *out)
{
    struct buf covered = {0}, bytes = {0};
    uint8_t mac[SHA256_LEN];
    char end[8];
    for (int i = 0; i < 8; i++)
        end[i] = (char)(until >> (8 * i));
    buf_add(&covered, STR("tools/call\0ask\0"));
    buf_add(&covered, str_make(end, 8));
    buf_add(&covered, STR("asked"));
    sha256_hmac(str_make((const char *)f->mcp->seal_key, sizeof f->mcp->seal_key),
                buf_str(&covered), mac);
    buf_add(&bytes, str_make((const char *)mac, sizeof mac));
    buf_add(&bytes, str_make(end, 8));
    buf_add(&bytes, STR("asked"));
    base64_encode_url(out, buf_str(&bytes));
    buf_done(&covered);
    buf_done(&bytes);
}

TEST(a_state_is_valid_for_an_hour)
{
    struct fixture f;
    struct buf sealed = {0}, old = {0}, fresh = {0};
    set_up(&f);
    seal_until(&f, rfc3339_now() + 60000, &fresh);
    ask_with(&f, "ask", buf_str(&fresh));
    HEARD(&f, ANN);
    seal_until(&f, rfc3339_now() - 1, &old);
    ask_with(&f, "ask", buf_str(&old));
    HEARD(&f, NOT_OURS);

    /* A real state expires at that time. */
    struct buf bytes = {0};
    ask(&f, NULL, "1", "tools/call", "{'name':'ask'," MODERN(CAN_ELICIT) "}");
    take_state(&f, &sealed);
    assert_true(base64_decode_url(&bytes, buf_str(&sealed)));
    uint64_t until = 0;
    for (int i = 0; i < 8; i++)
        until |= (uint64_t)(uint8_t)bytes.p[SHA256_LEN + i] << (8 * i);
    assert_in_range(until, (uint64_t)rfc3339_now() + MCP_STATE_MS - 600000,
                    (uint64_t)rfc3339_now() + MCP_STATE_MS);
    buf_done(&bytes);
    buf_done(&sealed);
    buf_done(&old);
    buf_done(&fresh);
    tear_down(&f);
}
