/* A server under test and raw connections to it: bytes out, bytes in, without an HTTP library.
 *
 *     struct server s;
 *     if (!server_start(&s, "build/tests/mcp-everything")) ...     // on a free port
 *     struct raw_peer p;
 *     struct raw_answer a = {0};
 *     peer_open(&p, s.port);
 *     peer_send(&p, STR("GET / HTTP/1.1\r\n\r\n"));
 *     if (peer_read(&p, &a)) ...                                   // a.status, a.body
 *     answer_done(&a);
 *     peer_close(&p);
 *     server_stop(&s);
 *
 * One limit holds for the whole program, a little shorter than meson's: peer_deadline().
 */
#pragma once

#include <sys/types.h>

#include "base/buf.h"

#define PEER_LIMIT_MS 540000

struct server {
    pid_t pid;
    uint16_t port;
    int log; /* its standard error */
};

bool server_start(struct server *s, const char *program);
bool server_is_alive(const struct server *s);
int server_stop(struct server *s); /* SIGTERM; its exit code, -1 if it was killed or hung */
size_t server_rss_kb(const struct server *s);
size_t server_descriptors(const struct server *s);

uint64_t peer_deadline(void); /* when the limit expires, by now_ms() */

struct raw_peer {
    int fd;
    struct buf in; /* read and not used yet */
    bool ended;    /* the server closed, or reset, the connection */
    bool blind;    /* reads nothing before everything is sent */
};

struct raw_answer {
    int status; /* 0: no response */
    struct buf head, body;
    bool stream; /* an event stream: body is what has arrived of it */
    bool whole;  /* the body is complete */
};

bool peer_open(struct raw_peer *p, uint16_t port);
void peer_close(struct raw_peer *p);
void peer_reset(struct raw_peer *p); /* closes it abruptly */

/* False: the server accepts no more; what it sent before can still be read. */
bool peer_send(struct raw_peer *p, struct str bytes);
void peer_end(struct raw_peer *p); /* end our side of it */

/* Read the next response. Of an event stream read up to its end or the first event with `until` in
 * it (NULL: only its head). False: none came; a->status is 0. */
bool peer_read(struct raw_peer *p, struct raw_answer *a);
bool peer_read_events(struct raw_peer *p, struct raw_answer *a, const char *until);

/* Whether this text arrives. Consumes nothing. */
bool peer_hears(struct raw_peer *p, const char *text);

/* Whether the server closes the connection within this time. */
bool peer_is_ended(struct raw_peer *p, int ms);

void answer_done(struct raw_answer *a);
struct str answer_header(const struct raw_answer *a, const char *name); /* empty: none */

uint64_t now_ms(void);
