#include "app/serve.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/socket.h>

#include "base/loop.h"
#include "folder_fixture.h"
#include "wire.h"

/* Of the timers that are started; 0 ms only means the next turn of the loop. timer_start() is
 * wrapped (meson.build). */
static uint64_t shortest_ms;

void __real_timer_start(struct timer *t, struct loop *loop, uint64_t ms, loop_fn *fn, void *ctx);
void __wrap_timer_start(struct timer *t, struct loop *loop, uint64_t ms, loop_fn *fn, void *ctx);

void __wrap_timer_start(struct timer *t, struct loop *loop, uint64_t ms, loop_fn *fn, void *ctx)
{
    if (ms && ms < shortest_ms)
        shortest_ms = ms;
    __real_timer_start(t, loop, ms, fn, ctx);
}

static struct config config;
static struct serve_options options;
static struct serve *server;
static int input[2]; /* a pipe: the server's standard input ends when input[1] is closed */

static int start(void **state)
{
    struct error err = {0};
    (void)state;
    if (!enter_folder() || pipe(input) || dup2(input[0], STDIN_FILENO) < 0)
        return -1;
    close(input[0]);
    setenv("MULTIVERSE_HOME", project_folder, 1);
    log_setup(LOG_TEXT, LOG_ERROR);
    if (!config_load(NULL, &config, &err))
        return -1;
    config.port = 0;
    shortest_ms = UINT64_MAX;
    options = (struct serve_options){.config = &config,
                                     .project = project_folder,
                                     .self = "multiverse",
                                     .has_console = true,
                                     .until_eof = true};
    server = serve_new(&options);
    return serve_listen(server, &err) ? 0 : -1;
}

static int stop(void **state)
{
    (void)state;
    config_done(&config);
    return leave_folder() ? 0 : -1;
}

TEST_FIXTURE(start, stop);

TEST(an_idle_server_stops_without_polling)
{
    close(input[1]);
    serve_run(server);
    assert_true(serve_close(server));
    assert_true(shortest_ms >= 100);
}

static int connect_to(unsigned port)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)port),
                             .sin_addr = {htonl(INADDR_LOOPBACK)}};
    assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
    return fd;
}

/* Open a feed, wait for its first bytes, end the server's standard input, read to the end. */
static void *read_feed(void *arg)
{
    int fd = connect_to(*(unsigned *)arg);
    char request[128], bytes[4096];
    int n = snprintf(request, sizeof request,
                     "GET /api/feed HTTP/1.1\r\nHost: 127.0.0.1:%u\r\n\r\n", *(unsigned *)arg);
    if (write(fd, request, (size_t)n) == n && read(fd, bytes, sizeof bytes) > 0)
        close(input[1]);
    while (read(fd, bytes, sizeof bytes) > 0)
        continue;
    close(fd);
    return NULL;
}

TEST(a_server_with_an_open_page_stops_without_polling)
{
    unsigned port = serve_port(server);
    pthread_t reader;
    assert_int_equal(pthread_create(&reader, NULL, read_feed, &port), 0);
    serve_run(server);
    assert_true(serve_close(server));
    pthread_join(reader, NULL);
    assert_true(shortest_ms >= 50); /* the feed collects changes for 50 ms */
}
