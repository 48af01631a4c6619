#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "cli/orchestrate_show.h"
#include "cli/terminal.h"
#include "test.h"

static char told[65536];

/* The output of the events; standard output is a file meanwhile. */
static void tell(const struct scheduler_event *events, size_t count, bool logs)
{
    struct orchestrate_show s;
    struct loop *loop = loop_new();
    FILE *file = tmpfile();
    fflush(stdout);
    int before = dup(STDOUT_FILENO);
    assert_non_null(file);
    assert_true(dup2(fileno(file), STDOUT_FILENO) >= 0);
    orchestrate_show_init(&s, loop, &(struct orchestrate_show_options){.logs = logs});
    assert_false(s.is_terminal);
    for (size_t i = 0; i < count; i++)
        orchestrate_show_event(&s, &events[i]);
    orchestrate_show_end(&s, SCHEDULER_DRAINED, 0);
    orchestrate_show_done(&s);
    fflush(stdout);
    dup2(before, STDOUT_FILENO);
    close(before);
    rewind(file);
    size_t n = fread(told, 1, sizeof told - 1, file);
    told[n] = 0;
    fclose(file);
    loop_free(loop);
}

/* Line i as JSON. */
static const struct json *line(struct arena *a, size_t i)
{
    struct str rest = str_from(told), one = {0};
    for (size_t k = 0; k <= i; k++)
        assert_true(str_cut(&rest, '\n', &one));
    const struct json *v = json_parse(a, one, NULL, NULL);
    assert_non_null(v);
    return v;
}

static void check_text(const struct json *v, const char *key, const char *want)
{
    CHECK_CSTR(json_str(json_get(v, str_from(key))), want);
}

TEST(the_end_event_has_the_new_state_of_the_task)
{
    struct arena a = {0};
    int64_t n = 0;
    const struct scheduler_event e[] = {
        {.kind = SCHEDULER_ENDED,
         .task = 12,
         .name = STR_INIT("menu"),
         .number = 2,
         .event = TASK_RETRY,
         .outcome = STR_INIT("rate_limited"),
         .tool = STR_INIT("mock"),
         .text = STR_INIT("later \"please\""),
         .wait_ms = 1500,
         .running = 1,
         .workers = 4},
        {.kind = SCHEDULER_ENDED, .task = 12, .name = STR_INIT("menu"), .event = TASK_SUCCEED},
    };
    tell(e, 2, false);
    const struct json *v = line(&a, 0);
    check_text(v, "event", "ended");
    check_text(v, "task", "menu");
    check_text(v, "state", "RETRY_WAIT");
    check_text(v, "outcome", "rate_limited");
    check_text(v, "text", "later \"please\"");
    assert_true(json_i64(json_get(v, STR("wait_ms")), &n) && n == 1500);
    assert_true(json_i64(json_get(v, STR("workers")), &n) && n == 4);
    v = line(&a, 1);
    check_text(v, "state", "SUCCEEDED");
    assert_null(json_get(v, STR("wait_ms")));
    v = line(&a, 2);
    check_text(v, "event", "end");
    check_text(v, "how", "drained");
    arena_done(&a);
}

TEST(output_of_tasks_is_shown_only_with_logs)
{
    struct arena a = {0};
    const struct scheduler_event e[] = {{.kind = SCHEDULER_LOG,
                                         .task = 1,
                                         .name = STR_INIT("a"),
                                         .number = 1,
                                         .text = STR_INIT("one\ntwo \xff\n")}};
    tell(e, 1, false);
    check_text(line(&a, 0), "event", "end");
    tell(e, 1, true);
    check_text(line(&a, 0), "event", "log");
    check_text(line(&a, 0), "text", "one\ntwo \xef\xbf\xbd\n");
    arena_done(&a);
}

TEST(every_event_kind_has_a_name)
{
    for (enum scheduler_event_kind k = 0; k <= SCHEDULER_WARN; k++)
        assert_non_null(orchestrate_show_event_name(k));
}
