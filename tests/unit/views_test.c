#include "test.h"
#include "views/tasks.h"
#include "views/tooling.h"

/* The JSON that was written into an object, with single quotes. */
static struct buf out;
static struct jsonw w;

static int open_object(void **state)
{
    (void)state;
    w = jsonw_make(&out);
    jsonw_object(&w);
    return 0;
}

static int free_object(void **state)
{
    (void)state;
    buf_done(&out);
    return 0;
}

TEST_FIXTURE(open_object, free_object);

static void check_object(const char *want)
{
    jsonw_end(&w);
    for (size_t i = 0; i < out.n; i++)
        if (out.p[i] == '"')
            out.p[i] = '\'';
    CHECK_CSTR(buf_str(&out), want);
}

TEST(times_are_text_for_the_command_line_and_milliseconds_for_the_page)
{
    views_put_time(&w, "a", 1795000000123, VIEWS_CLI);
    views_put_time(&w, "b", 1795000000123, VIEWS_API);
    views_put_time(&w, "c", 0, VIEWS_CLI);
    check_object("{'a':'2026-11-18T11:06:40.123Z','b':1795000000123,'c':null}");
}

static const struct task_bulk_item cancelled = {
    .id = 7,
    .name = "menu",
    .change = {.before = TASK_RUNNING, .after = TASK_CANCELLED, .asked = true, .touched = 2}};

TEST(a_change_has_other_member_names_on_the_command_line)
{
    jsonw_key(&w, "cli");
    views_tasks_put_change(&w, &cancelled, TASK_BULK_CANCEL, VIEWS_CLI);
    jsonw_key(&w, "api");
    views_tasks_put_change(&w, &cancelled, TASK_BULK_CANCEL, VIEWS_API);
    check_object("{'cli':{'id':7,'name':'menu','before':'RUNNING','after':'CANCELLED',"
                 "'asked_to_stop':true,'others_changed':2},"
                 "'api':{'id':7,'name':'menu','before':'RUNNING','after':'CANCELLED',"
                 "'asked':true,'touched':2}}");
}

TEST(a_removed_task_has_no_state_afterwards)
{
    jsonw_key(&w, "cli");
    views_tasks_put_change(&w, &cancelled, TASK_BULK_REMOVE, VIEWS_CLI);
    jsonw_key(&w, "api");
    views_tasks_put_change(&w, &cancelled, TASK_BULK_REMOVE, VIEWS_API);
    check_object("{'cli':{'id':7,'name':'menu','before':'RUNNING','after':null},"
                 "'api':{'id':7,'name':'menu','before':'RUNNING','after':null,"
                 "'asked':true,'touched':2}}");
}

TEST(a_log_piece_names_its_task_on_the_command_line)
{
    const struct log_piece piece = {.number = 2, .seq = 5, .at = 1, .text = STR("hi")};
    jsonw_key(&w, "cli");
    jsonw_object(&w);
    views_tasks_put_log_piece(&w, STR("menu"), &piece, VIEWS_CLI);
    jsonw_end(&w);
    jsonw_key(&w, "api");
    jsonw_object(&w);
    views_tasks_put_log_piece(&w, STR("menu"), &piece, VIEWS_API);
    jsonw_end(&w);
    check_object("{'cli':{'task':'menu','attempt':2,'seq':5,'at':'1970-01-01T00:00:00.001Z',"
                 "'text':'hi'},'api':{'seq':5,'at':1,'text':'hi'}}");
}

TEST(a_cooldown_has_the_parts_of_its_key_on_the_command_line)
{
    const struct cooldown c = {
        .key = "codex-cli|login|gpt", .class = OUTCOME_RATE_LIMITED, .since = 1, .until = 2};
    jsonw_key(&w, "cli");
    views_tooling_put_cooldown(&w, &c, COOLDOWN_ACTIVE, VIEWS_CLI);
    jsonw_key(&w, "api");
    views_tooling_put_cooldown(&w, &c, COOLDOWN_ACTIVE, VIEWS_API);
    check_object(
        "{'cli':{'key':'codex-cli|login|gpt','tool':'codex-cli','account':'login',"
        "'model':'gpt','state':'resting','outcome':'rate_limited',"
        "'since':'1970-01-01T00:00:00.001Z','until':'1970-01-01T00:00:00.002Z',"
        "'failures':0,'evidence':'','message':''},"
        "'api':{'key':'codex-cli|login|gpt','class':'rate_limited','state':'resting',"
        "'since':1,'until':2,'probe_until':null,'failures':0,'evidence':'','message':''}}");
}
