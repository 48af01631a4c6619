#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "test.h"

#define TIME 1794744245123u /* 2026-11-15T12:04:05.123Z */

static struct buf line;

static int teardown(void **state)
{
    buf_done(&line);
    log_setup(LOG_TEXT, LOG_INFO);
    return 0;
}

#define FIELDS(...) ((const struct log_field[]){__VA_ARGS__, {0}})
#define NO_FIELDS   ((const struct log_field[]){{0}})

static void check_text(const struct log_field *fields, const char *want)
{
    buf_clear(&line);
    log_line(&line, LOG_TEXT, false, &(struct log_entry){TIME, LOG_INFO, "event", fields});
    struct str got = buf_str(&line);
    assert_true(str_starts(got, STR("12:04:05.123 info  event")));
    CHECK_CSTR(str_skip(got, strlen("12:04:05.123 info  event")), want);
}

TEST_FIXTURE(NULL, teardown);

TEST(a_text_line_matches_the_manual)
{
    log_line(&line, LOG_TEXT, false,
             &(struct log_entry){TIME, LOG_INFO, "session opened",
                                 FIELDS(LOG_STR("session", STR("ab12")), LOG_INT("open", 3))});
    CHECK_CSTR(buf_str(&line), "12:04:05.123 info  session opened session=ab12 open=3\n");
}

TEST(a_json_line_matches_the_manual)
{
    log_line(&line, LOG_JSON, false,
             &(struct log_entry){TIME, LOG_INFO, "session opened",
                                 FIELDS(LOG_STR("session", STR("ab12")), LOG_INT("open", -3))});
    CHECK_CSTR(buf_str(&line), "{\"time\":\"2026-11-15T12:04:05.123Z\",\"level\":\"info\","
                               "\"event\":\"session opened\",\"session\":\"ab12\",\"open\":-3}\n");
}

TEST(every_level_has_its_name)
{
    static const char *const names[] = {"debug ", "info  ", "warn  ", "error "};
    for (enum log_level l = 0; l < LOG_LEVEL_COUNT; l++) {
        char want[64];
        enum log_level back = LOG_LEVEL_COUNT;
        buf_clear(&line);
        log_line(&line, LOG_TEXT, false, &(struct log_entry){TIME, l, "e", NO_FIELDS});
        snprintf(want, sizeof want, "12:04:05.123 %se\n", names[l]);
        CHECK_CSTR(buf_str(&line), want);
        assert_true(log_level_from_name(str_trim(str_from(names[l])), &back));
        assert_int_equal(back, l);
    }
}

TEST(names_are_read_exactly)
{
    enum log_level level = LOG_WARN;
    enum log_format format = LOG_JSON;
    assert_false(log_level_from_name(STR("INFO"), &level));
    assert_false(log_level_from_name(STR("information"), &level));
    assert_false(log_level_from_name((struct str){0}, &level));
    assert_int_equal(level, LOG_WARN);
    assert_false(log_format_from_name(STR("xml"), &format));
    assert_int_equal(format, LOG_JSON);
    assert_true(log_format_from_name(STR("text"), &format));
    assert_int_equal(format, LOG_TEXT);
    assert_true(log_format_from_name(STR("json"), &format));
    assert_int_equal(format, LOG_JSON);
}

TEST(values_with_blanks_or_quotes_are_quoted)
{
    check_text(FIELDS(LOG_STR("k", STR("plain/path-1.2:3"))), " k=plain/path-1.2:3\n");
    check_text(FIELDS(LOG_STR("k", STR("two words"))), " k=\"two words\"\n");
    check_text(FIELDS(LOG_STR("k", STR(""))), " k=\"\"\n");
    check_text(FIELDS(LOG_STR("k", (struct str){0})), " k=\"\"\n");
    check_text(FIELDS(LOG_STR("k", STR("a=b"))), " k=\"a=b\"\n");
    check_text(FIELDS(LOG_STR("k", STR("say \"hi\" \\o/"))), " k=\"say \\\"hi\\\" \\\\o/\"\n");
    check_text(FIELDS(LOG_STR("k", STR("naïve€😀"))), " k=naïve€😀\n");
    check_text(FIELDS(LOG_INT("k", INT64_MIN)), " k=-9223372036854775808\n");
}

TEST(control_characters_are_escaped)
{
    check_text(FIELDS(LOG_STR("k", STR("a\nb\r\tc"))), " k=\"a\\nb\\r\\tc\"\n");
    check_text(FIELDS(LOG_STR("k", STR("\0\x1b[31m\x7f"))), " k=\"\\u0000\\u001b[31m\\u007f\"\n");
    check_text(FIELDS(LOG_STR("k", STR("\xc2\x9b"))), " k=\"\\u009b\"\n");
    check_text(FIELDS(LOG_STR("k", STR("\xe2\x80\xa8\xe2\x80\xae\xe2\x81\xa6"))),
               " k=\"\\u2028\\u202e\\u2066\"\n");
}

TEST(no_value_can_forge_a_line)
{
    for (unsigned c = 0; c < 256; c++) {
        char value[4] = {'x', (char)c, 'y', 0};
        for (enum log_format f = LOG_TEXT; f <= LOG_JSON; f++) {
            buf_clear(&line);
            log_line(&line, f, false,
                     &(struct log_entry){TIME, LOG_INFO, value,
                                         FIELDS(LOG_STR("k", str_make(value, 3)))});
            assert_int_equal(str_find_char(buf_str(&line), '\n'), line.n - 1);
            assert_true(utf8_is_valid(buf_str(&line)));
            for (size_t i = 0; i + 1 < line.n; i++)
                assert_true((unsigned char)line.p[i] >= 0x20);
        }
    }
}

TEST(invalid_utf8_is_replaced)
{
    check_text(FIELDS(LOG_STR("k", STR("a\xff\xe2\x82"))), " k=a\xef\xbf\xbd\xef\xbf\xbd\n");
}

TEST(a_long_value_is_cut_at_a_character)
{
    struct buf value = {0};
    buf_add_char(&value, 'x');
    while (value.n < 3 * LOG_VALUE_MAX)
        buf_add(&value, STR("é"));
    for (enum log_format f = LOG_TEXT; f <= LOG_JSON; f++) {
        buf_clear(&line);
        log_line(&line, f, false,
                 &(struct log_entry){TIME, LOG_INFO, "e", FIELDS(LOG_STR("k", buf_str(&value)))});
        assert_true(line.n > LOG_VALUE_MAX && line.n < LOG_VALUE_MAX + 200);
        assert_true(utf8_is_valid(buf_str(&line)));
        assert_true(str_ends(buf_str(&line), f == LOG_JSON ? STR("é...\"}\n") : STR("é...\n")));
    }
    check_text(FIELDS(LOG_STR("k", str_head(buf_str(&value), 3))), " k=xé\n");
    buf_done(&value);
}

TEST(a_json_line_is_valid_for_any_value)
{
    struct str value = STR("\"\\\n\0\x1b\xff€\xe2\x80\xa8 end");
    log_line(&line, LOG_JSON, true,
             &(struct log_entry){TIME, LOG_ERROR, "e", FIELDS(LOG_STR("k", value))});
    struct arena a = {0};
    const struct json *doc = json_parse(&a, str_trim(buf_str(&line)), NULL, NULL);
    assert_non_null(doc);
    CHECK_STR(json_str(json_get(doc, STR("k"))), STR("\"\\\n\0\x1b\xef\xbf\xbd€\xe2\x80\xa8 end"));
    CHECK_CSTR(json_str(json_get(doc, STR("level"))), "error");
    assert_int_equal(json_count(doc), 4);
    arena_done(&a);
}

TEST(colour_is_around_the_level_only)
{
    log_line(&line, LOG_TEXT, true,
             &(struct log_entry){TIME, LOG_ERROR, "e", FIELDS(LOG_STR("k", STR("v")))});
    CHECK_CSTR(buf_str(&line), "12:04:05.123 \033[31merror\033[0m e k=v\n");
}

TEST(an_absurd_time_is_harmless)
{
    log_line(&line, LOG_TEXT, false, &(struct log_entry){UINT64_MAX, LOG_INFO, "e", NO_FIELDS});
    CHECK_CSTR(buf_str(&line), "23:59:59.999 info  e\n");
}

/* ---- what reaches stderr */

static int real_stderr;

static void redirect(int fd)
{
    fflush(stderr);
    real_stderr = dup(STDERR_FILENO);
    assert_true(real_stderr >= 0);
    dup2(fd, STDERR_FILENO);
}

static void restore(void)
{
    dup2(real_stderr, STDERR_FILENO);
    close(real_stderr);
}

/* A socket that keeps messages apart: one read is one write. */
TEST(a_line_is_one_write)
{
    int pair[2];
    char got[16384];
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair), 0);
    char *long_text = mem_alloc(3000);
    memset(long_text, 'x', 3000);
    redirect(pair[1]);
    log_setup(LOG_TEXT, LOG_WARN);
    log_debug("not this");
    log_info("nor this");
    log_warn("first", LOG_STR("k", STR("a b")), LOG_INT("n", 1));
    log_error("second", LOG_STR("text", str_make(long_text, 3000)));
    log_setup(LOG_JSON, LOG_DEBUG);
    log_debug("third");
    restore();

    ssize_t n = read(pair[0], got, sizeof got);
    assert_true(n > 13);
    CHECK_CSTR(str_make(got + 13, (size_t)n - 13), "warn  first k=\"a b\" n=1\n");
    n = read(pair[0], got, sizeof got);
    assert_int_equal(n, strlen("hh:mm:ss.mmm error second text=\n") + 3000);
    n = read(pair[0], got, sizeof got);
    assert_true(str_starts(str_make(got, (size_t)n), STR("{\"time\":\"2")));
    assert_true(
        str_ends(str_make(got, (size_t)n), STR("Z\",\"level\":\"debug\",\"event\":\"third\"}\n")));
    close(pair[1]);
    assert_int_equal(read(pair[0], got, sizeof got), 0);
    close(pair[0]);
    free(long_text);
}

/* What a terminal as stderr gets to see. */
static void check_on_terminal(const char *no_color, bool coloured)
{
    int ours, theirs;
    char got[256];
    assert_int_equal(openpty(&ours, &theirs, NULL, NULL, NULL), 0);
    if (no_color)
        setenv("NO_COLOR", no_color, 1);
    else
        unsetenv("NO_COLOR");
    redirect(theirs);
    log_setup(LOG_TEXT, LOG_INFO);
    log_info("hello");
    restore();
    unsetenv("NO_COLOR");
    ssize_t n = read(ours, got, sizeof got);
    assert_true(n > 13);
    CHECK_CSTR(str_trim(str_make(got + 13, (size_t)n - 13)),
               coloured ? "\033[32minfo \033[0m hello" : "info  hello");
    close(ours);
    close(theirs);
}

TEST(a_terminal_gets_colour_unless_no_color_is_set)
{
    check_on_terminal(NULL, true);
    check_on_terminal("1", false);
    check_on_terminal("0", false);
    check_on_terminal("", true); /* as no-color.org has it */
}

TEST(a_closed_stderr_is_harmless)
{
    int fd = open("/dev/full", O_WRONLY);
    assert_true(fd >= 0);
    redirect(fd);
    log_setup(LOG_TEXT, LOG_INFO);
    errno = EXDEV;
    log_error("lost");
    close(STDERR_FILENO);
    log_error("lost too");
    int after = errno;
    restore();
    close(fd);
    assert_int_equal(after, EXDEV); /* logging an error does not change it */
}

/* ---- lines that wait */

static struct loop *loop;
static int reader, writer;

static void begin_batch(void)
{
    int pair[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair), 0);
    reader = pair[0];
    writer = pair[1];
    log_setup(LOG_TEXT, LOG_INFO);
    loop = loop_new();
    redirect(writer);
    log_batch(loop);
}

static void end_batch(void)
{
    log_batch(NULL);
    restore();
    loop_free(loop);
    close(reader);
    close(writer);
}

/* What one write brought, the times left out; empty: there was none. */
static struct str next_write(void)
{
    static char got[256u << 10], text[sizeof got];
    ssize_t n = recv(reader, got, sizeof got, MSG_DONTWAIT);
    struct str rest = str_make(got, n < 0 ? 0 : (size_t)n), one;
    size_t at = 0;
    while (str_cut(&rest, '\n', &one)) {
        memcpy(text + at, one.p + 13, one.n - 13);
        at += one.n - 13;
        text[at++] = '\n';
    }
    return str_make(text, at);
}

TEST(lines_of_a_batch_are_one_write_and_then_the_loop_is_quiet)
{
    begin_batch();
    log_info("one");
    log_info("two", LOG_INT("n", 2));
    struct str early = next_write();
    loop_run(loop); /* until the loop has nothing left to do */
    struct str both = next_write();
    CHECK_CSTR(both, "info  one\ninfo  two n=2\n");
    assert_int_equal(early.n, 0);
    loop_run(loop);
    assert_int_equal(next_write().n, 0);
    log_info("three");
    loop_run(loop);
    CHECK_CSTR(next_write(), "info  three\n");
    end_batch();
}

TEST(a_warning_is_written_at_once_with_the_lines_before_it)
{
    begin_batch();
    log_info("one");
    errno = EXDEV;
    log_warn("two");
    int after = errno;
    CHECK_CSTR(next_write(), "info  one\nwarn  two\n");
    log_error("three");
    CHECK_CSTR(next_write(), "error three\n");
    loop_run(loop);
    assert_int_equal(next_write().n, 0);
    assert_int_equal(after, EXDEV);
    end_batch();
}

TEST(a_large_batch_is_written_at_once)
{
    char text[1000];
    memset(text, 'x', sizeof text);
    begin_batch();
    size_t n = 0;
    struct str got = {0};
    for (; !got.n && n < 100; n++) {
        log_info("e", LOG_STR("k", str_make(text, sizeof text)));
        got = next_write();
    }
    assert_in_range(got.n, 15000, 20000);
    assert_true(n > 10);
    end_batch();
}

TEST(after_a_batch_each_line_is_written_at_once)
{
    begin_batch();
    log_info("one");
    log_batch(NULL);
    CHECK_CSTR(next_write(), "info  one\n");
    log_info("two");
    CHECK_CSTR(next_write(), "info  two\n");
    end_batch();
}

static void on_fault(int signum)
{
    (void)signum;
    _exit(7);
}

/* A process that logs and then gets the signal, or with 0 stores where nothing can be stored and
 * has a handler for that. */
static _Noreturn void log_and_die(int signum)
{
    static const int all[] = {SIGABRT, SIGHUP, SIGQUIT, SIGSEGV, SIGBUS};
    int *nowhere = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    log_batch(NULL);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        signal(all[i], all[i] == SIGSEGV && !signum ? on_fault : SIG_DFL);
    log_batch(loop);
    log_info("last words");
    if (signum == SIGABRT)
        abort();
    else if (signum)
        raise(signum);
    else
        *(volatile int *)nowhere = 1;
    _exit(0);
}

TEST(no_line_is_lost_in_a_crash)
{
    static const int signals[] = {SIGABRT, SIGHUP, SIGQUIT, SIGSEGV, SIGBUS, 0};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        int status = 0;
        begin_batch();
        pid_t pid = fork();
        if (pid == 0)
            log_and_die(signals[i]);
        assert_int_equal(waitpid(pid, &status, 0), pid);
        CHECK_CSTR(next_write(), "info  last words\n");
        end_batch();
        if (signals[i])
            assert_true(WIFSIGNALED(status) && WTERMSIG(status) == signals[i]);
        else
            assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    }
}

TEST(a_signal_that_was_ignored_still_is)
{
    struct sigaction now;
    signal(SIGHUP, SIG_IGN);
    signal(SIGQUIT, on_fault);
    begin_batch();
    sigaction(SIGHUP, NULL, &now);
    end_batch();
    signal(SIGHUP, SIG_DFL);
    assert_ptr_equal(now.sa_handler, SIG_IGN);
    sigaction(SIGQUIT, NULL, &now);
    signal(SIGQUIT, SIG_DFL);
    assert_ptr_equal(now.sa_handler, on_fault); /* given back */
}
