/* Which object and component a call means, and what is said where there is none. */
#include "editor_fixture.h"

static void open_with(const char *text)
{
    put(MAIN, text);
    open_editor(NULL);
}

static void check_no_hint(const char *hint)
{
    if (strstr(failure.text, hint))
        fail_msg("%s", failure.text);
}

/* An object and its Transform, in the fewest words. */
#define NAMED(go, transform, name)                                                                 \
    "--- !u!1 &" go "\nGameObject:\n  m_Component:\n  - component: {fileID: " transform            \
    "}\n  m_Name: " name "\n  m_IsActive: 1\n--- !u!4 &" transform                                 \
    "\nTransform:\n  m_GameObject: {fileID: " go "}\n  m_Children: []\n  m_Father: {fileID: 0}\n"

/* ---- paths */

static void every_path_that_is_shown_is_taken(void **state)
{
    (void)state;
    static const char *const paths[] = {"/A", "/A[2]", "/A[1]", "/", "/[1]", "/a\\\\/b"};
    open_with(SCENE_HEAD NAMED("10", "11", "A") NAMED("20", "21", "A") NAMED("30", "31", "'A[1]'")
                  NAMED("40", "41", "") NAMED("50", "51", "") NAMED("60", "61", "a/b"));
    assert_true(run("get_scene_hierarchy", "{}"));
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct buf call = {0}, want = {0};
        assert_true(run("get_scene_hierarchy", "{}"));
        buf_printf(&want, "'path':'%s'", paths[i]);
        assert_true(answer_has(want.p));
        buf_printf(&call, "{'game_object_path':'%s','index':0}", paths[i]);
        assert_true(run("get_component_info", call.p));
        buf_clear(&want);
        buf_printf(&want, "'game_object_path':'%s'", paths[i]);
        assert_true(answer_has(want.p));
        buf_done(&call);
        buf_done(&want);
    }
}

static void a_path_that_leads_nowhere_is_answered_with_one_that_leads_somewhere(void **state)
{
    (void)state;
    open_with(SCENE_TEXT);
    REFUSES("get_component_info", "{'game_object_path':'/Player/Chidl','index':0}",
            "ERR_OBJECT_NOT_FOUND", "did you mean /Player/Child?");
    REFUSES("get_component_info", "{'game_object_path':'/Player/Sword/Hilt','index':0}",
            "ERR_OBJECT_NOT_FOUND", "there is /Player with 1 children");
    REFUSES("get_scene_hierarchy", "{'root_path':'Playr'}", "ERR_OBJECT_NOT_FOUND",
            "did you mean /Player?");
    REFUSES("get_component_info", "{'game_object_path':'/Child','index':0}", "ERR_OBJECT_NOT_FOUND",
            "there is no GameObject at /Child in " MAIN);
    check_no_hint("did you mean");
}

/* A literal [1] was shown as the path of one object and found as that of another. */
static void what_was_asked_for_is_never_what_was_meant(void **state)
{
    (void)state;
    open_with(SCENE_HEAD NAMED("10", "11", "A") NAMED("20", "21", "A") NAMED("30", "31", "'A[1]'"));
    REFUSES("get_component_info", "{'game_object_path':'/A[3]','index':0}", "ERR_OBJECT_NOT_FOUND",
            "/A[3]");
    check_no_hint("mean /A[3]");
    put_meta("Assets/Gone.unity", "0000000000000000000000000000000d");
    put("Assets/Plain.mat", SCENE_HEAD "--- !u!21 &2100000\nMaterial:\n  m_Name: Plain\n");
    run("list_scenes", "{}");
    REFUSES("open_scene", "{'path':'Assets/Gone.unity'}", "ERR_SCENE_NOT_FOUND",
            "there is no scene at Assets/Gone.unity");
    check_no_hint("did you mean Assets/Gone");
    REFUSES("manage_component",
            "{'action':'add','game_object_path':'/A','component_type':'MeshRenderer',"
            "'fields':{'materials':[{'$asset':'Assets/Plain.mat'}]}}",
            "ERR_REFERENCE_NOT_FOUND", "Assets/Plain.mat has no .meta file");
    check_no_hint("did you mean");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_path_that_is_shown_is_taken),
        TEST(a_path_that_leads_nowhere_is_answered_with_one_that_leads_somewhere),
        TEST(what_was_asked_for_is_never_what_was_meant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
