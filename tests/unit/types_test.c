#include "unity/types.h"

#include "types_fixture.h"
#include "unity/builtin.h"

/* ---- built-in classes */

TEST_FIXTURE(setup_types, teardown_types);

TEST(properties_have_their_scripting_names)
{
    put_version("2022.3.20f1");
    open_types();
    const struct type_class *c = engine(54);
    CHECK_CSTR(c->name, "UnityEngine.Rigidbody");
    CHECK_CSTR(c->simple, "Rigidbody");
    assert_true(c->is_component && c->is_single && c->is_known && c->is_object);
    assert_int_equal(c->class_id, 54);
    const struct type_field *mass = field(c, "mass");
    CHECK_CSTR(mass->key, "m_Mass");
    assert_ptr_equal(field(c, "m_Mass"), mass);
    assert_int_equal(mass->type->kind, TYPE_FLOAT);
    CHECK_CSTR(mass->type->name, "System.Single");
    CHECK_CSTR(mass->initial, "1");
    assert_int_equal(field(c, "useGravity")->type->kind, TYPE_BOOL);
    const struct type_field *constraints = field(c, "constraints");
    assert_int_equal(constraints->type->kind, TYPE_ENUM);
    assert_int_equal(constraints->type->bits, 32);
    CHECK_CSTR(constraints->type->name, "UnityEngine.RigidbodyConstraints");
    CHECK_CSTR(field(engine(20), "near clip plane")->key, "near clip plane");
    CHECK_CSTR(field(engine(108), "m_Enabled")->name, "m_Enabled");
    CHECK_CSTR(field(engine(82), "maxDistance")->key, "MaxDistance");
}

TEST(properties_of_older_but_not_newer_editors_exist)
{
    put_version("2022.3.20f1");
    open_types();
    assert_null(type_field_find(engine(54), STR("linearDamping")));
    assert_non_null(type_field_find(engine(54), STR("drag")));
    types_free(types);
    assets_close(assets);
    put_version("6000.3.2f1");
    project_done(&project);
    open_project();
    open_types();
    assert_non_null(type_field_find(engine(54), STR("linearDamping")));
    assert_non_null(type_field_find(engine(54), STR("drag"))); /* for files that were not saved
                                                                  since */
}

TEST(missing_key_is_filled_in_if_the_version_writes_it)
{
    put_version("2022.3.20f1");
    open_types();
    assert_true(field(engine(20), "iso")->is_filled_in);
    CHECK_CSTR(field(engine(20), "iso")->initial, "200");
    CHECK_CSTR(field(engine(54), "mass")->initial, "1");
    CHECK_CSTR(field(engine(4), "constrainProportionsScale")->initial, "0");
    assert_false(field(engine(4), "rootOrder")->is_filled_in); /* older editors wrote it */
}

TEST(class_has_the_name_of_the_version)
{
    put_version("2022.3.20f1");
    put_script("Assets/Thing.cs", GUID("1"),
               "class Thing : UnityEngine.MonoBehaviour { public UnityEngine.PhysicMaterial m; }");
    open_types();
    CHECK_CSTR(field(engine(65), "material")->type->name, "UnityEngine.PhysicMaterial");
    CHECK_CSTR(field(component(GUID("1")), "m")->type->name, "UnityEngine.PhysicMaterial");
    types_free(types);
    assets_close(assets);
    put_version("6000.3.2f1");
    project_done(&project);
    open_project();
    open_types();
    CHECK_CSTR(field(engine(65), "material")->type->name, "UnityEngine.PhysicsMaterial");
}

TEST(internal_keys_are_not_fields)
{
    put_script("Assets/Thing.cs", GUID("1"), "class Thing : UnityEngine.MonoBehaviour {}");
    open_types();
    assert_null(type_field_find(engine(54), STR("m_ObjectHideFlags")));
    assert_null(type_field_find(engine(54), STR("m_PrefabInstance")));
    assert_null(type_field_find(component(GUID("1")), STR("m_Script")));
    assert_null(type_field_find(component(GUID("1")), STR("m_Name")));
    assert_non_null(type_field_find(engine(1), STR("m_Name"))); /* of a GameObject */
    assert_true(field(engine(54), "m_GameObject")->is_read_only);
    assert_true(field(engine(4), "m_Father")->is_read_only);
    assert_false(field(engine(4), "localPosition")->is_read_only);
}

TEST(structs_arrays_and_references_of_built_in_classes_are_typed)
{
    put_version("2022.3.20f1");
    open_types();
    const struct type_field *shadows = field(engine(108), "shadows");
    assert_int_equal(shadows->type->kind, TYPE_STRUCT);
    CHECK_CSTR(field(shadows->type->of, "strength")->key, "m_Strength");
    assert_int_equal(shadows->initial.p[0], '\n');
    assert_true(str_starts(shadows->initial, STR("\nm_Type: 0\nm_Resolution: -1\n")));
    const struct type_field *materials = field(engine(23), "materials");
    assert_int_equal(materials->type->kind, TYPE_ARRAY);
    assert_false(materials->type->is_hex);
    CHECK_CSTR(materials->type->name, "UnityEngine.Material[]");
    CHECK_CSTR(materials->initial, "\n- {fileID: 0}");
    assert_int_equal(materials->type->element->kind, TYPE_OBJECT);
    CHECK_CSTR(materials->type->element->of->name, "UnityEngine.Material");
    assert_int_equal(field(engine(20), "cullingMask")->type->kind, TYPE_LAYER_MASK);
    assert_true(field(engine(199), "vertexStreams")->type->is_hex);
}

TEST(class_is_its_base_classes)
{
    open_types();
    const struct type_class *box = engine(65);
    assert_true(type_class_is_a(box, STR("UnityEngine.Collider")));
    assert_true(type_class_is_a(box, STR("Collider")));
    assert_true(type_class_is_a(box, STR("UnityEngine.Component")));
    assert_true(type_class_is_a(box, STR("UnityEngine.Object")));
    assert_true(type_class_is_a(box, STR("Object")));
    assert_false(type_class_is_a(box, STR("UnityEngine.Collider2D")));
    assert_false(type_class_is_a(box, STR("Box")));
    assert_true(type_class_is_a(engine(224), STR("Transform")));
    assert_false(box->is_single);
}

TEST(unknown_class_id_has_no_class)
{
    open_types();
    assert_null(types_component(types, 987654, (struct reference){0}, STR("")));
}

/* ---- scripts of packages */

TEST(script_of_a_missing_package_comes_from_the_tables)
{
    put("Packages/manifest.json", "{\"dependencies\": {\"com.unity.ugui\": \"1.0.0\"}}");
    open_types();
    const struct type_class *c = component("fe87c0e1cc204ed48ad3b37840f39efc");
    CHECK_CSTR(c->name, "UnityEngine.UI.Image");
    assert_true(c->is_component && c->is_known && c->class_id == 114);
    assert_true(type_class_is_a(c, STR("UnityEngine.UI.Graphic")));
    assert_true(type_class_is_a(c, STR("MonoBehaviour")));
    CHECK_CSTR(field(c, "m_FillMethod")->type->name, "UnityEngine.UI.Image+FillMethod");
    assert_int_equal(field(c, "m_FillMethod")->type->kind, TYPE_ENUM);
    assert_int_equal(field(c, "m_Color")->type->kind, TYPE_COLOR);
    CHECK_CSTR(field(c, "m_Sprite")->type->of->name, "UnityEngine.Sprite");
    assert_int_equal(c->require_count, 2);
    CHECK_CSTR(c->requires_[0], "UnityEngine.CanvasRenderer");
    const struct type_class *button = component("4e29b1a8efbd4b44bb3f3716e73f07ff");
    CHECK_CSTR(button->name, "UnityEngine.UI.Button");
    assert_int_equal(field(button, "m_Colors")->type->kind, TYPE_STRUCT);
    assert_non_null(type_field_find(field(button, "m_Colors")->type->of, STR("m_FadeDuration")));
    const struct type *click = field(button, "m_OnClick")->type;
    CHECK_CSTR(click->name, "UnityEngine.UI.Button+ButtonClickedEvent");
    assert_int_equal(field(click->of, "m_PersistentCalls")->type->kind, TYPE_STRUCT);
}

TEST(enum_array_of_a_package_is_an_array)
{
    put("Packages/manifest.json", "{\"dependencies\": {\"com.unity.cinemachine\": \"2.8.9\"}}");
    open_types();
    const struct type_class *const *found;
    assert_int_equal(types_find(types, STR("Cinemachine.CinemachineVirtualCamera"), &found), 1);
    const struct type *stages = field(found[0], "m_LockStageInInspector")->type;
    CHECK_CSTR(stages->name, "Cinemachine.CinemachineCore+Stage[]");
    assert_int_equal(stages->element->kind, TYPE_ENUM);
}

TEST(script_inherits_the_fields_of_a_package_class)
{
    put_script("Assets/Fancy.cs", GUID("1"),
               "using UnityEngine.UI;\npublic class Fancy : Image { public float glow = 2; }");
    open_types();
    const struct type_class *c = component(GUID("1"));
    assert_true(c->is_component);
    assert_non_null(type_field_find(c, STR("m_Sprite")));
    CHECK_CSTR(c->fields[c->field_count - 1].name, "glow");
    assert_true(type_class_is_a(c, STR("UnityEngine.UI.MaskableGraphic")));
    assert_int_equal(c->require_count, 2);
}

/* ---- search by name */

static size_t find(const char *name, const struct type_class *const **out)
{
    return types_find(types, str_from(name), out);
}

static void check_found(const char *name, const char *want)
{
    const struct type_class *const *found;
    struct buf all = {0};
    size_t count = find(name, &found);
    for (size_t i = 0; i < count; i++)
        buf_printf(&all, "%s%.*s", i ? " " : "", STR_ARG(found[i]->name));
    CHECK_CSTR(buf_str(&all), want);
    buf_done(&all);
}

static void check_image(const char *version, int64_t file_id, const char *package)
{
    const struct type_class *const *found = NULL;
    put_version(version);
    open_types();
    assert_int_equal(types_find(types, STR("Image"), &found), 1);
    const struct builtin_script *s =
        builtin_script(found[0]->script.guid, found[0]->script.file_id);
    assert_non_null(s);
    assert_int_equal(s->file_id, file_id);
    CHECK_CSTR(str_from(s->package), package);
    types_free(types);
    assets_close(assets);
    project_done(&project);
    types = NULL;
    assets = NULL;
}

/* Unity's UI was a .dll of the editor before it was a package. */
TEST(manifest_without_ugui_uses_the_ui_of_its_editor)
{
    put("Packages/manifest.json", "{\"dependencies\": {}}");
    check_image("2022.3.56f1", 11500000, "com.unity.ugui");
    check_image("2018.4.36f1", -765806418, "UnityEngine.UI.dll");
    put("Packages/manifest.json", "{\"dependencies\": {\"com.unity.ugui\": \"1.0.0\"}}");
    check_image("2022.3.56f1", 11500000, "com.unity.ugui");
}

TEST(requirements_pass_through_abstract_classes)
{
    put_script("Assets/Drawn.cs", GUID("1"),
               "public class Drawn : UnityEngine.UI.MaskableGraphic { }");
    put_script("Assets/Stacked.cs", GUID("2"),
               "public class Stacked : UnityEngine.UI.HorizontalOrVerticalLayoutGroup { }");
    open_types();
    for (int i = 0; i < 2; i++) {
        const struct type_class *c = component(i ? GUID("2") : GUID("1"));
        assert_int_equal(c->require_count, 1);
        CHECK_CSTR(c->requires_[0], "UnityEngine.RectTransform");
    }
}

TEST(classes_are_found_by_full_or_simple_name)
{
    put("Packages/manifest.json", "{\"dependencies\": {\"com.unity.ugui\": \"1.0.0\"}}");
    put_script("Assets/EnemyChaser.cs", GUID("1"),
               "namespace MyGame { public class EnemyChaser : UnityEngine.MonoBehaviour {} }");
    put_script("Assets/a/Twin.cs", GUID("2"),
               "namespace A { class Twin : UnityEngine.MonoBehaviour {} }");
    put_script("Assets/b/Twin.cs", GUID("3"),
               "namespace B { class Twin : UnityEngine.MonoBehaviour {} }");
    put_script("Assets/Plain.cs", GUID("4"),
               "class Plain { class Inner {} } enum Kind {} struct S {}");
    open_types();
    check_found("UnityEngine.Rigidbody", "UnityEngine.Rigidbody");
    check_found("Rigidbody", "UnityEngine.Rigidbody");
    check_found("Image", "UnityEngine.UI.Image");
    check_found("Graphic", "UnityEngine.UI.Graphic");
    check_found("Tilemap", "UnityEngine.Tilemaps.Tilemap");
    check_found("EnemyChaser", "MyGame.EnemyChaser");
    check_found("MyGame.EnemyChaser", "MyGame.EnemyChaser");
    check_found("Twin", "A.Twin B.Twin");
    check_found("B.Twin", "B.Twin");
    check_found("Plain", "Plain");
    check_found("Plain.Inner", "Plain+Inner");
    check_found("Plain+Inner", "Plain+Inner");
    check_found("Kind", "Kind"); /* a result that is no component */
    check_found("S", "S");
    check_found("Nothing", "");
    check_found("", "");
    check_found("Material", "UnityEngine.Material");
    check_found("CinemachineBrain", ""); /* the project does not have this package */
    const struct type_class *const *found;
    assert_int_equal(find("Image", &found), 1);
    assert_int_equal(found[0]->script.file_id, 11500000);
    assert_true(found[0]->field_count > 10);
}

TEST(ui_of_an_old_editor_is_in_a_library)
{
    put_version("2018.4.1f1");
    open_types();
    const struct type_class *const *found;
    assert_int_equal(find("Image", &found), 1);
    assert_int_equal(found[0]->script.file_id, -765806418);
}

TEST(sources_of_cached_packages_are_searched_last)
{
    put("Library/PackageCache/com.x.y@1.0.0/package.json", "{\"name\": \"com.x.y\"}");
    put_script(
        "Library/PackageCache/com.x.y@1.0.0/Runtime/Tool.cs", GUID("2"),
        "namespace X { public class Tool : UnityEngine.MonoBehaviour { public int power; } }");
    put("Packages/manifest.json", "{\"dependencies\": {\"com.x.y\": \"1.0.0\"}}");
    put_script("Assets/Thing.cs", GUID("1"),
               "using X; public class Thing : Tool { public Tool other; }");
    open_types();
    check_fields(component(GUID("1")), "power: int System.Int32\nother: object X.Tool\n");
    check_found("Tool", "X.Tool");
    CHECK_CSTR(component(GUID("2"))->name, "X.Tool");
}

TEST(forgotten_types_are_reloaded)
{
    check_script("", "public int before;", "before: int System.Int32\n");
    put("Assets/Thing.cs", "public class Thing : UnityEngine.MonoBehaviour { public int after; }");
    check_fields(component(GUID("1")), "before: int System.Int32\n");
    types_forget(types);
    check_fields(component(GUID("1")), "after: int System.Int32\n");
}
