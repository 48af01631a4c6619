#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "process/self.h"
#include "test.h"

static unsigned received;
static struct loop *loop;

static void on_signal(void *ctx)
{
    (void)ctx;
    received++;
    loop_stop(loop);
}

/* Return how often the signal was received; the SIGTERM after it always is. */
static unsigned count_signals(int signum)
{
    struct timer late = {0}; /* a signal alone keeps no loop running */
    received = 0;
    timer_start(&late, loop, 60000, on_signal, NULL);
    raise(signum);
    raise(SIGTERM);
    loop_run(loop);
    timer_stop(&late);
    return received - 1;
}

TEST(the_path_of_this_program_is_found)
{
    char path[PATH_MAX];
    struct error err = {0};
    assert_true(self_path(path, &err));
    assert_int_equal(access(path, X_OK), 0);
    assert_true(str_ends(str_from(path), STR("self_test")));
}

TEST(sigint_sigterm_and_sighup_are_received)
{
    signal(SIGHUP, SIG_DFL);
    loop = loop_new();
    self_on_signals(loop, on_signal, NULL);
    assert_int_equal(count_signals(SIGINT), 1);
    assert_int_equal(count_signals(SIGHUP), 1);
    loop_free(loop);
}

TEST(an_ignored_sighup_stays_ignored)
{
    signal(SIGHUP, SIG_IGN);
    loop = loop_new();
    self_on_signals(loop, on_signal, NULL);
    assert_int_equal(count_signals(SIGHUP), 0);
    loop_free(loop);
    signal(SIGHUP, SIG_DFL);
}
