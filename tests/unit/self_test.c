#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "process/self.h"
#include "test.h"

static unsigned heard;
static struct loop *loop;

static void on_signal(void *ctx)
{
    (void)ctx;
    heard++;
    loop_stop(loop);
}

/* How often it was heard of; the signal that follows it has to be heard in any case. */
static unsigned hear(int signum)
{
    struct timer late = {0}; /* a signal alone keeps no loop running */
    heard = 0;
    timer_start(&late, loop, 60000, on_signal, NULL);
    raise(signum);
    raise(SIGTERM);
    loop_run(loop);
    timer_stop(&late);
    return heard - 1;
}

TEST(it_is_where_it_was_started_from)
{
    char path[PATH_MAX];
    struct error err = {0};
    assert_true(self_path(path, &err));
    assert_int_equal(access(path, X_OK), 0);
    assert_true(str_ends(str_from(path), STR("self_test")));
}

TEST(ctrl_c_the_end_and_a_closed_terminal_are_heard)
{
    signal(SIGHUP, SIG_DFL);
    loop = loop_new();
    self_on_signals(loop, on_signal, NULL);
    assert_int_equal(hear(SIGINT), 1);
    assert_int_equal(hear(SIGHUP), 1);
    loop_free(loop);
}

TEST(nohup_holds)
{
    signal(SIGHUP, SIG_IGN);
    loop = loop_new();
    self_on_signals(loop, on_signal, NULL);
    assert_int_equal(hear(SIGHUP), 0);
    loop_free(loop);
    signal(SIGHUP, SIG_DFL);
}
