#include "agent/chat.h"

#define CURL_DISABLE_TYPECHECK /* its macros want functions, not pointers */
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>

#include "agent/agent_stdio.h"
#include "base/jsonw.h"
#include "base/library.h"
#include "base/utf8.h"

#define MAX_LINE    (8u << 20) /* of the stream */
#define MAX_TEXT    (1u << 20) /* of the answer */
#define MAX_HEADERS (8u << 10)
#define OPENAI_URL  "https://api.openai.com/v1"

/* Loaded at run time, because it needs thirty other libraries. */
static struct {
    __typeof__(curl_global_init) *global_init;
    __typeof__(curl_global_cleanup) *global_cleanup;
    __typeof__(curl_easy_init) *easy_init;
    __typeof__(curl_easy_cleanup) *easy_cleanup;
    __typeof__(curl_easy_setopt) *easy_setopt;
    __typeof__(curl_easy_getinfo) *easy_getinfo;
    __typeof__(curl_easy_strerror) *easy_strerror;
    __typeof__(curl_easy_perform) *easy_perform;
    __typeof__(curl_slist_append) *slist_append;
    __typeof__(curl_slist_free_all) *slist_free_all;
    __typeof__(curl_getdate) *getdate;
} lib;

static const struct library_symbol symbols[] = {
    {"curl_global_init", &lib.global_init},
    {"curl_global_cleanup", &lib.global_cleanup},
    {"curl_easy_init", &lib.easy_init},
    {"curl_easy_cleanup", &lib.easy_cleanup},
    {"curl_easy_setopt", &lib.easy_setopt},
    {"curl_easy_getinfo", &lib.easy_getinfo},
    {"curl_easy_strerror", &lib.easy_strerror},
    {"curl_easy_perform", &lib.easy_perform},
    {"curl_slist_append", &lib.slist_append},
    {"curl_slist_free_all", &lib.slist_free_all},
    {"curl_getdate", &lib.getdate},
    {0},
};

struct chat {
    struct arena arena; /* of the request */
    const struct json *request;
    struct str base_url;
    CURL *curl;
    bool is_stream; /* by the content type */

    struct buf line, data; /* of the stream: the incomplete line, the event's data so far */
    struct buf body;       /* of an answer that is not a stream */
    struct buf text;       /* the answer */
    char finish_reason[64];
    uint64_t input_tokens, output_tokens;
    bool is_done, is_full; /* [DONE] was received; the answer is too long */

    struct buf headers; /* "name\tvalue\n" */
    int64_t retry_after_ms;
    bool has_failed; /* there was an error inside the stream */
    struct buf failure;
    long failure_status;
};

/* ---- events */

static int write_completed(const struct chat *c)
{
    struct buf line = {0};
    struct jsonw w = jsonw_make(&line);
    jsonw_object(&w);
    jsonw_kcstr(&w, "type", "chat.completed");
    jsonw_kstr(&w, "text", buf_str(&c->text));
    if (c->input_tokens || c->output_tokens) {
        jsonw_key(&w, "usage");
        jsonw_object(&w);
        jsonw_key(&w, "input_tokens");
        jsonw_uint(&w, c->input_tokens);
        jsonw_key(&w, "output_tokens");
        jsonw_uint(&w, c->output_tokens);
        jsonw_end(&w);
    }
    jsonw_kcstr(&w, "finish_reason", c->is_full ? "length" : c->finish_reason);
    jsonw_end(&w);
    agent_stdio_write(&line);
    return 0;
}

static void put_headers(struct jsonw *w, struct str lines)
{
    struct str line, name;
    jsonw_key(w, "headers");
    jsonw_object(w);
    while (str_cut(&lines, '\n', &line))
        if (str_cut(&line, '\t', &name)) {
            jsonw_key_str(w, name);
            jsonw_str(w, line);
        }
    jsonw_end(w);
}

/* error is a JSON object from the server or from write_failure(). */
static int write_failed(const struct chat *c, long status, const struct json *error)
{
    static const char *const keys[] = {"type", "code", "message"};
    struct buf line = {0};
    struct jsonw w = jsonw_make(&line);
    jsonw_object(&w);
    jsonw_kcstr(&w, "type", "chat.failed");
    jsonw_kint(&w, "status", status);
    jsonw_key(&w, "error");
    jsonw_object(&w);
    for (size_t i = 0; i < 3; i++) {
        const struct json *v = json_get(error, str_from(keys[i]));
        if (!v || json_is(v, JSON_NULL))
            continue;
        struct str text = json_is(v, JSON_NUMBER) ? json_number_text(v) : json_str(v);
        jsonw_kstr(&w, keys[i], utf8_head(text, 4096));
    }
    jsonw_end(&w);
    if (c->retry_after_ms > 0)
        jsonw_kint(&w, "retry_after_ms", c->retry_after_ms);
    if (c->headers.n)
        put_headers(&w, buf_str(&c->headers));
    jsonw_end(&w);
    agent_stdio_write(&line);
    return 1;
}

static int write_failure(struct chat *c, long status, const char *type, struct str message)
{
    struct buf text = {0};
    struct jsonw w = jsonw_make(&text);
    jsonw_object(&w);
    jsonw_kcstr(&w, "type", type);
    jsonw_kstr(&w, "message", message);
    jsonw_end(&w);
    const struct json *error =
        json_parse(&c->arena, arena_str(&c->arena, buf_str(&text)), NULL, NULL);
    buf_done(&text);
    return write_failed(c, status, error);
}

static int refuse_request(const char *why)
{
    fprintf(stderr, "multiverse agent-chat: %s\n", why);
    struct chat c = {0};
    write_failure(&c, 0, "request", str_from(why));
    arena_done(&c.arena);
    return 2;
}

/* ---- reading the answer */

static void take_usage(struct chat *c, const struct json *usage)
{
    json_u64(json_get(usage, STR("prompt_tokens")), &c->input_tokens);
    json_u64(json_get(usage, STR("completion_tokens")), &c->output_tokens);
}

static void take_text(struct chat *c, struct str text, bool is_part)
{
    struct str fits = utf8_head(text, MAX_TEXT - c->text.n);
    c->is_full |= fits.n < text.n;
    buf_add(&c->text, fits);
    if (is_part && fits.n)
        agent_stdio_write_text("chat.delta", "text", fits);
}

/* The key is "delta" in a stream, "message" in a whole answer. */
static void take_choice(struct chat *c, const struct json *answer, const char *key)
{
    const struct json *choice = json_at(json_get(answer, STR("choices")), 0);
    const struct json *part = json_get(choice, str_from(key));
    struct str reason = json_str(json_get(choice, STR("finish_reason"))),
               text = json_str(json_get(part, STR("content")));
    if (!text.n)
        text = json_str(json_get(part, STR("refusal")));
    take_text(c, text, str_eq(str_from(key), STR("delta")));
    if (reason.n)
        snprintf(c->finish_reason, sizeof c->finish_reason, "%.*s", STR_ARG(reason));
    take_usage(c, json_get(answer, STR("usage")));
}

/* Keep an error inside the stream, with its status if it has one. */
static void take_error(struct chat *c, struct str data, const struct json *error)
{
    int64_t code = 0;
    if (c->has_failed)
        return;
    c->has_failed = true;
    buf_add(&c->failure, data);
    if (!json_i64(json_get(error, STR("code")), &code))
        json_i64(json_get(error, STR("status")), &code);
    c->failure_status = code >= 400 && code <= 599 ? (long)code : 200;
}

static void take_event(struct chat *c)
{
    struct arena a = {0};
    struct str data = buf_str(&c->data);
    if (str_eq(str_trim(data), STR("[DONE]")))
        c->is_done = true;
    const struct json *v = json_parse(&a, data, NULL, NULL);
    const struct json *error = json_get(v, STR("error"));
    if (json_is(error, JSON_OBJECT) || json_is(error, JSON_STRING))
        take_error(c, data, error);
    else if (v)
        take_choice(c, v, "delta");
    arena_done(&a);
    buf_clear(&c->data);
}

/* Read a line of the event stream, without its end. */
static void take_line(struct chat *c, struct str line)
{
    if (line.n && line.p[line.n - 1] == '\r')
        line.n--;
    if (!line.n && c->data.n)
        take_event(c);
    if (!str_starts(line, STR("data:")))
        return; /* comments, names and ids of events */
    struct str value = str_skip(line, 5);
    if (value.n && value.p[0] == ' ')
        value = str_skip(value, 1);
    if (c->data.n)
        buf_add_char(&c->data, '\n');
    buf_add(&c->data, value);
}

static size_t on_body(char *p, size_t size, size_t count, void *ctx)
{
    struct chat *c = ctx;
    struct str rest = str_make(p, size * count), line;
    if (!c->is_stream) {
        buf_add(&c->body, rest);
        return c->body.overflow ? 0 : rest.n;
    }
    while (str_cut(&rest, '\n', &line)) {
        buf_add(&c->line, line);
        take_line(c, buf_str(&c->line));
        bool overflow = c->line.overflow || c->data.overflow;
        buf_clear(&c->line);
        if (overflow || c->is_full || c->has_failed)
            return 0; /* ends the transfer */
    }
    buf_add(&c->line, line);
    return c->line.overflow ? 0 : size * count;
}

/* The value is seconds or a date. */
static void take_retry_after(struct chat *c, struct str value)
{
    uint64_t seconds;
    char date[64];
    if (str_to_u64(value, &seconds)) {
        if (seconds < INT64_MAX / 1000)
            c->retry_after_ms = (int64_t)seconds * 1000;
        return;
    }
    snprintf(date, sizeof date, "%.*s", STR_ARG(value));
    time_t at = lib.getdate(date, NULL), now = time(NULL);
    if (at > now)
        c->retry_after_ms = (int64_t)(at - now) * 1000;
}

static size_t on_header(char *p, size_t size, size_t count, void *ctx)
{
    struct chat *c = ctx;
    struct str line = str_make(p, size * count), name;
    uint64_t ms;
    if (str_starts(line, STR("HTTP/"))) { /* after a proxy or 100 Continue */
        buf_clear(&c->headers);
        c->is_stream = false;
        c->retry_after_ms = 0;
    }
    if (!str_cut(&line, ':', &name))
        return size * count;
    line = str_trim(line);
    if (str_eq_nocase(name, STR("content-type")))
        c->is_stream = str_eq_nocase(str_head(line, 17), STR("text/event-stream"));
    if (str_eq_nocase(name, STR("retry-after-ms")) && str_to_u64(line, &ms) && ms < INT64_MAX)
        c->retry_after_ms = (int64_t)ms;
    else if (str_eq_nocase(name, STR("retry-after")) && !c->retry_after_ms)
        take_retry_after(c, line);
    bool is_wanted = str_eq_nocase(str_head(name, 12), STR("x-ratelimit-")) ||
                     str_eq_nocase(str_head(name, 11), STR("retry-after"));
    if (is_wanted && c->headers.n + name.n + line.n < MAX_HEADERS &&
        !memchr(line.p, '\t', line.n)) {
        for (size_t i = 0; i < name.n; i++)
            buf_add_char(&c->headers,
                         (char)(name.p[i] | (name.p[i] >= 'A' && name.p[i] <= 'Z') << 5));
        buf_printf(&c->headers, "\t%.*s\n", STR_ARG(line));
    }
    return size * count;
}

/* ---- the request */

static void put_option(struct jsonw *w, const struct chat *c, const char *from, const char *to)
{
    const struct json *v = json_get(c->request, str_from(from));
    if (!v || json_is(v, JSON_NULL))
        return;
    jsonw_key(w, to);
    jsonw_value(w, v);
}

static void put_message(struct jsonw *w, const char *role, struct str text)
{
    jsonw_object(w);
    jsonw_kcstr(w, "role", role);
    jsonw_kstr(w, "content", text);
    jsonw_end(w);
}

static void put_request(const struct chat *c, struct buf *out)
{
    struct str system = json_str(json_get(c->request, STR("system")));
    struct jsonw w = jsonw_make(out);
    jsonw_object(&w);
    put_option(&w, c, "model", "model");
    jsonw_key(&w, "messages");
    jsonw_array(&w);
    if (system.n)
        put_message(&w, "system", system);
    put_message(&w, "user", json_str(json_get(c->request, STR("prompt"))));
    jsonw_end(&w);
    put_option(&w, c, "temperature", "temperature");
    put_option(&w, c, "reasoning_effort", "reasoning_effort");
    /* OpenAI's newer models reject max_tokens, and other servers do not know the new name. */
    bool is_openai = str_starts(c->base_url, STR(OPENAI_URL));
    put_option(&w, c, "max_tokens", is_openai ? "max_completion_tokens" : "max_tokens");
    jsonw_kbool(&w, "stream", true);
    jsonw_key(&w, "stream_options");
    jsonw_object(&w);
    jsonw_kbool(&w, "include_usage", true);
    jsonw_end(&w);
    jsonw_end(&w);
}

static long read_stall_limit(const struct chat *c)
{
    uint64_t given;
    bool ok = json_u64(json_get(c->request, STR("stall_s")), &given) && given && given < 86400;
    return ok ? (long)given : CHAT_STALL_S;
}

static void set_options(struct chat *c, const char *url, struct curl_slist *headers,
                        const struct buf *body)
{
    lib.easy_setopt(c->curl, CURLOPT_URL, url);
    lib.easy_setopt(c->curl, CURLOPT_PROTOCOLS_STR, "http,https");
    lib.easy_setopt(c->curl, CURLOPT_FOLLOWLOCATION, 0L);
    lib.easy_setopt(c->curl, CURLOPT_NOSIGNAL, 1L);
    lib.easy_setopt(c->curl, CURLOPT_USERAGENT, "multiverse/" MULTIVERSE_VERSION);
    lib.easy_setopt(c->curl, CURLOPT_HTTPHEADER, headers);
    lib.easy_setopt(c->curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)body->n);
    lib.easy_setopt(c->curl, CURLOPT_POSTFIELDS, body->p);
    lib.easy_setopt(c->curl, CURLOPT_CONNECTTIMEOUT, CHAT_CONNECT_S);
    lib.easy_setopt(c->curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
    lib.easy_setopt(c->curl, CURLOPT_LOW_SPEED_TIME, read_stall_limit(c));
    lib.easy_setopt(c->curl, CURLOPT_WRITEFUNCTION, on_body);
    lib.easy_setopt(c->curl, CURLOPT_WRITEDATA, c);
    lib.easy_setopt(c->curl, CURLOPT_HEADERFUNCTION, on_header);
    lib.easy_setopt(c->curl, CURLOPT_HEADERDATA, c);
}

/* ---- the end */

/* Report the error of a body: {"error": {...}}, {"error": "text"}, {"message"}, or any text. */
static int end_with_error_body(struct chat *c, long status)
{
    struct str body = buf_str(&c->body);
    const struct json *v = json_parse(&c->arena, body, NULL, NULL);
    const struct json *error = json_get(v, STR("error"));
    if (json_is(error, JSON_OBJECT))
        return write_failed(c, status, error);
    if (json_is(error, JSON_STRING))
        return write_failure(c, status, "error", json_str(error));
    if (json_is(json_get(v, STR("message")), JSON_STRING))
        return write_failed(c, status, v);
    return write_failure(c, status, "http", utf8_head(str_trim(body), 500));
}

static int end_with_stream_error(struct chat *c)
{
    const struct json *v = json_parse(&c->arena, buf_str(&c->failure), NULL, NULL);
    const struct json *error = json_get(v, STR("error"));
    if (json_is(error, JSON_OBJECT))
        return write_failed(c, c->failure_status, error);
    return write_failure(c, c->failure_status, "error", json_str(error));
}

static int end_chat(struct chat *c, CURLcode code)
{
    long status = 0;
    lib.easy_getinfo(c->curl, CURLINFO_RESPONSE_CODE, &status);
    if (c->line.n && c->is_stream)
        take_line(c, buf_str(&c->line));
    if (c->data.n)
        take_event(c); /* some servers omit the last blank line */
    if (c->has_failed)
        return end_with_stream_error(c);
    if (c->is_full && status == 200)
        return write_completed(c);
    if (status >= 300 || (status && status < 200))
        return end_with_error_body(c, status);
    if (code == CURLE_OPERATION_TIMEDOUT)
        return write_failure(c, 0, "timeout", STR("the server did not answer in time"));
    bool is_over = c->is_done || c->finish_reason[0];
    if (code != CURLE_OK && !is_over)
        return write_failure(c, 0, "connection", str_from(lib.easy_strerror(code)));
    if (c->is_stream && is_over)
        return write_completed(c);
    if (c->is_stream)
        return write_failure(c, 0, "connection",
                             STR("the connection closed before the end of the answer"));
    struct str body = buf_str(&c->body);
    const struct json *v = json_parse(&c->arena, body, NULL, NULL);
    if (json_is(json_get(v, STR("error")), JSON_OBJECT))
        return end_with_error_body(c, status);
    take_choice(c, v, "message");
    if (c->finish_reason[0])
        return write_completed(c);
    return write_failure(c, 0, "protocol", STR("the server's answer is not a chat completion"));
}

static int send_request(struct chat *c, const char *key)
{
    struct buf url = {0}, authorization = {0}, body = {0};
    struct str base = c->base_url;
    while (base.n && base.p[base.n - 1] == '/')
        base.n--;
    buf_printf(&url, "%.*s/chat/completions", STR_ARG(base));
    buf_printf(&authorization, "Authorization: Bearer %s", key);
    put_request(c, &body);
    struct curl_slist *headers = lib.slist_append(NULL, "Content-Type: application/json");
    headers = lib.slist_append(headers, "Accept: text/event-stream, application/json");
    headers = lib.slist_append(headers, "Expect:");
    if (*key)
        headers = lib.slist_append(headers, authorization.p);
    set_options(c, url.p, headers, &body);
    int code = end_chat(c, lib.easy_perform(c->curl));
    lib.slist_free_all(headers);
    buf_done(&url);
    buf_done(&authorization);
    buf_done(&body);
    return code;
}

/* ---- main */

static const char *check_request(const struct chat *c, const char *key)
{
    if (!json_str(json_get(c->request, STR("model"))).n ||
        !json_is(json_get(c->request, STR("prompt")), JSON_STRING))
        return "model and prompt must be texts";
    if (memchr(c->base_url.p, 0, c->base_url.n) ||
        (!str_starts(c->base_url, STR("http://")) && !str_starts(c->base_url, STR("https://"))))
        return "base_url must begin with http:// or https://";
    for (; *key; key++)
        if ((unsigned char)*key <= ' ' || *key == 127)
            return "OPENAI_API_KEY contains a space or a control character";
    return NULL;
}

static int run_chat(struct chat *c)
{
    const char *key = getenv("OPENAI_API_KEY");
    struct error err = {0};
    c->request = agent_stdio_read(&c->arena, &err);
    if (!c->request)
        return refuse_request(err.text);
    c->base_url = json_str(json_get(c->request, STR("base_url")));
    if (!c->base_url.n)
        c->base_url = STR(OPENAI_URL);
    const char *why = check_request(c, key ? key : "");
    if (why)
        return refuse_request(why);
    agent_stdio_write_text("chat.started", "model", json_str(json_get(c->request, STR("model"))));
    c->curl = lib.easy_init();
    if (!c->curl)
        return refuse_request("cannot initialize libcurl");
    int code = send_request(c, key ? key : "");
    lib.easy_cleanup(c->curl);
    return code;
}

int chat_main(void)
{
    struct chat c = {.line = buf_make(MAX_LINE),
                     .data = buf_make(MAX_LINE),
                     .body = buf_make(MAX_LINE),
                     .text = buf_make(MAX_TEXT)};
    struct error err = {0};
    if (!library_open("libcurl.so.4", symbols, &err))
        return refuse_request(err.text);
    lib.global_init(CURL_GLOBAL_DEFAULT);
    int code = run_chat(&c);
    lib.global_cleanup();
    struct buf *const all[] = {&c.line, &c.data, &c.body, &c.text, &c.headers, &c.failure};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        buf_done(all[i]);
    arena_done(&c.arena);
    return code;
}
