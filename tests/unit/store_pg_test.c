/* A server that goes away: killed inside a transaction, at its commit, or while idle. It is a
 * server of its own (tests/postgres.sh), because other tests need theirs. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/loop.h"
#include "pg_proxy.h"
#include "store/store_thread.h"
#include "store_url.h"

#define WAIT_MS TEST_LIMIT_MS

static const char *const steps[] = {
    "CREATE TABLE number (id BIGINT PRIMARY KEY, value BIGINT NOT NULL);"
    "INSERT INTO number VALUES (1, 0);"};
static const struct store_schema schema = {
    .name = "things",
    .mark = 0x7468696e,
    .steps = steps,
    .version = 1,
    .check = "SELECT count(value) FROM number WHERE id = 1",
};

static char folder[64], server[4096], port[8];
static struct error err;
static struct store *store;

/* ---- the server */

static int command(const char *what, char *answer, size_t size)
{
    char line[512];
    snprintf(line, sizeof line, POSTGRES_SH " --no-fsync --listen 127.0.0.1 --port %s %s %s", port,
             what, folder);
    FILE *f = popen(line, "r");
    assert_non_null(f);
    if (!answer || !fgets(answer, (int)size, f))
        while (fgetc(f) != EOF)
            ;
    if (answer)
        answer[strcspn(answer, "\n")] = 0;
    return pclose(f);
}

static void tell_server(const char *what)
{
    assert_int_equal(command(what, NULL, 0), 0);
}

/* Through its socket; show_url() uses TCP, with a password. */
static void use_socket(const char *user, const char *database, char to[4096])
{
    size_t n = (size_t)snprintf(to, 4096, "postgresql://%s@", user);
    for (const char *p = folder; *p; p++)
        n += (size_t)snprintf(to + n, 4096 - n, *p == '/' ? "%%2F" : "%c", *p);
    snprintf(to + n, 4096 - n, ":%s/%s", port, database);
}

static void find_port(void)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t n = sizeof a;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&a, n), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&a, &n), 0);
    snprintf(port, sizeof port, "%u", ntohs(a.sin_port));
    close(fd);
}

static int start_server(void **state)
{
    char pid[32];
    snprintf(folder, sizeof folder, "/tmp/store-pg-XXXXXX");
    assert_non_null(mkdtemp(folder));
    find_port();
    snprintf(pid, sizeof pid, "--with %d start", (int)getpid());
    char url[4096] = "";
    int status = command(pid, url, sizeof url);
    if (status == 77 << 8)
        exit(77);
    assert_int_equal(status, 0);
    assert_true(store_is_server(url));
    use_socket("postgres", "postgres", server);
    setenv("MULTIVERSE_TEST_STORE", server, 1);
    return 0;
}

static int stop_server(void **state)
{
    return command("stop", NULL, 0);
}

/* ---- works */

static bool add_one(struct store *s, void *ctx, struct error *e)
{
    (void)ctx;
    return store_do(
        s, &(struct store_statement){.sql = "UPDATE number SET value = value + 1 WHERE id = 1"},
        NULL, e);
}

static bool get_value(struct store *s, void *ctx, struct error *e)
{
    return store_query_int(s, &(struct store_statement){.sql = "SELECT value FROM number"}, ctx, e);
}

static struct store *open_at(const char *url, enum store_failure *failure)
{
    return store_open(&(struct store_options){.url = url, .schema = &schema, .wait_ms = WAIT_MS},
                      failure, &err);
}

static int64_t value_now(void)
{
    int64_t value = -1;
    struct store *s = open_at(server, NULL);
    if (!s || !store_run(s, STORE_READ, get_value, &value, &err))
        fail_msg("%s", err.text);
    store_close(s);
    return value;
}

static bool run_sql(struct store *s, void *ctx, struct error *e)
{
    size_t changed;
    return store_do(s, &(struct store_statement){.sql = ctx}, &changed, e);
}

static void administer(const char *sql)
{
    struct store *s = open_at(server, NULL);
    char text[256];
    snprintf(text, sizeof text, "%s", sql);
    if (!s || !store_run(s, STORE_ROWS, run_sql, text, &err))
        fail_msg("%s", err.text);
    store_close(s);
}

static int setup(void **state)
{
    char url[4096];
    err = (struct error){0};
    test_store_begin(url, "");
    store = open_at(url, NULL);
    if (!store)
        fail_msg("%s", err.text);
    return 0;
}

static int teardown(void **state)
{
    store_close(store);
    test_store_end();
    return 0;
}

static void check_gone(bool ok)
{
    assert_false(ok);
    assert_int_equal(store_last_failure(store), STORE_UNAVAILABLE);
    assert_non_null(strstr(err.text, "cannot use postgresql://postgres@"));
}

static void check_it_works(void)
{
    for (int i = 0; i < 3; i++)
        if (!store_run(store, STORE_WRITE, add_one, NULL, &err))
            fail_msg("%s", err.text);
}

/* ---- a server that goes away */

static bool kill_in_the_middle(struct store *s, void *ctx, struct error *e)
{
    int64_t value;
    if (!add_one(s, NULL, e) || !get_value(s, &value, e))
        return false;
    tell_server(ctx);
    return add_one(s, NULL, e) && get_value(s, &value, e);
}

TEST_FIXTURE(setup, teardown);

TEST(a_server_that_dies_in_a_transaction_leaves_no_change)
{
    check_gone(store_run(store, STORE_ROWS, kill_in_the_middle, "kill", &err));
    check_gone(store_run(store, STORE_ROWS, add_one, NULL, &err)); /* still alive */
    tell_server("start");
    assert_int_equal(value_now(), 0);
    check_it_works();
    assert_int_equal(value_now(), 3);
}

TEST(a_server_that_is_stopped_in_a_transaction_is_unavailable)
{
    check_gone(store_run(store, STORE_ROWS, kill_in_the_middle, "stop", &err));
    tell_server("start");
    assert_int_equal(value_now(), 0);
    check_it_works();
}

static bool kill_at_the_end(struct store *s, void *ctx, struct error *e)
{
    int64_t value;
    if (!add_one(s, ctx, e) || !get_value(s, &value, e))
        return false;
    tell_server("kill");
    return true;
}

TEST(a_server_that_dies_before_the_commit_is_unavailable)
{
    check_gone(store_run(store, STORE_WRITE, kill_at_the_end, NULL, &err));
    tell_server("start");
    assert_int_equal(value_now(), 0);
    check_it_works();
}

/* It was down while idle: no caller notices. */
TEST(a_restarted_server_is_used_again)
{
    check_it_works();
    tell_server("kill");
    tell_server("start");
    check_it_works();
    tell_server("stop");
    tell_server("start");
    check_it_works();
    assert_int_equal(value_now(), 9);
}

TEST(an_ended_session_is_replaced)
{
    administer("SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE pid <>"
               " pg_backend_pid() AND backend_type = 'client backend'");
    check_it_works();
}

/* ---- a process that is stopped inside a transaction */

static bool stop_in_the_middle(struct store *s, void *ctx, struct error *e)
{
    int64_t value;
    if (!add_one(s, NULL, e) || !get_value(s, &value, e))
        return false;
    for (int i = 0; i < *(int *)ctx; i++)
        if (!add_one(s, NULL, e))
            return false;
    raise(SIGSTOP);
    return true;
}

static void check_locks_of_a_stopped_process_are_free(int statements)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct store *s = store_open(
            &(struct store_options){.url = server, .schema = &schema, .wait_ms = 1000}, NULL, &err);
        if (s)
            store_run(s, STORE_ROWS, stop_in_the_middle, &statements, &err);
        _exit(1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, WUNTRACED), child);
    assert_true(WIFSTOPPED(status));
    check_it_works();
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    assert_int_equal(value_now(), 3);
}

TEST(a_process_stopped_while_reading_keeps_no_lock)
{
    check_locks_of_a_stopped_process_are_free(0);
}

TEST(a_process_stopped_while_writing_keeps_no_lock)
{
    check_locks_of_a_stopped_process_are_free(1000);
}

/* ---- an answer that gets lost */

static struct pg_proxy *proxy;

static void begin_proxy(struct pg_proxy *p, const char *path, char url[4096])
{
    size_t n = (size_t)snprintf(url, 4096, "postgresql://postgres@");
    p->server = path;
    pg_proxy_start(p);
    proxy = p;
    for (const char *at = test_store_folder; *at; at++)
        n += (size_t)snprintf(url + n, 4096 - n, *at == '/' ? "%%2F" : "%c", *at);
    snprintf(url + n, 4096 - n, ":5432/postgres");
}

static bool mute_at_the_end(struct store *s, void *ctx, struct error *e)
{
    int64_t value;
    if (!add_one(s, ctx, e) || !get_value(s, &value, e))
        return false;
    proxy->mode = PROXY_MUTE;
    return true;
}

/* The commit arrives, but its answer does not. */
TEST(a_commit_whose_answer_is_lost_counts_as_unavailable)
{
    char path[128], url[4096];
    struct pg_proxy p = {0};
    snprintf(path, sizeof path, "%s/.s.PGSQL.%s", folder, port);
    begin_proxy(&p, path, url);
    struct store *s = open_at(url, NULL);
    assert_non_null(s);
    assert_false(store_run(s, STORE_ROWS, mute_at_the_end, NULL, &err));
    assert_int_equal(store_last_failure(s), STORE_UNAVAILABLE);
    assert_int_equal(value_now(), 1);
    p.mode = PROXY_FINE;
    assert_true(store_run(s, STORE_ROWS, add_one, NULL, &err));
    assert_int_equal(value_now(), 2);
    store_close(s);
    pg_proxy_stop(&p);
}

static bool go_deaf(struct store *s, void *ctx, struct error *e)
{
    int64_t value;
    proxy->mode = PROXY_DEAF;
    (void)ctx;
    return add_one(s, NULL, e) && get_value(s, &value, e);
}

TEST(the_wait_for_a_silent_server_ends)
{
    char path[128], url[4096];
    struct pg_proxy p = {0};
    snprintf(path, sizeof path, "%s/.s.PGSQL.%s", folder, port);
    begin_proxy(&p, path, url);
    struct store *s = store_open(
        &(struct store_options){.url = url, .schema = &schema, .wait_ms = 100}, NULL, &err);
    assert_non_null(s);
    assert_false(store_run(s, STORE_ROWS, go_deaf, NULL, &err));
    assert_int_equal(store_last_failure(s), STORE_UNAVAILABLE);
    assert_non_null(strstr(err.text, "no answer for"));
    /* a new connection does not wait either */
    assert_false(store_run(s, STORE_ROWS, add_one, NULL, &err));
    assert_int_equal(store_last_failure(s), STORE_UNAVAILABLE);
    p.stop = true;
    store_close(s);
    pg_proxy_stop(&p);
    assert_int_equal(value_now(), 0);
}

static bool add_ten(struct store *s, void *ctx, struct error *e)
{
    bool ok = true;
    for (int i = 0; ok && i < 10; i++)
        ok = add_one(s, ctx, e);
    return ok;
}

static bool add_ten_and_look(struct store *s, void *ctx, struct error *e)
{
    return add_ten(s, ctx, e) && get_value(s, ctx, e);
}

TEST(changes_cost_no_extra_round_trip)
{
    char path[128], url[4096];
    int64_t value = 0;
    struct pg_proxy p = {0};
    snprintf(path, sizeof path, "%s/.s.PGSQL.%s", folder, port);
    begin_proxy(&p, path, url);
    struct store *s = open_at(url, NULL);
    assert_non_null(s);
    for (int i = 0; i < 2; i++) { /* also with statements that must be prepared */
        size_t before = p.trips;
        assert_true(store_run(s, STORE_WRITE, add_ten, NULL, &err));
        assert_int_equal(p.trips - before, 1);
        before = p.trips;
        assert_true(store_run(s, STORE_WRITE, add_ten_and_look, &value, &err));
        assert_int_equal(p.trips - before, 2);
    }
    assert_int_equal(value, 40);
    store_close(s);
    pg_proxy_stop(&p);
}

/* ---- refusals */

static void check_open_fails(const char *url, enum store_failure want, const char *text)
{
    enum store_failure failure = STORE_OK;
    err = (struct error){0};
    assert_null(open_at(url, &failure));
    if (failure != want || !strstr(err.text, text) || strstr(err.text, "very-secret"))
        fail_msg("%d: %s", (int)failure, err.text);
}

TEST(an_error_in_the_url_is_reported_with_a_remedy)
{
    char url[4096];
    use_socket("postgres", "nothing", url);
    check_open_fails(url, STORE_REFUSED, "create it (createdb), or name another");
    use_socket("stranger", "postgres", url);
    check_open_fails(url, STORE_REFUSED, "check user and password in the URL");
    snprintf(url, sizeof url, "postgresql://postgres:very-secret@127.0.0.1:%s/postgres", port);
    check_open_fails(url, STORE_REFUSED, "check user and password in the URL");
    check_open_fails("postgresql://u:very-secret%@h/d", STORE_REFUSED,
                     "not a valid PostgreSQL URL");
    check_open_fails("postgresql://u:very/secret@127.0.0.1:1/d", STORE_UNAVAILABLE,
                     "the connection failed");
    check_open_fails("postgresql://u@127.0.0.1:1/d?password=very-secret", STORE_UNAVAILABLE,
                     "postgresql://u@127.0.0.1:1/d: connection to server");
    check_open_fails("postgresql://u@%2Fnowhere/d", STORE_UNAVAILABLE, "No such file");
}

TEST(a_password_works_and_is_never_shown)
{
    char url[4096] = "";
    assert_int_equal(command("url", url, sizeof url), 0);
    struct store *s = open_at(url, NULL);
    assert_non_null(s);
    const char *password = strchr(url + 13, ':') + 1;
    assert_true(strlen(password) > 32);
    char secret[33];
    snprintf(secret, sizeof secret, "%s", password);
    assert_null(strstr(store_name(s), secret));
    assert_non_null(strstr(store_name(s), "postgresql://postgres@127.0.0.1:"));
    store_close(s);
}

TEST(a_user_without_the_right_to_create_tables_is_refused)
{
    char url[4096];
    administer(
        "DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'guest') THEN CREATE"
        " ROLE guest LOGIN; END IF; END $$");
    administer("DROP SCHEMA multiverse CASCADE");
    use_socket("guest", "postgres", url);
    check_open_fails(url, STORE_REFUSED, "give the user the right to CREATE");
    check_it_works(); /* a user with the right creates them again */
    check_open_fails(url, STORE_REFUSED, "permission denied");
}

TEST(too_many_connections_may_be_fewer_later)
{
    char url[4096];
    administer("DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'one') THEN CREATE"
               " ROLE one LOGIN SUPERUSER; END IF; ALTER ROLE one CONNECTION LIMIT 0; END $$");
    administer("ALTER ROLE one NOSUPERUSER");
    use_socket("one", "postgres", url);
    check_open_fails(url, STORE_UNAVAILABLE, "too many connections");
}

TEST(a_user_who_loses_a_right_may_get_it_back)
{
    char url[4096];
    administer("DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'out') THEN CREATE"
               " ROLE out SUPERUSER; END IF; ALTER ROLE out LOGIN; END $$");
    use_socket("out", "postgres", url);
    struct store *s = open_at(url, NULL);
    assert_non_null(s);
    assert_true(store_run(s, STORE_ROWS, add_one, NULL, &err));
    administer("ALTER ROLE out NOLOGIN");
    administer("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'out'");
    for (int i = 0; i < 2; i++) {
        assert_false(store_run(s, STORE_ROWS, add_one, NULL, &err));
        assert_int_equal(store_last_failure(s), STORE_UNAVAILABLE);
    }
    assert_non_null(strstr(err.text, "not permitted to log in"));
    administer("ALTER ROLE out LOGIN");
    assert_true(store_run(s, STORE_ROWS, add_one, NULL, &err));
    store_close(s);
}

/* ---- tables that went */

TEST(removed_tables_are_created_again)
{
    check_it_works();
    administer("DROP SCHEMA multiverse CASCADE");
    check_it_works();
    assert_int_equal(value_now(), 3);
}

/* ---- a thread */

static struct loop *loop;
static struct store_thread *thread;
static struct buf seen;
static const char *stop_at;

static void say(const char *what)
{
    buf_printf(&seen, "%s ", what);
    if (stop_at && str_ends(buf_str(&seen), str_from(stop_at)))
        loop_stop(loop);
}

static void on_late(void *ctx)
{
    fail_msg("seen only: %s", (char *)ctx);
}

static void wait_for(const char *last)
{
    struct timer guard = {0};
    stop_at = last;
    timer_start(&guard, loop, test_left_ms(), on_late, seen.p);
    if (!str_ends(buf_str(&seen), str_from(last)))
        loop_run(loop);
    timer_stop(&guard);
}

static void on_notify(const char *channel, void *ctx)
{
    (void)ctx;
    say(channel);
}

static void on_failure(const struct error *e, enum store_failure failure, void *ctx)
{
    (void)ctx;
    say(!e ? "back" : failure == STORE_UNAVAILABLE ? "gone" : "useless");
}

static void on_done(bool ok, const struct error *e, void *ctx)
{
    (void)e;
    say(ok ? ctx : "failed");
}

static void on_closed(void *ctx)
{
    (void)ctx;
    say("closed");
}

static bool tell(struct store *s, void *ctx, struct error *e)
{
    return add_one(s, ctx, e) && store_notify(s, "work", e);
}

static void open_thread(void)
{
    loop = loop_new();
    thread =
        store_thread_open(loop, &(struct store_thread_options){
                                    .store = {.url = server, .schema = &schema, .wait_ms = WAIT_MS},
                                    .channels = {"work"},
                                    .on_notify = on_notify,
                                    .on_failure = on_failure});
    wait_for("work ");
    buf_clear(&seen);
}

static void close_thread(void)
{
    store_thread_close(thread, on_closed, NULL);
    wait_for("closed ");
    loop_free(loop);
    buf_done(&seen);
}

TEST(a_thread_recovers_after_its_server_died)
{
    open_thread();
    tell_server("kill");
    wait_for("gone "); /* although there was no job */
    assert_true(store_thread_is_unavailable(thread));
    store_thread_run(thread, STORE_ROWS, add_one, on_done, "done");
    tell_server("start");
    wait_for("done work ");
    CHECK_STR(buf_str(&seen), STR("gone back done work "));
    buf_clear(&seen);
    assert_int_equal(value_now(), 1);
    assert_true(store_run(store, STORE_ROWS, tell, NULL, &err)); /* it listens again */
    wait_for("work ");
    close_thread();
}

TEST(a_thread_whose_session_was_ended_listens_again)
{
    open_thread();
    administer("SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE pid <>"
               " pg_backend_pid() AND backend_type = 'client backend'");
    wait_for("work "); /* earlier notifications may be lost */
    CHECK_STR(buf_str(&seen), STR("work "));
    buf_clear(&seen);
    assert_true(store_run(store, STORE_ROWS, tell, NULL, &err));
    wait_for("work ");
    close_thread();
}

static bool die_in_the_job(struct store *s, void *ctx, struct error *e)
{
    int64_t value;
    int *calls = ctx;
    if (!add_one(s, NULL, e) || !get_value(s, &value, e))
        return false;
    if ((*calls)++ == 0)
        tell_server("kill");
    return add_one(s, NULL, e);
}

static void on_calls(bool ok, const struct error *e, void *ctx)
{
    on_done(ok, e, *(int *)ctx == 2 ? "twice" : "once");
}

TEST(a_job_is_retried_after_its_server_died)
{
    int calls = 0;
    open_thread();
    store_thread_run(thread, STORE_ROWS, die_in_the_job, on_calls, &calls);
    wait_for("gone ");
    tell_server("start");
    wait_for("back twice work ");
    close_thread();
    assert_int_equal(value_now(), 2);
}

int main(void)
{
    return test_run(start_server, stop_server);
}
