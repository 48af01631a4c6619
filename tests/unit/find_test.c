/* find_component_types and find_assets of the headless editor. */
#include "editor_fixture.h"

#define PAGE(count, total) "],'count':" count ",'total_count':" total ",'truncated':false}"
#define TYPE(space, name, script, can_add)                                                         \
    "{'type':'" space "." name "','name':'" name "','namespace':'" space "','script':" script      \
    ",'can_add':" can_add "}"

/* ---- find_component_types */

static void classes_are_found_by_a_part_of_their_name(void **state)
{
    (void)state;
    put("Assets/Door.cs", "namespace My.Game { class Door : UnityEngine.MonoBehaviour { } }");
    put_meta("Assets/Door.cs", "00000000000000000000000000000001");
    put("Assets/Ürdoor.cs", "class Ürdoor : UnityEngine.MonoBehaviour { }");
    put_meta("Assets/Ürdoor.cs", "00000000000000000000000000000002");
    open_editor(NULL);
    ANSWERS("find_component_types", "{'query':'my.GAME.d'}",
            "{'types':[" TYPE("My.Game", "Door", "'Assets/Door.cs'", "true") PAGE("1", "1"));
    ANSWERS("find_component_types", "{'query':'üRD'}",
            "{'types':[{'type':'Ürdoor','name':'Ürdoor','namespace':'',"
            "'script':'Assets/Ürdoor.cs','can_add':true}" PAGE("1", "1"));
    ANSWERS("find_component_types", "{'query':'y.*d'}", "{'types':[" PAGE("0", "0"));
    ANSWERS("find_component_types", "{'query':'door','offset':7}", "{'types':[" PAGE("0", "2"));
    ANSWERS(
        "find_component_types", "{'query':'door','max_results':1}",
        "{'types':[" TYPE("My.Game", "Door", "'Assets/Door.cs'",
                          "true") "],'count':1,'total_count':2,'truncated':true,'next_offset':1}");
    assert_true(run("find_component_types", "{'query':'','max_results':1000}"));
    assert_true(answer_has("'UnityEngine.Rigidbody'") && answer_has("'My.Game.Door'"));
    assert_false(answer_has("'UnityEngine.Transform'") || answer_has("'can_add':false"));
}

static void a_base_lists_also_what_cannot_be_added(void **state)
{
    (void)state;
    open_editor(NULL);
    ANSWERS("find_component_types", "{'base':'Transform'}",
            "{'types':[" TYPE("UnityEngine", "RectTransform", "null", "false") "," TYPE(
                "UnityEngine", "Transform", "null", "false") PAGE("2", "2"));
    ANSWERS("find_component_types", "{'base':'UnityEngine.Collider','query':'box'}",
            "{'types':[" TYPE("UnityEngine", "BoxCollider", "null", "true") PAGE("1", "1"));
    ANSWERS("find_component_types", "{'base':'GameObject'}", "{'types':[" PAGE("0", "0"));
    REFUSES("find_component_types", "{'base':'Colider'}", "ERR_TYPE_NOT_FOUND", "leave base out");
    assert_false(failure.was_executed);
}

static void two_classes_of_one_name_are_told_apart(void **state)
{
    (void)state;
    put("Assets/A/Door.cs", "namespace A { class Door : UnityEngine.MonoBehaviour { } }");
    put_meta("Assets/A/Door.cs", "00000000000000000000000000000001");
    put("Assets/B/Door.cs", "namespace B { class Door : UnityEngine.MonoBehaviour { } }");
    put_meta("Assets/B/Door.cs", "00000000000000000000000000000002");
    open_editor(NULL);
    REFUSES("find_component_types", "{'base':'Door'}", "ERR_TYPE_AMBIGUOUS", "A.Door, B.Door");
    CHECK_CSTR(buf_str(&failure.details), "{\"candidates\":[\"A.Door\",\"B.Door\"]}");
}

/* Whatever is listed without a base is what manage_component takes. */
static void what_is_listed_can_be_added(void **state)
{
    struct arena a = {0};
    struct buf all = {0}, call = {0};
    (void)state;
    put("Assets/Door.cs", "class Door : UnityEngine.MonoBehaviour { }");
    put_meta("Assets/Door.cs", "00000000000000000000000000000001");
    open_editor(NULL);
    assert_true(run("find_component_types", "{'max_results':1000}"));
    buf_add(&all, buf_str(&answer));
    quotes(&all, '\'', '"');
    const struct json *types = json_get(json_parse(&a, buf_str(&all), NULL, NULL), STR("types"));
    assert_true(json_count(types) > 100);
    JSON_ITEMS (types, t) {
        buf_clear(&call);
        buf_printf(&call, "{'action':'add','game_object_path':'/Enemy','component_type':'%.*s'}",
                   STR_ARG(json_str(json_get(t, STR("type")))));
        if (run("manage_component", call.p))
            assert_true(run("undo", "{}"));
        else if (!strstr(failure.text, "requires a"))
            fail_msg("%s: %s", call.p, failure.text);
    }
    buf_done(&all);
    buf_done(&call);
    arena_done(&a);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(classes_are_found_by_a_part_of_their_name),
        TEST(a_base_lists_also_what_cannot_be_added),
        TEST(two_classes_of_one_name_are_told_apart),
        TEST(what_is_listed_can_be_added),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
