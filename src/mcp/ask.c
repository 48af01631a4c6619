/* Round trips to the client: the questions of a call, their answers, and the sealed state between
 * two rounds. The manual is call.h.
 *
 * In every revision the program asks and is run again with the answers. What happens in between:
 *
 *   modern    the client repeats its request with inputResponses and requestState
 *   legacy    this file sends a request for each question, then calls mcp_call_run() again
 *   MCP task  the client sends tasks/update (mcp_task.c), then mcp_call_run() again
 */
#include <assert.h>
#include <stdlib.h>

#include "base/base64.h"
#include "base/mem.h"
#include "base/rfc3339.h"
#include "base/sha256.h"
#include "mcp/mcp_internal.h"
#include "mcp/mcp_task.h"
#include "mcp/method.h"

static const struct {
    const char *method;
    enum mcp_capability needs;
} kinds[] = {
    [MCP_ASK_ELICITATION] = {"elicitation/create", MCP_CAN_ELICIT},
    [MCP_ASK_SAMPLING] = {"sampling/createMessage", MCP_CAN_SAMPLE},
    [MCP_ASK_ROOTS] = {"roots/list", MCP_CAN_LIST_ROOTS},
};

const char *mcp_ask_method(enum mcp_ask_kind kind)
{
    return kinds[kind].method;
}

enum mcp_capability mcp_ask_capability(enum mcp_ask_kind kind)
{
    return kinds[kind].needs;
}

bool mcp_ask_is_answer(const struct json *answer, enum mcp_ask_kind kind)
{
    struct str action = json_str(json_get(answer, STR("action")));
    switch (kind) {
    case MCP_ASK_ELICITATION:
        if (str_eq(action, STR("accept"))) {
            const struct json *content = json_get(answer, STR("content"));
            return !content || json_is(content, JSON_OBJECT);
        }
        return str_eq(action, STR("decline")) || str_eq(action, STR("cancel"));
    case MCP_ASK_SAMPLING:
        return json_is(json_get(answer, STR("role")), JSON_STRING) &&
               json_get(answer, STR("content"));
    case MCP_ASK_ROOTS:
        return json_is(json_get(answer, STR("roots")), JSON_ARRAY);
    }
    return false;
}

const struct json *mcp_ask_answer(const struct mcp_call *call, const char *key,
                                  enum mcp_ask_kind kind)
{
    const struct json *answer = NULL;
    if (call->rounds == 0 && call->era == MCP_MODERN)
        answer = json_get(json_get(call->message.params, STR("inputResponses")), str_from(key));
    for (size_t i = 0; i < call->answer_count; i++)
        if (str_eq(str_from(call->answers[i].key), str_from(key)))
            answer = call->answers[i].answer;
    return mcp_ask_is_answer(answer, kind) ? answer : NULL;
}

struct str mcp_ask_state(const struct mcp_call *call)
{
    return call->state;
}

void mcp_ask(struct mcp_call *call, const char *key, enum mcp_ask_kind kind, struct str params)
{
    assert(call->ask_count < MCP_MAX_ASKS);
    if (!call->ask_count)
        call->asks = arena_alloc(&call->arena, MCP_MAX_ASKS * sizeof *call->asks);
    call->asks[call->ask_count++] = (struct mcp_question){
        .key = arena_cstr(&call->arena, str_from(key)),
        .kind = kind,
        .params = arena_str(&call->arena, params),
    };
}

/* ---- the seal */

struct sealed_head { /* precedes the state in a requestState, before base64 */
    uint8_t mac[SHA256_LEN];
    uint8_t until[8]; /* unix milliseconds, little endian */
};

/* The seal covers method and tool name, so that the state cannot be used for another tool. */
static void make_mac(const struct mcp_call *call, struct str rest, uint8_t mac[SHA256_LEN])
{
    struct buf covered = {0};
    buf_add(&covered, call->message.method);
    buf_add_char(&covered, 0);
    if (call->method->name_param)
        buf_add(&covered,
                json_str(json_get(call->message.params, str_from(call->method->name_param))));
    buf_add_char(&covered, 0);
    buf_add(&covered, rest);
    sha256_hmac(str_make((const char *)call->mcp->seal_key, sizeof call->mcp->seal_key),
                buf_str(&covered), mac);
    buf_done(&covered);
}

static void seal_state(const struct mcp_call *call, struct str state, struct buf *out)
{
    struct sealed_head head = {0};
    struct buf bytes = {0};
    uint64_t until = (uint64_t)rfc3339_now() + MCP_STATE_MS;
    for (int i = 0; i < 8; i++)
        head.until[i] = (uint8_t)(until >> (8 * i));
    buf_add(&bytes, str_make((const char *)&head, sizeof head));
    buf_add(&bytes, state);
    make_mac(call, str_skip(buf_str(&bytes), SHA256_LEN), head.mac);
    memcpy(bytes.p, head.mac, SHA256_LEN);
    base64_encode_url(out, buf_str(&bytes));
    buf_done(&bytes);
}

static bool unseal_state(struct mcp_call *call, struct str text)
{
    struct buf bytes = {0};
    uint8_t mac[SHA256_LEN];
    uint64_t until = 0;
    bool ok = base64_decode_url(&bytes, text) && bytes.n >= sizeof(struct sealed_head);
    if (ok) {
        make_mac(call, str_skip(buf_str(&bytes), SHA256_LEN), mac);
        for (int i = 0; i < 8; i++)
            until |= (uint64_t)(uint8_t)bytes.p[SHA256_LEN + i] << (8 * i);
        ok = sha256_same(mac, (const uint8_t *)bytes.p) && until >= (uint64_t)rfc3339_now();
    }
    if (ok)
        call->state =
            arena_str(&call->arena, str_skip(buf_str(&bytes), sizeof(struct sealed_head)));
    buf_done(&bytes);
    return ok;
}

bool mcp_ask_unseal_state(struct mcp_call *call)
{
    const struct json *state = json_get(call->message.params, STR("requestState"));
    if (call->era != MCP_MODERN || !state)
        return true;
    if (json_is(state, JSON_STRING) && unseal_state(call, json_str(state)))
        return true;
    mcp_reply_error(
        call, RPC_INVALID_PARAMS,
        "requestState was changed, is too old, or is not from this server: start the call again");
    return false;
}

/* ---- sending the questions */

void mcp_ask_put_requests(struct jsonw *w, const struct mcp_call *call)
{
    jsonw_object(w);
    for (size_t i = 0; i < call->ask_count; i++) {
        if (call->asks[i].answer)
            continue;
        jsonw_key(w, call->asks[i].key);
        jsonw_object(w);
        jsonw_kcstr(w, "method", mcp_ask_method(call->asks[i].kind));
        jsonw_key(w, "params");
        jsonw_raw(w, call->asks[i].params.n ? call->asks[i].params : STR("{}"));
        jsonw_end(w);
    }
    jsonw_end(w);
}

static void reply_input_required(struct mcp_call *call, struct str state)
{
    struct jsonw w = jsonw_make(&call->out);
    rpc_begin(&w, call->message.id);
    jsonw_key(&w, "result");
    jsonw_object(&w);
    jsonw_kcstr(&w, "resultType", "input_required");
    if (call->ask_count) {
        jsonw_key(&w, "inputRequests");
        mcp_ask_put_requests(&w, call);
    }
    if (state.n || !call->ask_count) {
        struct buf sealed = {0};
        seal_state(call, state, &sealed);
        jsonw_kstr(&w, "requestState", buf_str(&sealed));
        buf_done(&sealed);
    }
    jsonw_end(&w);
    jsonw_end(&w);
    mcp_call_finish(call, 200);
}

/* Write the params of a question. In an MCP task they name the task (2025-11-25, tasks). */
static void put_question_params(struct jsonw *w, const struct mcp_call *call, size_t index)
{
    struct str params = call->asks[index].params.n ? call->asks[index].params : STR("{}");
    struct buf marked = {0};
    jsonw_key(w, "params");
    if (call->task) {
        struct str members = str_skip(str_trim(params), 1); /* after the brace */
        buf_printf(&marked, "{\"_meta\":{\"%s\":{\"taskId\":\"%s\"}}%s", MCP_KEY_RELATED_TASK,
                   call->task->id, str_trim(members).n > 1 ? "," : "");
        buf_add(&marked, members);
        params = buf_str(&marked);
    }
    jsonw_raw(w, params);
    buf_done(&marked);
}

static void send_request(struct mcp_call *call, size_t index, struct mcp_sink *sink)
{
    struct mcp_session *s = call->session;
    struct mcp_asked *asked = mem_zalloc(sizeof *asked);
    struct buf out = {0};
    struct jsonw w = jsonw_make(&out);

    asked->id = ++s->next_ask;
    asked->call = call;
    asked->index = index;
    list_add(&s->asked, &asked->link);
    jsonw_object(&w);
    jsonw_kcstr(&w, "jsonrpc", "2.0");
    jsonw_kint(&w, "id", asked->id);
    jsonw_kcstr(&w, "method", mcp_ask_method(call->asks[index].kind));
    put_question_params(&w, call, index);
    jsonw_end(&w);
    sink->impl->send(sink, buf_str(&out), false);
    buf_done(&out);
}

void mcp_ask_send(struct mcp_call *call, struct mcp_sink *sink)
{
    mcp_ask_withdraw(call);
    for (size_t i = 0; i < call->ask_count; i++)
        if (!call->asks[i].answer)
            send_request(call, i, sink);
}

void mcp_ask_withdraw(struct mcp_call *call)
{
    if (!call->session || !call->ask_count)
        return;
    LIST_EACH_SAFE (&call->session->asked, struct mcp_asked, link, asked) {
        if (asked->call != call)
            continue;
        list_remove(&asked->link);
        free(asked);
    }
}

void mcp_ask_reply(struct mcp_call *call, struct str state)
{
    unsigned missing = 0;
    for (size_t i = 0; i < call->ask_count; i++)
        if (!mcp_call_client_can(call, mcp_ask_capability(call->asks[i].kind)))
            missing |= mcp_ask_capability(call->asks[i].kind);
    call->on_cancel =
        NULL; /* the program has returned the call: the library runs it again, or ends it */
    if (missing || call->cancelled) {
        mcp_reply_missing_capability(call, missing);
    } else if (call->era == MCP_MODERN && !call->task) {
        reply_input_required(call, state);
    } else if (!call->ask_count) {
        mcp_reply_error(call, RPC_INTERNAL_ERROR,
                        "The server ended a round of questions without a question");
    } else if (!call->task && (!call->sink || !call->session)) {
        mcp_reply_error(call, RPC_INTERNAL_ERROR,
                        "The client cannot be asked: its connection is gone");
    } else {
        call->state = arena_str(&call->arena, state);
        call->waiting = true;
        if (call->task)
            mcp_task_ask(call->task);
        else
            mcp_ask_send(call, call->sink);
    }
}

/* ---- handling the answers */

void mcp_ask_rerun(struct mcp_call *call)
{
    call->answers = call->asks;
    call->answer_count = call->ask_count;
    call->ask_count = 0;
    call->waiting = false;
    if (++call->rounds > MCP_MAX_ROUNDS)
        mcp_reply_error(call, RPC_INTERNAL_ERROR,
                        "The client was asked %d times without a usable answer", MCP_MAX_ROUNDS);
    else
        mcp_call_run(call);
}

/* The answer is part of another message, so copy it. */
void mcp_ask_store_answer(struct mcp_call *call, size_t index, const struct json *answer)
{
    struct buf text = {0};
    struct jsonw w = jsonw_make(&text);
    jsonw_value(&w, answer);
    call->asks[index].answer =
        json_parse(&call->arena, arena_str(&call->arena, buf_str(&text)), NULL, NULL);
    buf_done(&text);
}

static bool is_all_answered(const struct mcp_call *call)
{
    for (size_t i = 0; i < call->ask_count; i++)
        if (!call->asks[i].answer)
            return false;
    return true;
}

static void reply_client_error(struct mcp_call *call, size_t index, const struct json *failure)
{
    const char *method = mcp_ask_method(call->asks[index].kind);
    struct str why = json_str(json_get(failure, STR("message")));
    mcp_ask_withdraw(call);
    call->waiting = false;
    if (call->tool)
        mcp_reply_tool_error(call, "The client answered %s with an error: %.*s", method,
                             STR_ARG(why));
    else
        mcp_reply_error(call, RPC_INTERNAL_ERROR, "The client answered %s with an error: %.*s",
                        method, STR_ARG(why));
}

void mcp_ask_on_response(struct mcp_session *s, const struct rpc_message *m)
{
    int64_t id;
    if (!json_i64(m->id, &id))
        return;
    LIST_EACH_SAFE (&s->asked, struct mcp_asked, link, asked) {
        if (asked->id != id)
            continue;
        struct mcp_call *call = asked->call;
        size_t index = asked->index;
        list_remove(&asked->link);
        free(asked);
        if (m->failure) {
            reply_client_error(call, index, m->failure);
            return;
        }
        mcp_ask_store_answer(call, index, m->result);
        if (is_all_answered(call) && call->task)
            mcp_task_resume(call->task);
        else if (is_all_answered(call))
            mcp_ask_rerun(call);
        return;
    }
}
