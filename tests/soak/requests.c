/* Garbage around the body: HTTP. */
#include "garbage.h"

#define PING   ASK("1", "ping", "{}")
#define TEN(x) x x x x x x x x x x

/* clang-format off */
const struct garbage requests[] = {
    /* Types. */
    {"no Content-Type", POST ACCEPT IN BODY, PING, {0}, 415, -32600, "must be application/json"},
    {"Content-Type text", POST ACCEPT IN "Content-Type: text/plain\r\n" BODY, PING, {0}, 415,
     -32600, "Content-Type must be application/json"},
    {"Content-Type a form", POST ACCEPT IN "Content-Type: application/x-www-form-urlencoded\r\n"
     BODY, PING, {0}, 415, -32600, "Content-Type must be application/json"},
    {"Content-Type with charset", POST ACCEPT IN
     "content-type: Application/JSON ; charset=utf-8\r\n" BODY, PING, {0}, 200, 0, "\"result\":{}"},
    {"two Content-Types", POST ACCEPT IN JSON JSON BODY, PING, {0}, 400, -32600,
     "Duplicate header: Content-Type"},
    {"no Accept", POST JSON IN BODY, PING, {0}, 406, -32600, "Accept must allow"},
    {"Accept JSON only", POST JSON IN "Accept: application/json\r\n" BODY, PING, {0}, 406, -32600,
     "application/json and text/event-stream"},
    {"Accept HTML", POST JSON IN "Accept: text/html\r\n" BODY, PING, {0}, 406, -32600, "Accept"},
    {"Accept in two lines", POST JSON IN
     "Accept: application/json\r\nAccept: text/event-stream\r\n" BODY, PING, {0}, 200, 0,
     "\"result\":{}"},

    /* Where to. */
    {"no such path", "POST /nothing HTTP/1.1\r\n" HOST JSON ACCEPT BODY, PING, {0}, 404, -32600,
     "There is nothing at /nothing"},
    {"path up", "POST /../mcp HTTP/1.1\r\n" HOST JSON ACCEPT BODY, PING, {0}, 404, -32600,
     "/../mcp"},
    {"path with percent", "POST /%6dcp HTTP/1.1\r\n" HOST JSON ACCEPT BODY, PING, {0}, 404, -32600,
     "There is nothing at /%6dcp"},
    {"PUT", "PUT /mcp HTTP/1.1\r\n" HOST JSON ACCEPT BODY, PING, {0}, 405, -32600,
     "PUT is not allowed"},
    {"OPTIONS", "OPTIONS /mcp HTTP/1.1\r\n" HOST "\r\n", "", {0}, 405, -32600,
     "OPTIONS is not allowed"},
    {"OPTIONS *", "OPTIONS * HTTP/1.1\r\n" HOST "\r\n", "", {0}, 404, -32600,
     "There is nothing at *"},
    {"CONNECT", "CONNECT evil.example.com:443 HTTP/1.1\r\n" HOST "\r\n", "", {0}, 400, -32600,
     "must be a path"},
    {"TRACE", "TRACE /mcp HTTP/1.1\r\n" HOST "\r\n", "", {0}, 405, -32600, "TRACE is not allowed"},
    {"as a proxy", "GET http://evil.example.com/mcp HTTP/1.1\r\n" HOST "\r\n", "", {0}, 403,
     -32600, "evil.example.com is not served here"},
    {"GET without Accept", "GET /mcp HTTP/1.1\r\n" HOST IN "\r\n", "", {0}, 406, -32600,
     "Accept must allow text/event-stream"},
    {"GET for JSON", "GET /mcp HTTP/1.1\r\n" HOST IN "Accept: application/json\r\n\r\n", "", {0},
     406, -32600, "Accept must allow text/event-stream"},
    {"GET without a session", "GET /mcp HTTP/1.1\r\n" HOST ACCEPT "\r\n", "", {0}, 400, -32600,
     "Mcp-Session-Id is missing"},
    {"GET with an unknown session", "GET /mcp HTTP/1.1\r\n" HOST ACCEPT
     "Mcp-Session-Id: x\r\n\r\n", "", {0}, 404, -32600, "Unknown or ended session"},
    {"GET, modern", "GET /mcp HTTP/1.1\r\n" HOST ACCEPT IN
     "MCP-Protocol-Version: 2026-07-28\r\n\r\n", "", {0}, 405, -32600, "supports only POST"},
    {"Last-Event-ID garbage", "GET /mcp HTTP/1.1\r\n" HOST ACCEPT IN "Last-Event-ID: x\r\n\r\n",
     "", {0}, 400, -32600, "Last-Event-ID is not from this server"},
    {"Last-Event-ID huge", "GET /mcp HTTP/1.1\r\n" HOST ACCEPT IN
     "Last-Event-ID: 1-99999999999999999999\r\n\r\n", "", {0}, 400, -32600,
     "Last-Event-ID is not from this server"},
    {"Last-Event-ID unknown", "GET /mcp HTTP/1.1\r\n" HOST ACCEPT IN
     "Last-Event-ID: 4000000000-7\r\n\r\n", "", {0}, 410, -32600, "are no longer kept"},
    {"Last-Event-ID twice", "GET /mcp HTTP/1.1\r\n" HOST ACCEPT IN
     "Last-Event-ID: 1-1\r\nLast-Event-ID: 1-1\r\n\r\n", "", {0}, 400, -32600,
     "Duplicate header"},
    {"DELETE without a session", "DELETE /mcp HTTP/1.1\r\n" HOST "\r\n", "", {0}, 400, -32600,
     "Mcp-Session-Id is missing"},
    {"DELETE of an unknown session", "DELETE /mcp HTTP/1.1\r\n" HOST "Mcp-Session-Id: x\r\n\r\n",
     "", {0}, 404, -32600, "Unknown or ended session"},
    {"DELETE, modern", "DELETE /mcp HTTP/1.1\r\n" HOST IN
     "MCP-Protocol-Version: 2026-07-28\r\n\r\n", "", {0}, 405, -32600, "supports only POST"},
    {"WebSocket upgrade", "GET /mcp HTTP/1.1\r\n" HOST
     "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: "
     "13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n", "", {0}, 406, -32600,
     "Accept must allow text/event-stream"},
    {"upgrade to HTTP/2", "POST /mcp HTTP/1.1\r\n" HOST JSON ACCEPT IN
     "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: "
     "h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n" BODY, PING, {0}, 200, 0, "\"result\":{}"},

    /* Who. */
    {"no Host", "POST /mcp HTTP/1.1\r\n" JSON ACCEPT BODY, PING, {0}, 400, -32600,
     "Host header is missing"},
    {"two Hosts", "POST /mcp HTTP/1.1\r\n" HOST HOST JSON ACCEPT BODY, PING, {0}, 400, -32600,
     "Duplicate header"},
    {"empty Host", "POST /mcp HTTP/1.1\r\nHost:\r\n" JSON ACCEPT BODY, PING, {0}, 403, -32600,
     "Host"},
    {"foreign Host", "POST /mcp HTTP/1.1\r\nHost: evil.example.com\r\n" JSON ACCEPT BODY, PING,
     {0}, 403, -32600, "Host evil.example.com is not served here: use 127.0.0.1"},
    {"Host with another port", "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:1\r\n" JSON ACCEPT BODY,
     PING, {0}, 403, -32600, "is not served here"},
    {"Host that starts like ours", "POST /mcp HTTP/1.1\r\nHost: localhost.evil.example.com:%P\r\n"
     JSON ACCEPT BODY, PING, {0}, 403, -32600, "is not served here"},
    {"Host 0.0.0.0", "POST /mcp HTTP/1.1\r\nHost: 0.0.0.0:%P\r\n" JSON ACCEPT BODY, PING, {0}, 403,
     -32600, "is not served here"},
    {"foreign Origin", POST JSON ACCEPT IN "Origin: http://evil.example.com\r\n" BODY, PING, {0},
     403, -32600, "Pages of the origin http://evil.example.com may not call"},
    {"Origin null", POST JSON ACCEPT IN "Origin: null\r\n" BODY, PING, {0}, 403, -32600,
     "origin null"},
    {"Origin https", POST JSON ACCEPT IN "Origin: https://127.0.0.1:%P\r\n" BODY, PING, {0}, 403,
     -32600, "may not call"},
    {"two Origins", POST JSON ACCEPT IN
     "Origin: http://127.0.0.1:%P\r\nOrigin: http://127.0.0.1:%P\r\n" BODY, PING, {0}, 403, -32600,
     "Duplicate header"},
    {"our own Origin", POST JSON ACCEPT IN "Origin: http://localhost:%P\r\n" BODY, PING, {0}, 200,
     0, "result"},
    {"Origin in bytes", POST JSON ACCEPT IN "Origin: \xff\xfe\x80\r\n" BODY, PING, {0}, 403,
     -32600, "???"},

    /* How long. */
    {"Content-Length and Transfer-Encoding", POST JSON ACCEPT IN
     "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", "0\r\n\r\n", {0}, 400, -32600,
     "or one with Transfer-Encoding"},
    {"Transfer-Encoding and Content-Length", POST JSON ACCEPT IN
     "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n", "0\r\n\r\n", {0}, 400, -32600,
     "or one with Transfer-Encoding"},
    {"two Content-Lengths", POST JSON ACCEPT IN "Content-Length: 4\r\nContent-Length: 4\r\n\r\n",
     "1234", {0}, 400, -32600, "Duplicate Content-Length"},
    {"two different Content-Lengths", POST JSON ACCEPT IN
     "Content-Length: 4\r\nContent-Length: 5\r\n\r\n", "12345", {0}, 400, -32600,
     "Duplicate Content-Length"},
    {"Content-Length list", POST JSON ACCEPT IN "Content-Length: 4, 4\r\n\r\n", "1234", {0}, 400,
     -32600, "one decimal number"},
    {"Content-Length negative", POST JSON ACCEPT IN "Content-Length: -1\r\n\r\n", "", {0}, 400,
     -32600, "one decimal number"},
    {"Content-Length with a plus", POST JSON ACCEPT IN "Content-Length: +4\r\n\r\n", "1234", {0},
     400, -32600, "one decimal number"},
    {"Content-Length hexadecimal", POST JSON ACCEPT IN "Content-Length: 0x10\r\n\r\n", "", {0},
     400, -32600, "one decimal number"},
    {"Content-Length empty", POST JSON ACCEPT IN "Content-Length:\r\n\r\n", "", {0}, 400, -32600,
     "Content-Length"},
    {"Content-Length of 65 bits", POST JSON ACCEPT IN
     "Content-Length: 18446744073709551616\r\n\r\n", "", {0}, 400, -32600, "Content-Length"},
    {"Content-Length of 64 bits", POST JSON ACCEPT IN
     "Content-Length: 18446744073709551615\r\n\r\n", "", {0}, 413, -32600,
     "longer than 4194304 bytes"},
    {"Content-Length one too many", POST JSON ACCEPT IN "Content-Length: 4194305\r\n\r\n", "", {0},
     413, -32600, "longer than 4194304 bytes"},
    {"Transfer-Encoding gzip", POST JSON ACCEPT IN "Transfer-Encoding: gzip\r\n\r\n", "", {0}, 501,
     -32603, "use chunked"},
    {"Transfer-Encoding gzip, chunked", POST JSON ACCEPT IN
     "Transfer-Encoding: gzip, chunked\r\n\r\n", "0\r\n\r\n", {0}, 501, -32603, "use chunked"},
    {"Transfer-Encoding twice", POST JSON ACCEPT IN
     "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", "0\r\n\r\n", {0}, 501,
     -32603, "use chunked"},
    {"Transfer-Encoding in 1.0", "POST /mcp HTTP/1.0\r\n" HOST JSON ACCEPT IN
     "Transfer-Encoding: chunked\r\n\r\n", "0\r\n\r\n", {0}, 400, -32600, "not part of HTTP/1.0"},
    {"chunk size negative", POST JSON ACCEPT IN "Transfer-Encoding: chunked\r\n\r\n", "-1\r\n",
     {0}, 400, -32600, "no valid size"},
    {"chunk size not hexadecimal", POST JSON ACCEPT IN "Transfer-Encoding: chunked\r\n\r\n",
     "xyz\r\n", {0}, 400, -32600, "no valid size"},
    {"chunk size 0x5", POST JSON ACCEPT IN "Transfer-Encoding: chunked\r\n\r\n",
     "0x5\r\nhello\r\n0\r\n\r\n", {0}, 400, -32600, "no valid size"},
    {"chunk size of 65 bits", POST JSON ACCEPT IN "Transfer-Encoding: chunked\r\n\r\n",
     "10000000000000000\r\n", {0}, 400, -32600, "no valid size"},
    {"chunk of 4 GiB", POST JSON ACCEPT IN "Transfer-Encoding: chunked\r\n\r\n", "ffffffff\r\n",
     {0}, 413, -32600, "longer than 4194304 bytes"},
    {"chunk without its end", POST JSON ACCEPT IN "Transfer-Encoding: chunked\r\n\r\n",
     "2\r\n{}XX0\r\n\r\n", {0}, 400, -32600, "does not end with CR LF"},
    {"chunk lines with LF", POST JSON ACCEPT IN "Transfer-Encoding: chunked\r\n\r\n",
     "2\n{}\n0\n\n", {0}, 400, -32600, NULL},
    {"chunk size line without end", POST JSON ACCEPT IN
     "Transfer-Encoding: chunked\r\n\r\n2;%K", "", {0}, 431, -32600, "longer than 32768 bytes"},
    {"chunked, and fine", POST JSON ACCEPT IN "Transfer-Encoding: chunked\r\n\r\n",
     "a;x=1\r\n{'jsonrpc'\r\n1F\r\n:'2.0','id':1,'method':'ping' }\r\n0\r\nTrailer: x\r\n\r\n",
     {0}, 200, 0, "\"result\":{}"},

    /* Lines. */
    {"LF alone", "POST /mcp HTTP/1.1\nHost: 127.0.0.1:%P\n\n", "", {0}, 400, -32600,
     "end it with both"},
    {"LF alone in a header", POST "X: y\nZ: w\r\n\r\n", "", {0}, 400, -32600, NULL},
    {"CR alone", "POST /mcp HTTP/1.1\r\n" HOST "X: a\rb\r\n\r\n", "", {0}, 400, -32600, NULL},
    {"space before the colon", POST "Content-Length : 5\r\n\r\n", "", {0}, 400, -32600, NULL},
    {"header without a colon", POST "Nonsense\r\n\r\n", "", {0}, 400, -32600, NULL},
    {"header without a name", POST ": x\r\n\r\n", "", {0}, 400, -32600, NULL},
    {"folded header", POST "X: a\r\n b\r\n\r\n", "", {0}, 400, -32600, "folded"},
    {"blank first", " POST /mcp HTTP/1.1\r\n" HOST "\r\n", "", {0}, 400, -32600, NULL},
    {"two blanks", "POST  /mcp HTTP/1.1\r\n" HOST "\r\n", "", {0}, 400, -32600,
     "The request line must be: method, target, HTTP/1.1"},
    {"bytes in the target", "GET /\xff\x01 HTTP/1.1\r\n" HOST "\r\n", "", {0}, 400, -32600, NULL},
    {"unknown method", "STEAL /mcp HTTP/1.1\r\n" HOST "\r\n", "", {0}, 400, -32600,
     "a method of HTTP"},
    {"method in small letters", "post /mcp HTTP/1.1\r\n" HOST "\r\n", "", {0}, 400, -32600,
     "a method of HTTP"},
    {"no version", "GET /mcp\r\n\r\n", "", {0}, 505, -32603, NULL},
    {"HTTP/0.9", "GET /mcp HTTP/0.9\r\n\r\n", "", {0}, 505, -32603, "use HTTP/1.1"},
    {"HTTP/1.2", "GET /mcp HTTP/1.2\r\n" HOST "\r\n", "", {0}, 505, -32603, "use HTTP/1.1"},
    {"HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "", {0}, 505, -32603, "use HTTP/1.1"},
    {"HTTP/3", "GET /mcp HTTP/3\r\n" HOST "\r\n", "", {0}, 505, -32603, NULL},
    {"another protocol", "GET /mcp ICY/1.0\r\n" HOST "\r\n", "", {0}, 400, -32600, NULL},
    {"RTSP", "OPTIONS rtsp://127.0.0.1/ RTSP/1.0\r\nCSeq: 1\r\n\r\n", "", {0}, 505, -32603,
     "use HTTP/1.1"},
    {"SMTP", "EHLO evil.example.com\r\n", "", {0}, 400, -32600, "a method of HTTP"},
    {"TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "", {0}, 400, -32600,
     "a method of HTTP"},
    {"target too long", "GET /%K HTTP/1.1\r\n" HOST "\r\n", "", {0}, 414, -32600, "too long"},
    {"header too long", POST "X: %K\r\n\r\n", "", {0}, 431, -32600, "longer than 32768 bytes"},
    {"headers too many", POST TEN(TEN("X: y\r\n")) "\r\n", "", {0}, 431, -32600,
     "more than 100 headers"},
    {"Expect the unknown", POST JSON ACCEPT IN "Expect: 200-ok\r\n" BODY, PING, {0}, 417, -32600,
     "The Expect header is not supported: use 100-continue"},
    {"Expect 100-continue", POST JSON ACCEPT IN "Expect: 100-continue\r\n" BODY, PING, {0}, 200, 0,
     "result"},
    {"HTTP/1.0", "POST /mcp HTTP/1.0\r\n" HOST JSON ACCEPT IN BODY, PING, {0}, 200, 0,
     "\"result\":{}"},
    {"empty lines first", "\r\n\r\n\r\nPOST /mcp HTTP/1.1\r\n" HOST JSON ACCEPT IN BODY, PING, {0},
     200, 0, "\"result\":{}"},
    {"HEAD", "HEAD /mcp HTTP/1.1\r\n" HOST ACCEPT IN "Connection: close\r\n\r\n", "", {0}, 405, 0,
     NULL},
};
/* clang-format on */
const size_t request_count = sizeof requests / sizeof *requests;
