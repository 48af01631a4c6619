#include "store/store_pg_wire.h"

#include <assert.h>
#include <endian.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "store/store_guard.h"
#include "store/store_pg_sql.h"

#define GRACE_MS     5000u /* a server that waits for a lock reports it just before this */
#define CONNECT_MS   5000u /* at least this long for a new connection */
#define SLICE_MS     100   /* how often a shortened wait is noticed */
#define LOST         "08006"
#define QUEUE_MOST   64u   /* commands in the pipeline, at most */
#define UNSENT_MOST  4096u /* bytes before a sync: libpq flushes by itself at 8192 */
#define COMMAND_SIZE 64u   /* bytes of a command apart from its SQL and values, roughly */
#define MAX_LOOKS                                                                                  \
    64 /* reads without waiting, at most: a server that never stops sending must not block us */
#define OID_INT8     20u
#define OID_TEXT     25u
#define OID_FLOAT8   701u
#define SECRET_PIECE 3u /* so many bytes of a password may not appear in a message */

struct prepared {
    char name[24];
    struct buf sql; /* translated for PostgreSQL */
    unsigned values;
    enum {
        PREPARED_NOT,
        PREPARED_SENT,
        PREPARED_DONE
    } how;
};

enum command_kind {
    COMMAND_PREPARE,
    COMMAND_QUERY,
    COMMAND_SYNC
};

struct store_pg_command {
    enum command_kind kind;
    struct prepared *prepared; /* PREPARE */
};

/* ---- errors */

/* Is a piece of the secret in the text? */
static bool contains_piece(struct str secret, const char *text)
{
    while (secret.n) {
        size_t n = 0;
        while (n < secret.n && !strchr("/:@?&=%,", secret.p[n]))
            n++;
        if (n >= SECRET_PIECE && str_find(str_from(text), str_head(secret, n)) < strlen(text))
            return true;
        secret = str_skip(secret, n + 1);
    }
    return false;
}

/* libpq quotes what it cannot read in a URL. */
static bool contains_secret(const char *url, const char *text)
{
    const char *at = strrchr(url, '@'), *scheme = strstr(url, "://");
    const char *colon = scheme ? strchr(scheme + 3, ':') : NULL;
    if (at && colon && colon < at &&
        contains_piece(str_make(colon + 1, (size_t)(at - colon - 1)), text))
        return true;
    for (const char *p = url; (p = strstr(p, "password=")) != NULL;) {
        p += sizeof "password=" - 1;
        if (contains_piece(str_make(p, strcspn(p, "&")), text))
            return true;
    }
    return false;
}

/* Only the first error counts: the others follow from it. Keep the first line of its text. */
static bool set_error(struct store_pg_wire *w, const char *state, const char *text)
{
    if (w->error.state[0])
        return false;
    snprintf(w->error.state, sizeof w->error.state, "%s", state);
    const char *line = w->url && contains_secret(w->url, text) ? "the connection failed" : text;
    snprintf(w->error.text, sizeof w->error.text, "%.*s", (int)strcspn(line, "\n"), line);
    return false;
}

static void free_statements(struct store_pg_wire *w)
{
    MAP_EACH (&w->statements, i) {
        struct prepared *p = map_value(&w->statements, i);
        buf_done(&p->sql);
        free(p);
    }
    map_done(&w->statements);
}

void store_pg_wire_close(struct store_pg_wire *w)
{
    if (w->conn)
        pq.finish(w->conn);
    w->conn = NULL;
    free_statements(w);
    free(w->queue);
    w->queue = NULL;
    w->head = w->tail = w->cap = 0;
}

static bool lose_connection(struct store_pg_wire *w, const char *text)
{
    set_error(w, LOST, text);
    store_pg_wire_close(w);
    return false;
}

/* ---- waiting */

/* Another thread may shorten the wait at any time, so check for that now and then. */
static bool wait_for(struct store_pg_wire *w, short events, int64_t end)
{
    struct pollfd fd = {.fd = pq.socket(w->conn), .events = events};
    int64_t began = store_guard_clock();
    for (;;) {
        unsigned shorter = w->shorter_wait_ms ? atomic_load(w->shorter_wait_ms) : 0;
        if (shorter && end > began + shorter)
            end = began + shorter;
        int64_t left = end - store_guard_clock();
        int n = poll(&fd, 1, left < 0 ? 0 : left < SLICE_MS ? (int)left : SLICE_MS);
        if (n > 0)
            return true;
        if ((n == 0 && left <= SLICE_MS) || (n < 0 && errno != EINTR))
            return false;
    }
}

static bool fail_silent(struct store_pg_wire *w)
{
    char text[96];
    snprintf(text, sizeof text, "no answer for %u ms", w->wait_ms + GRACE_MS);
    return lose_connection(w, text);
}

/* Every answer of the server starts the time again. */
static bool wait_for_result(struct store_pg_wire *w)
{
    while (pq.isBusy(w->conn)) {
        bool more = pq.flush(w->conn) == 1;
        if (!wait_for(w, (short)(POLLIN | (more ? POLLOUT : 0)),
                      store_guard_clock() + w->wait_ms + GRACE_MS))
            return fail_silent(w);
        if (!pq.consumeInput(w->conn))
            return lose_connection(w, pq.errorMessage(w->conn));
    }
    return true;
}

/* A server that shuts down sends a message before it closes: read everything. */
bool store_pg_wire_is_there(struct store_pg_wire *w)
{
    for (int i = 0; i < MAX_LOOKS && wait_for(w, POLLIN, 0); i++)
        if (!pq.consumeInput(w->conn))
            return false;
    return pq.status(w->conn) == CONNECTION_OK;
}

bool store_pg_wire_look(struct store_pg_wire *w)
{
    return w->conn && (store_pg_wire_is_there(w) || lose_connection(w, pq.errorMessage(w->conn)));
}

/* ---- connecting */

static void on_notice(void *ctx, const char *message)
{
    (void)ctx;
    (void)message;
}

/* "...: FATAL:  28P01: password ...": before there is a result, only the text has the SQLSTATE. */
static void find_state(const char *text, char state[6])
{
    snprintf(state, 6, "%s", LOST);
    for (const char *p = text; (p = strstr(p, ":  ")) != NULL; p += 3)
        if (strspn(p + 3, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") == 5 && p[8] == ':') {
            memcpy(state, p + 3, 5);
            return;
        }
}

/* Remove the SQLSTATE and other parts that are for programs. */
static bool fail_connection(struct store_pg_wire *w)
{
    char state[6], text[512];
    const char *said = pq.errorMessage(w->conn);
    find_state(said, state);
    const char *at = strstr(said, state);
    if (at)
        snprintf(text, sizeof text, "%.*s%s", (int)(at - said), said, at + 7);
    else
        snprintf(text, sizeof text, "%s", said);
    set_error(w, state, text);
    store_pg_wire_close(w);
    return false;
}

static bool check_url(struct store_pg_wire *w, const char *url)
{
    char *said = NULL;
    PQconninfoOption *options = pq.conninfoParse(url, &said);
    if (options)
        pq.conninfoFree(options);
    pq.freemem(said); /* may quote parts of the password */
    return options || set_error(w, "08001",
                                "it is not a valid PostgreSQL URL; in a password, write / : @ % as"
                                " %2F %3A %40 %25");
}

/* The URL overrides the options before it and is overridden by those after it. */
static PGconn *start_connection(const struct store_pg_wire *w, const char *url)
{
    char silence[16];
    snprintf(silence, sizeof silence, "%u", w->wait_ms > CONNECT_MS ? w->wait_ms : CONNECT_MS);
    const char *const names[] = {
        "fallback_application_name", "keepalives_idle", "keepalives_interval", "keepalives_count",
        "tcp_user_timeout",          "dbname",          "client_encoding",     NULL};
    const char *const values[] = {"multiverse", "10", "5", "3", silence, url, "UTF8", NULL};
    return pq.connectStartParams(names, values, 1);
}

/* The URL may name several hosts, which libpq tries one after the other. */
static int64_t connection_time(const struct store_pg_wire *w, const char *url)
{
    int64_t hosts = 1;
    for (const char *p = url; (p = strchr(p, ',')) != NULL; p++)
        hosts++;
    return hosts * (w->wait_ms > CONNECT_MS ? w->wait_ms : CONNECT_MS);
}

bool store_pg_wire_open(struct store_pg_wire *w, const char *url)
{
    w->error = (struct store_pg_error){0};
    w->url = url;
    if (!check_url(w, url))
        return false;
    int64_t end = store_guard_clock() + connection_time(w, url);
    w->conn = start_connection(w, url);
    if (!w->conn)
        mem_die("no memory for a connection");
    pq.setNoticeProcessor(w->conn, on_notice, NULL);
    pq.setErrorVerbosity(w->conn, PQERRORS_VERBOSE);
    PostgresPollingStatusType how = PGRES_POLLING_WRITING;
    while (pq.status(w->conn) != CONNECTION_BAD && how != PGRES_POLLING_OK &&
           how != PGRES_POLLING_FAILED) {
        if (!wait_for(w, how == PGRES_POLLING_READING ? POLLIN : POLLOUT, end))
            return lose_connection(w, "the server does not answer");
        how = pq.connectPoll(w->conn);
    }
    if (pq.status(w->conn) != CONNECTION_OK)
        return fail_connection(w);
    pq.setErrorVerbosity(w->conn, PQERRORS_DEFAULT);
    return pq.setnonblocking(w->conn, 1) == 0 || lose_connection(w, pq.errorMessage(w->conn));
}

/* ---- results */

static bool is_fatal(const char *severity)
{
    return severity && (strcmp(severity, "FATAL") == 0 || strcmp(severity, "PANIC") == 0);
}

/* Return whether the connection still exists. */
static bool note_failure(struct store_pg_wire *w, const PGresult *r)
{
    const char *state = pq.resultErrorField(r, PG_DIAG_SQLSTATE);
    const char *text = pq.resultErrorField(r, PG_DIAG_MESSAGE_PRIMARY);
    bool lost = is_fatal(pq.resultErrorField(r, PG_DIAG_SEVERITY_NONLOCALIZED)) ||
                pq.status(w->conn) == CONNECTION_BAD;
    set_error(w, state ? state : LOST, text ? text : pq.resultErrorMessage(r));
    return !lost;
}

bool store_pg_wire_run(struct store_pg_wire *w, const char *sql, char answer[STORE_PG_ANSWER])
{
    if (answer)
        answer[0] = 0;
    w->error = (struct store_pg_error){0};
    if (!pq.sendQuery(w->conn, sql))
        return lose_connection(w, pq.errorMessage(w->conn));
    for (;;) {
        if (!wait_for_result(w))
            return false;
        PGresult *r = pq.getResult(w->conn);
        if (!r)
            return !w->error.state[0];
        ExecStatusType status = pq.resultStatus(r);
        bool is_there = true;
        if (status == PGRES_TUPLES_OK && answer && pq.ntuples(r) > 0)
            snprintf(answer, STORE_PG_ANSWER, "%s", pq.getvalue(r, 0, 0));
        else if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK)
            is_there = note_failure(w, r);
        pq.clear(r);
        if (!is_there)
            return lose_connection(w, "");
    }
}

bool store_pg_wire_pipeline(struct store_pg_wire *w)
{
    return pq.enterPipelineMode(w->conn) || lose_connection(w, pq.errorMessage(w->conn));
}

/* Read the result of the oldest command, into *kept if given. Return false if the connection is
 * lost. */
static bool end_command(struct store_pg_wire *w, PGresult **kept)
{
    struct store_pg_command c = w->queue[w->head++];
    PGresult *r;
    bool is_there = true, ok = true;
    while (is_there && (is_there = wait_for_result(w)) && (r = pq.getResult(w->conn)) != NULL) {
        ExecStatusType status = pq.resultStatus(r);
        if (status == PGRES_PIPELINE_SYNC) {
            pq.clear(r);
            break;
        }
        ok = status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK;
        if (!ok && status != PGRES_PIPELINE_ABORTED && !note_failure(w, r))
            is_there = lose_connection(w, "");
        if (ok && kept && !*kept)
            *kept = r;
        else
            pq.clear(r);
    }
    if (c.prepared && is_there)
        c.prepared->how = ok ? PREPARED_DONE : PREPARED_NOT;
    return is_there;
}

static void enqueue_command(struct store_pg_wire *w, enum command_kind kind, struct prepared *p)
{
    if (w->head == w->tail)
        w->head = w->tail = 0;
    mem_grow((void **)&w->queue, &w->cap, w->tail + 1, sizeof *w->queue);
    w->queue[w->tail++] = (struct store_pg_command){kind, p};
}

/* End everything that is sent with a sync; the transaction continues after it. The server ends a
 * session that is idle inside a transaction (store_pg_schema.c), and so frees the locks of a
 * process that was stopped there, but it counts a session as idle only after a sync. */
static bool send_sync(struct store_pg_wire *w)
{
    if (!pq.pipelineSync(w->conn))
        return lose_connection(w, pq.errorMessage(w->conn));
    enqueue_command(w, COMMAND_SYNC, NULL);
    w->unsent = 0;
    return true;
}

/* Send everything and read the results that have arrived. If the queue is full, wait until half
 * of it is answered: with too many unread results the server blocks, and then nothing frees its
 * locks. */
static bool keep_moving(struct store_pg_wire *w)
{
    if (!send_sync(w))
        return false;
    for (int more = 1; more == 1;) {
        more = pq.flush(w->conn);
        if (!pq.consumeInput(w->conn))
            return lose_connection(w, pq.errorMessage(w->conn));
        while (w->head < w->tail && !pq.isBusy(w->conn))
            if (!end_command(w, NULL))
                return false;
        if (more == 1 &&
            !wait_for(w, POLLIN | POLLOUT, store_guard_clock() + w->wait_ms + GRACE_MS))
            return fail_silent(w);
    }
    bool is_full = w->tail - w->head >= QUEUE_MOST;
    while (is_full && w->tail - w->head > QUEUE_MOST / 2)
        if (!end_command(w, NULL))
            return false;
    return true;
}

/* ---- commands */

static struct prepared *find_prepared(struct store_pg_wire *w, const struct store_statement *st)
{
    struct {
        const char *sql;
        char types[STORE_MAX_VALUES];
    } key;
    memset(&key, 0, sizeof key);
    key.sql = st->sql;
    for (size_t i = 0; i < STORE_MAX_VALUES; i++)
        key.types[i] = (char)st->values[i].type;
    struct prepared *p = map_get(&w->statements, str_make((const char *)&key, sizeof key));
    if (p)
        return p;
    p = mem_zalloc(sizeof *p);
    snprintf(p->name, sizeof p->name, "m%zu", w->statements.count);
    p->values = store_pg_sql(st->sql, &p->sql);
    assert(p->values <= STORE_MAX_VALUES && !p->sql.overflow);
    map_set(&w->statements, str_make((const char *)&key, sizeof key), p);
    return p;
}

static bool prepare_statement(struct store_pg_wire *w, struct prepared *p,
                              const struct store_statement *st)
{
    static const Oid oids[] = {
        [STORE_TYPE_INT] = OID_INT8, [STORE_TYPE_REAL] = OID_FLOAT8, [STORE_TYPE_TEXT] = OID_TEXT};
    Oid types[STORE_MAX_VALUES];
    for (size_t i = 0; i < STORE_MAX_VALUES; i++)
        types[i] = oids[st->values[i].type];
    if (p->how != PREPARED_NOT)
        return true;
    if (!pq.sendPrepare(w->conn, p->name, p->sql.p ? p->sql.p : "", (int)p->values, types))
        return lose_connection(w, pq.errorMessage(w->conn));
    p->how = PREPARED_SENT;
    w->unsent += COMMAND_SIZE + p->sql.n;
    enqueue_command(w, COMMAND_PREPARE, p);
    return true;
}

/* Values are sent in binary form, so texts need no copy with a NUL at the end. */
static bool execute_prepared(struct store_pg_wire *w, const struct prepared *p,
                             const struct store_statement *st)
{
    const char *values[STORE_MAX_VALUES];
    int sizes[STORE_MAX_VALUES], formats[STORE_MAX_VALUES];
    uint64_t numbers[STORE_MAX_VALUES];
    for (size_t i = 0; i < p->values; i++) {
        const struct store_value *v = &st->values[i];
        uint64_t bits = (uint64_t)v->integer;
        if (v->type == STORE_TYPE_REAL)
            memcpy(&bits, &v->real, sizeof bits);
        numbers[i] = htobe64(bits);
        bool is_text = v->type == STORE_TYPE_TEXT;
        values[i] = !is_text ? (const char *)&numbers[i] : v->text.p ? v->text.p : "";
        sizes[i] = is_text ? (int)v->text.n : (int)sizeof numbers[i];
        formats[i] = 1;
        w->unsent += (size_t)sizes[i];
    }
    w->unsent += COMMAND_SIZE;
    if (!pq.sendQueryPrepared(w->conn, p->name, (int)p->values, values, sizes, formats, 0))
        return lose_connection(w, pq.errorMessage(w->conn));
    enqueue_command(w, COMMAND_QUERY, NULL);
    return true;
}

/* Read the results of all commands, and that of the last query, which a sync follows, into *kept if
 * given. Return false if the connection is lost; then *kept is NULL. */
static bool end_commands(struct store_pg_wire *w, PGresult **kept)
{
    bool is_there = true;
    while (is_there && w->head < w->tail)
        is_there = end_command(w, w->tail - w->head == 2 ? kept : NULL);
    if (!is_there && kept) {
        pq.clear(*kept);
        *kept = NULL;
    }
    return is_there;
}

static bool flush_output(struct store_pg_wire *w)
{
    return pq.flush(w->conn) >= 0 || lose_connection(w, pq.errorMessage(w->conn));
}

static bool send_query(struct store_pg_wire *w, const struct store_statement *st)
{
    if (w->error.state[0])
        return false;
    struct prepared *p = find_prepared(w, st);
    return prepare_statement(w, p, st) && execute_prepared(w, p, st);
}

bool store_pg_wire_send(struct store_pg_wire *w, const struct store_statement *st)
{
    if (!send_query(w, st))
        return false;
    bool is_short = w->tail - w->head < QUEUE_MOST && w->unsent < UNSENT_MOST;
    bool is_there = is_short || keep_moving(w);
    return is_there && !w->error.state[0];
}

PGresult *store_pg_wire_ask(struct store_pg_wire *w, const struct store_statement *st)
{
    PGresult *kept = NULL;
    if (!send_query(w, st) || !send_sync(w) || !flush_output(w) || !end_commands(w, &kept))
        return NULL;
    if (w->error.state[0]) {
        pq.clear(kept);
        return NULL;
    }
    return kept;
}

bool store_pg_wire_sync(struct store_pg_wire *w)
{
    return w->conn && send_sync(w) && flush_output(w) && end_commands(w, NULL) &&
           !w->error.state[0];
}

/* After an error the server ignores everything up to a sync: send one before the end of the
 * transaction and one after it. */
void store_pg_wire_recover(struct store_pg_wire *w)
{
    if (!w->conn || !send_sync(w))
        return;
    if (!pq.sendQueryParams(w->conn, "ROLLBACK", 0, NULL, NULL, NULL, NULL, 0)) {
        lose_connection(w, pq.errorMessage(w->conn));
        return;
    }
    enqueue_command(w, COMMAND_QUERY, NULL);
    store_pg_wire_sync(w);
    w->error = (struct store_pg_error){0};
    if (w->conn && pq.transactionStatus(w->conn) != PQTRANS_IDLE)
        store_pg_wire_close(w);
}
