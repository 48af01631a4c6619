/* A server under test and raw connections to it: bytes out, bytes in, no HTTP library between.
 *
 *     struct server s;
 *     if (!server_start(&s, "build/tests/mcp-everything")) ...     // on a free port
 *     struct peer p;
 *     struct answer a = {0};
 *     peer_open(&p, s.port);
 *     peer_send(&p, STR("GET / HTTP/1.1\r\n\r\n"));
 *     if (peer_read(&p, &a)) ...                                   // a.status, a.body
 *     answer_done(&a);
 *     peer_close(&p);
 *     server_stop(&s);
 *
 * One limit holds for the whole program, a little shorter than that of meson: peer_deadline().
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

uint64_t peer_deadline(void); /* when the limit is over, by now_ms() */

struct peer {
    int fd;
    struct buf in; /* read and not used yet */
    bool ended;    /* the server closed, or reset, the connection */
    bool blind;    /* reads nothing before it has sent everything */
};

struct answer {
    int status; /* 0: none came */
    struct buf head, body;
    bool stream; /* an event stream: body has what has come of it */
    bool whole;  /* the end of the body has come */
};

bool peer_open(struct peer *p, uint16_t port);
void peer_close(struct peer *p);
void peer_reset(struct peer *p); /* closes it without a farewell */

/* False: the server took no more; what it said before can still be read. */
bool peer_send(struct peer *p, struct str bytes);
void peer_end(struct peer *p); /* our side of it */

/* The next answer. Of an event stream what there is, up to its end or the first event with `until`
 * in it (NULL: its head is enough). False: none came; a->status is 0. */
bool peer_read(struct peer *p, struct answer *a);
bool peer_read_events(struct peer *p, struct answer *a, const char *until);

/* Does this text come? Nothing is used up. */
bool peer_hears(struct peer *p, const char *text);

/* Has the server closed the connection, or does it within so long? */
bool peer_is_ended(struct peer *p, int ms);

void answer_done(struct answer *a);
struct str answer_header(const struct answer *a, const char *name); /* empty: none */

uint64_t now_ms(void);
