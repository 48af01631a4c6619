#include <stdlib.h>

#include "cli/command.h"
#include "cli/duration.h"
#include "cli/task_command.h"
#include "cli/terminal.h"
#include "test.h"

static void check_duration(int64_t ms, const char *want)
{
    struct buf out = {0};
    duration_put(&out, ms);
    CHECK_CSTR(buf_str(&out), want);
    buf_done(&out);
}

TEST(a_duration_has_two_units_at_most)
{
    check_duration(-5, "0 ms");
    check_duration(0, "0 ms");
    check_duration(999, "999 ms");
    check_duration(1000, "1 s");
    check_duration(61500, "1 min 1 s");
    check_duration(3600000, "1 h");
    check_duration(3661000, "1 h 1 min");
    check_duration(90061000, "1 d 1 h");
}

static void check_when(const struct task_row *t, int64_t now, const char *want)
{
    struct buf out = {0};
    task_command_put_when(&out, t, now);
    CHECK_CSTR(buf_str(&out), want);
    buf_done(&out);
}

TEST(a_waiting_task_shows_when_it_is_due_and_others_when_they_changed)
{
    struct task_row t = {.state = TASK_RETRY_WAIT, .due = 250000, .changed = 4000};
    check_when(&t, 10000, "in 4 min");
    check_when(&t, 300000, "0 s ago"); /* it is due: an orchestrator will take it */
    t.state = TASK_READY;
    check_when(&t, 10000, "6 s ago");
    check_when(&t, 1000, "0 s ago"); /* another machine's clock is ahead */
}

TEST(a_wrong_name_is_a_usage_error_and_a_wrong_state_a_failure)
{
    assert_int_equal(task_command_code(&(struct error){.code = ERR_TASK_NOT_FOUND}), COMMAND_USAGE);
    assert_int_equal(task_command_code(&(struct error){.code = ERR_INVALID_PARAMS}), COMMAND_USAGE);
    assert_int_equal(task_command_code(&(struct error){.code = ERR_TASK_STATE}), COMMAND_FAILED);
    assert_int_equal(task_command_code(&(struct error){.code = ERR_IO}), COMMAND_FAILED);
}

TEST(the_locale_decides_the_character_set)
{
    unsetenv("LC_ALL");
    unsetenv("LC_CTYPE");
    setenv("LANG", "de_DE.UTF-8", 1);
    assert_int_equal(terminal_charset(), COLUMNS_UNICODE);
    setenv("LC_CTYPE", "C.utf8", 1);
    assert_int_equal(terminal_charset(), COLUMNS_UNICODE);
    setenv("LC_ALL", "C", 1);
    assert_int_equal(terminal_charset(), COLUMNS_ASCII);
    setenv("LC_ALL", "", 1); /* empty counts as not set */
    assert_int_equal(terminal_charset(), COLUMNS_UNICODE);
    setenv("LC_CTYPE", "en_US.ISO-8859-1", 1);
    assert_int_equal(terminal_charset(), COLUMNS_ASCII);
}
