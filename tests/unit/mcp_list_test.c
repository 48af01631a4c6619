#include "mcp/mcp_list.h"

#include "base/base64.h"
#include "mcp_fixture.h"

/* The names of one page of tools/list, and the cursor after it (empty: the last page). */
static void page(struct fixture *f, struct mcp_session *s, const char *cursor, struct buf *names,
                 struct buf *next)
{
    struct buf params = {0};
    struct arena a = {0};
    if (cursor)
        buf_printf(&params, "{'cursor':'%s'}", cursor);
    else
        buf_add(&params, STR("{}"));
    ask(f, s, "1", "tools/list", params.p);
    struct buf text = {0};
    swap_quotes(&text, str_skip(str_trim(buf_str(&f->heard)), 4)); /* after "200 " */
    const struct json *doc = json_parse(&a, buf_str(&text), NULL, NULL);
    const struct json *result = json_get(doc, STR("result"));
    buf_clear(names);
    buf_clear(next);
    JSON_ITEMS (json_get(result, STR("tools")), tool)
        buf_printf(names, "%.*s ", STR_ARG(json_str(json_get(tool, STR("name")))));
    buf_add(next, json_str(json_get(result, STR("nextCursor"))));
    buf_clear(&f->heard);
    buf_done(&text);
    buf_done(&params);
    arena_done(&a);
}

TEST(pages_follow_one_another)
{
    struct fixture f;
    struct buf names = {0}, next = {0}, cursor = {0};
    set_up(&f);
    struct mcp_session *s = open_session(&f, "{}");

    page(&f, s, NULL, &names, &next);
    CHECK_CSTR(buf_str(&names), "echo hold ask job must question ");
    assert_int_equal(next.n, 0);

    f.impl.page_size = 4;
    page(&f, s, NULL, &names, &next);
    CHECK_CSTR(buf_str(&names), "echo hold ask job ");
    assert_true(next.n > 0);
    buf_add(&cursor, buf_str(&next));
    page(&f, s, cursor.p, &names, &next);
    CHECK_CSTR(buf_str(&names), "must question ");
    assert_int_equal(next.n, 0);

    f.impl.page_size = 3; /* no page after the last item */
    page(&f, s, NULL, &names, &next);
    CHECK_CSTR(buf_str(&names), "echo hold ask ");
    buf_clear(&cursor);
    buf_add(&cursor, buf_str(&next));
    page(&f, s, cursor.p, &names, &next);
    CHECK_CSTR(buf_str(&names), "job must question ");
    assert_int_equal(next.n, 0);

    /* The list became shorter meanwhile: the end of it, not an error. */
    f.impl.page_size = 4;
    mcp_set_tools(f.mcp, NULL, 0);
    buf_clear(&f.heard);
    page(&f, s, cursor.p, &names, &next);
    CHECK_CSTR(buf_str(&names), "");
    assert_int_equal(next.n, 0);

    buf_done(&names);
    buf_done(&next);
    buf_done(&cursor);
    tear_down(&f);
}

#define BAD                                                                                        \
    "200 {'id':1,'error':{'code':-32602,'message':'cursor is not from this server: use "           \
    "nextCursor of "                                                                               \
    "the previous page, or leave it out'}}\n"

TEST(a_foreign_cursor_is_refused)
{
    static const char *const inner[] = {
        "page:",   "page:0",          "page:-1",
        "page:1x", "page: 1",         "pag:1",
        "1",       "page:1073741824", "page:99999999999999999999",
    };
    static const char *const bad[] = {
        "{'cursor':1}",   "{'cursor':{}}",          "{'cursor':''}",
        "{'cursor':'x'}", "{'cursor':'cGFnZTox='}", "{'cursor':'cGFnZTo*'}",
    };
    struct fixture f;
    set_up(&f);
    struct mcp_session *s = open_session(&f, "{}");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ask(&f, s, "1", "prompts/list", bad[i]);
        HEARD(&f, BAD);
    }
    for (size_t i = 0; i < sizeof inner / sizeof *inner; i++) {
        struct buf params = {0};
        buf_add(&params, STR("{'cursor':'"));
        base64_encode_url(&params, str_from(inner[i]));
        buf_add(&params, STR("'}"));
        ask(&f, s, "1", "resources/list", params.p);
        HEARD(&f, BAD);
        buf_done(&params);
    }
    struct buf longest = {0};
    buf_add(&longest, STR("{'cursor':'"));
    for (int i = 0; i < 100000; i++)
        buf_add_char(&longest, 'A');
    buf_add(&longest, STR("'}"));
    ask(&f, s, "1", "tasks/list", longest.p);
    HEARD(&f, BAD);
    buf_done(&longest);

    /* One that some clients send for "the first page". */
    ask(&f, s, "1", "resources/templates/list", "{'cursor':null}");
    HEARD(&f, "200 {'id':1,'result':{'resourceTemplates':[]}}\n");
    tear_down(&f);
}

TEST(every_member_of_a_description_is_listed)
{
    static const struct mcp_tool tool = {
        .name = "n",
        .title = "t",
        .description = "d",
        .input_schema = "{\"type\":\"object\"}",
        .output_schema = "{\"type\":\"object\",\"x\":1}",
        .annotations = {.destructive = true},
        .task = MCP_TASK_OPTIONAL,
    };
    static const struct mcp_argument arguments[] = {{"a", "da", true}, {"b", NULL, false}};
    static const struct mcp_prompt prompt = {"p", "pt", "pd", arguments, 2, NULL};
    static const struct mcp_resource resource = {"u:1", "rn", "rt", "rd", "text/plain", NULL};
    static const struct mcp_resource template = {"u:{x}", "tn", NULL, NULL, NULL, NULL};
    struct fixture f;
    set_up(&f);
    struct mcp_session *s = open_session(&f, "{}");
    mcp_set_tools(f.mcp, (const struct mcp_tool *const[]){&tool}, 1);
    mcp_set_prompts(f.mcp, (const struct mcp_prompt *const[]){&prompt}, 1);
    mcp_set_resources(f.mcp, (const struct mcp_resource *const[]){&resource}, 1);
    mcp_set_templates(f.mcp, (const struct mcp_resource *const[]){&template}, 1);
    buf_clear(&f.heard);

    ask(&f, s, "1", "tools/list", "{}");
    HEARD(&f, "200 {'id':1,'result':{'tools':[{'name':'n','title':'t','description':'d',"
              "'inputSchema':{'type':'object'},'outputSchema':{'type':'object','x':1},"
              "'annotations':{'title':'t','readOnlyHint':false,'destructiveHint':true,"
              "'idempotentHint':false,'openWorldHint':false},"
              "'execution':{'taskSupport':'optional'}}]}}\n");
    ask(&f, s, "1", "prompts/list", "{}");
    HEARD(&f, "200 {'id':1,'result':{'prompts':[{'name':'p','title':'pt','description':'pd',"
              "'arguments':[{'name':'a','description':'da','required':true},{'name':'b',"
              "'required':false}]}]}}\n");
    ask(&f, s, "1", "resources/list", "{}");
    HEARD(&f, "200 {'id':1,'result':{'resources':[{'uri':'u:1','name':'rn','title':'rt',"
              "'description':'rd','mimeType':'text/plain'}]}}\n");
    /* A modern client gets a lifetime for the list, and no task support for each tool. */
    ask(&f, NULL, "1", "resources/templates/list", "{" MODERN("{}") "}");
    HEARD(&f, "200 {'id':1,'result':{'resultType':'complete',META,'resourceTemplates':[{"
              "'uriTemplate':'u:{x}','name':'tn'}],'ttlMs':0,'cacheScope':'private'}}\n");
    tear_down(&f);
}
