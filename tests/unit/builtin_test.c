#include "unity/builtin.h"

#include "test.h"

static struct version version(const char *text)
{
    struct version v = {0};
    assert_true(version_parse(str_from(text), &v));
    return v;
}

static const struct builtin_property *property(int32_t class_id, const char *key, const char *at)
{
    const struct builtin_class *c = builtin_class(class_id);
    assert_non_null(c);
    for (size_t i = 0; i < c->property_count; i++)
        if (strcmp(builtin_property(c, i)->key, key) == 0 &&
            builtin_property_is_in(builtin_property(c, i), version(at)))
            return builtin_property(c, i);
    return NULL;
}

TEST(a_class_is_found_by_its_number_and_its_name)
{
    const struct builtin_class *c = builtin_class(54);
    assert_non_null(c);
    assert_string_equal(c->name, "Rigidbody");
    assert_string_equal(c->base, "UnityEngine.Component");
    assert_ptr_equal(builtin_class_of(STR("UnityEngine.Rigidbody")), c);
    assert_null(builtin_class(999));
    assert_null(builtin_class_of(STR("UnityEngine.Rigidbod")));
    assert_null(builtin_class_of(STR("")));
    size_t count = 0;
    for (const struct builtin_class *k; (k = builtin_class_at(count)) != NULL; count++) {
        assert_ptr_equal(builtin_class(k->class_id), k);
        if (k->type[0] != '\0')
            assert_string_equal(builtin_class_of(str_from(k->type))->type, k->type);
    }
    assert_true(count > 300);
}

TEST(class_flags_match_the_class)
{
    const struct builtin_class *light = builtin_class(108), *renderer = builtin_class(25);
    assert_true(light->is_component && light->is_behaviour && light->has_enabled);
    assert_false(light->is_abstract || light->is_editor_only);
    assert_true(renderer->is_abstract);
    assert_false(builtin_class(21)->is_component);                  /* Material */
    assert_string_equal(builtin_class(124)->yaml_key, "Behaviour"); /* FlareLayer */
}

TEST(colliders_joints_and_audio_sources_allow_several)
{
    static const int32_t many[] = {65, 135, 64, 61, 58, 59, 153, 233, 82, 114};
    static const int32_t one[] = {4, 224, 54, 20, 108, 23, 33, 223, 50, 95};
    for (size_t i = 0; i < sizeof many / sizeof *many; i++)
        assert_true(builtin_class(many[i])->allows_many);
    for (size_t i = 0; i < sizeof one / sizeof *one; i++)
        assert_false(builtin_class(one[i])->allows_many);
}

TEST(a_property_belongs_to_its_versions)
{
    assert_non_null(property(54, "m_Drag", "6000.0.78f1"));
    assert_null(property(54, "m_Drag", "6000.1.0f1"));
    assert_non_null(property(54, "m_LinearDamping", "6000.1.0f1"));
    assert_null(property(54, "m_LinearDamping", "6000.0.78f1"));
    assert_null(property(54, "m_CenterOfMass", "2022.1.25f1"));
    assert_non_null(property(54, "m_CenterOfMass", "2022.2.0f1"));
    assert_string_equal(property(54, "m_Mass", "2022.3.1f1")->shape, "float");
    assert_string_equal(property(54, "m_Constraints", "2022.3.1f1")->enumeration,
                        "UnityEngine.RigidbodyConstraints");
}

TEST(root_order_ends_at_a_different_build_of_each_version)
{
    static const char *const with[] = {"2019.4.0f1", "2022.3.4f1", "2023.1.3f1", "2023.2.0a18"};
    static const char *const without[] = {"2022.3.5f1",  "2022.3.62f1", "2023.1.4f1",
                                          "2023.2.0a19", "2023.2.1f1",  "6000.0.1f1"};
    const struct builtin_class *transform = builtin_class(4);
    for (size_t i = 0; i < sizeof with / sizeof *with; i++) {
        assert_non_null(property(4, "m_RootOrder", with[i]));
        assert_int_equal(builtin_serialized_version(transform, version(with[i])), 0);
    }
    for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
        assert_null(property(4, "m_RootOrder", without[i]));
        assert_int_equal(builtin_serialized_version(transform, version(without[i])), 2);
    }
}

TEST(an_unknown_version_is_the_newest)
{
    struct version none = {0};
    const struct builtin_class *c = builtin_class(54);
    for (size_t i = 0; i < c->property_count; i++)
        assert_int_equal(builtin_property_is_in(builtin_property(c, i), none),
                         !version_is_known(builtin_property(c, i)->last));
    assert_int_equal(builtin_serialized_version(c, none), 5);
}

/* ---- new components */

static const char *const versions[] = {"2019.4.40f1", "2021.3.45f1", "2022.3.20f1", "6000.0.23f1",
                                       "6000.3.2f1"};

/* The most common components, and some others. */
static const int32_t common[] = {
    4,   224, 23,  33,  222, 65,  64,  54,        102,        212,      108,        82,  20,
    223, 198, 199, 135, 81,  205, 136, 95,        225,        61,       50,         210, 2083052967,
    137, 220, 153, 124, 215, 68,  120, 483693784, 1839735485, 73398921, 19719996,   58,  70,
    138, 59,  249, 143, 320, 144, 60,  233,       156049354,  253,      252,        111, 231,
    96,  234, 195, 66,  145, 256, 232, 254,       208,        328,      1818360608, 75,  331};

/* "m_Mass m_Drag ..." from the lines of the first level. */
static void keys_of(struct str body, struct buf *out)
{
    for (struct str line; str_cut(&body, '\n', &line);)
        if (line.n > 2 && line.p[0] == ' ' && line.p[1] == ' ' && line.p[2] != ' ' &&
            line.p[2] != '-') {
            struct str key = str_skip(line, 2);
            buf_add(out, str_head(key, str_find(key, STR(":"))));
            buf_add_char(out, '\n');
        }
}

TEST(new_component_has_the_keys_of_its_version_in_order)
{
    for (size_t v = 0; v < sizeof versions / sizeof *versions; v++)
        for (size_t i = 0; i < sizeof common / sizeof *common; i++) {
            const struct builtin_class *c = builtin_class(common[i]);
            struct buf body = {0}, keys = {0}, want = {0};
            assert_non_null(c);
            assert_true(builtin_new_body(c, version(versions[v]), &body));
            unsigned number = builtin_serialized_version(c, version(versions[v]));
            for (size_t k = 0; k < c->property_count; k++)
                if (builtin_property_is_in(builtin_property(c, k), version(versions[v])))
                    buf_printf(&want, "%s\n", builtin_property(c, k)->key);
            keys_of(buf_str(&body), &keys);
            /* serializedVersion is not a property: it appears once or not at all. */
            size_t at = str_find(buf_str(&keys), STR("serializedVersion\n"));
            assert_int_equal(at<keys.n, number> 0);
            if (at < keys.n) {
                size_t n = STR("serializedVersion\n").n;
                memmove(keys.p + at, keys.p + at + n, keys.n - at - n);
                keys.n -= n;
            }
            CHECK_STR(buf_str(&keys), buf_str(&want));
            buf_done(&body);
            buf_done(&keys);
            buf_done(&want);
        }
}

static void check_body(int32_t class_id, const char *at, const char *want)
{
    struct buf body = {0};
    assert_true(builtin_new_body(builtin_class(class_id), version(at), &body));
    CHECK_CSTR(buf_str(&body), want);
    buf_done(&body);
}

TEST(new_rigidbody_has_the_form_of_each_version)
{
    check_body(54, "2017.4.17f1",
               "  m_ObjectHideFlags: 0\n  m_PrefabParentObject: {fileID: 0}\n"
               "  m_PrefabInternal: {fileID: 0}\n  m_GameObject: {fileID: 0}\n"
               "  serializedVersion: 2\n  m_Mass: 1\n  m_Drag: 0\n  m_AngularDrag: 0.05\n"
               "  m_UseGravity: 1\n  m_IsKinematic: 0\n  m_Interpolate: 0\n  m_Constraints: 0\n"
               "  m_CollisionDetection: 0\n");
    check_body(54, "6000.3.2f1",
               "  m_ObjectHideFlags: 0\n  m_CorrespondingSourceObject: {fileID: 0}\n"
               "  m_PrefabInstance: {fileID: 0}\n  m_PrefabAsset: {fileID: 0}\n"
               "  m_GameObject: {fileID: 0}\n  serializedVersion: 5\n  m_Mass: 1\n"
               "  m_LinearDamping: 0\n  m_AngularDamping: 0.05\n"
               "  m_CenterOfMass: {x: 0, y: 0, z: 0}\n  m_InertiaTensor: {x: 1, y: 1, z: 1}\n"
               "  m_InertiaRotation: {x: 0, y: 0, z: 0, w: 1}\n"
               "  m_IncludeLayers:\n    serializedVersion: 2\n    m_Bits: 0\n"
               "  m_ExcludeLayers:\n    serializedVersion: 2\n    m_Bits: 0\n"
               "  m_ImplicitCom: 1\n  m_ImplicitTensor: 1\n  m_UseGravity: 1\n"
               "  m_IsKinematic: 0\n  m_Interpolate: 0\n  m_Constraints: 0\n"
               "  m_CollisionDetection: 0\n");
}

TEST(serialized_version_is_at_the_place_that_unity_uses)
{
    check_body(61, "2021.3.45f1",
               "  m_ObjectHideFlags: 0\n  m_CorrespondingSourceObject: {fileID: 0}\n"
               "  m_PrefabInstance: {fileID: 0}\n  m_PrefabAsset: {fileID: 0}\n"
               "  m_GameObject: {fileID: 0}\n  m_Enabled: 1\n  m_Density: 1\n"
               "  m_Material: {fileID: 0}\n  m_IsTrigger: 0\n  m_UsedByEffector: 0\n"
               "  m_UsedByComposite: 0\n  m_Offset: {x: 0, y: 0}\n  m_SpriteTilingProperty:\n"
               "    border: {x: 0, y: 0, z: 0, w: 0}\n    pivot: {x: 0, y: 0}\n"
               "    oldSize: {x: 0, y: 0}\n    newSize: {x: 0, y: 0}\n"
               "    adaptiveTilingThreshold: 0\n    drawMode: 0\n    adaptiveTiling: 0\n"
               "  m_AutoTiling: 0\n  serializedVersion: 2\n  m_Size: {x: 1, y: 1}\n"
               "  m_EdgeRadius: 0\n");
    struct buf body = {0};
    assert_true(builtin_new_body(builtin_class(50), version("2021.3.45f1"), &body));
    assert_true(
        str_starts(buf_str(&body), STR("  serializedVersion: 4\n  m_ObjectHideFlags: 0\n")));
    buf_done(&body);
}

TEST(no_line_of_a_new_component_needs_wrapping)
{
    for (size_t i = 0; i < sizeof common / sizeof *common; i++) {
        struct buf body = {0};
        assert_true(builtin_new_body(builtin_class(common[i]), version("6000.0.23f1"), &body));
        struct str rest = buf_str(&body);
        for (struct str line; str_cut(&rest, '\n', &line);)
            assert_true(line.n <= 80);
        assert_int_equal(rest.n, 0); /* the last line ends with a line feed */
        buf_done(&body);
    }
}

TEST(new_body_fails_without_known_values)
{
    struct buf body = {0};
    assert_false(builtin_class(218)->has_initial); /* Terrain */
    assert_false(builtin_new_body(builtin_class(218), version("2022.3.20f1"), &body));
    assert_false(builtin_new_body(builtin_class(198), version("2018.2.0f1"), &body));
    assert_true(builtin_class(2083052967)->has_initial); /* VisualEffect exists since 2018.3 */
    assert_false(builtin_new_body(builtin_class(2083052967), version("2017.4.1f1"), &body));
    assert_int_equal(body.n, 0);
    assert_true(builtin_new_body(builtin_class(198), version("2018.3.0f1"), &body));
    buf_done(&body);
}

TEST(gradients_and_curves_have_the_form_of_the_version)
{
    struct buf old = {0}, new = {0}, first = {0};
    assert_true(builtin_new_body(builtin_class(120), version("2021.3.1f1"), &old));
    assert_true(builtin_new_body(builtin_class(120), version("2022.3.1f1"), &new));
    assert_true(builtin_new_body(builtin_class(82), version("2017.4.1f1"), &first));
    assert_true(str_find(buf_str(&old), STR("m_ColorSpace")) >= old.n);
    assert_true(str_find(buf_str(&new), STR("\n      m_ColorSpace: -1\n")) < new.n);
    assert_true(str_find(buf_str(&new), STR("\n    textureScale: {x: 1, y: 1}\n")) < new.n);
    assert_true(str_find(buf_str(&old), STR("\n        inWeight: 0.33333334\n")) < old.n);
    assert_true(str_find(buf_str(&first), STR("inWeight")) >= first.n);
    buf_done(&old);
    buf_done(&new);
    buf_done(&first);
}

/* ---- the other tables */

TEST(an_enum_is_found_with_its_members_and_flags)
{
    const struct builtin_enum *e = builtin_enum(STR("UnityEngine.HideFlags"));
    assert_non_null(e);
    assert_true(e->flags);
    assert_string_equal(e->members[0].name, "None");
    const struct builtin_enum *image = builtin_enum(STR("UnityEngine.UI.Image+Type"));
    assert_non_null(image);
    assert_int_equal(image->count, 4);
    assert_string_equal(image->members[1].name, "Sliced");
    assert_int_equal(image->members[1].value, 1);
    assert_null(builtin_enum(STR("UnityEngine.UI.Image+Typ")));
}

TEST(a_script_of_a_package_is_found_by_guid_and_by_name)
{
    struct guid guid;
    assert_true(guid_parse(STR("fe87c0e1cc204ed48ad3b37840f39efc"), &guid));
    const struct builtin_script *s = builtin_script(guid, 11500000);
    assert_non_null(s);
    assert_string_equal(s->type, "UnityEngine.UI.Image");
    assert_string_equal(s->package, "com.unity.ugui");
    assert_true(s->is_component);
    assert_true(s->field_count > 10);
    assert_null(builtin_script(guid, 1));
    size_t count = 0; /* a class in several files is the script with its name */
    const struct builtin_script *const *texts =
        builtin_scripts_of(STR("TMPro.TextMeshProUGUI"), &count);
    assert_int_equal(count, 1);
    assert_true(guid_parse(STR("f4688fdb7df04437aeb418b961361dc5"), &guid));
    assert_true(guid_eq(texts[0]->guid, guid));
    count = 0;
    const struct builtin_script *const *rows =
        builtin_scripts_of(STR("UnityEngine.UI.Image"), &count);
    bool found = false;
    for (size_t i = 0; i < count; i++)
        found |= rows[i] == s;
    assert_true(found && count > 1); /* including the .dll of old editors */
    assert_null(builtin_scripts_of(STR("Nobody.Knows"), &count));
    assert_int_equal(count, 0);
    size_t all = 0;
    for (const struct builtin_script *k; (k = builtin_script_at(all)) != NULL; all++)
        assert_ptr_equal(builtin_script(k->guid, k->file_id), k);
    assert_true(all > 1000);
}

TEST(base_classes_and_requirements_are_known)
{
    assert_string_equal(builtin_base(STR("UnityEngine.UI.Image")),
                        "UnityEngine.UI.MaskableGraphic");
    assert_string_equal(builtin_base(STR("UnityEngine.UI.Graphic")),
                        "UnityEngine.EventSystems.UIBehaviour");
    assert_string_equal(builtin_base(STR("Nobody.Knows")), "");
    const char *const *needed = builtin_requires(STR("UnityEngine.HingeJoint2D"));
    assert_non_null(needed);
    assert_string_equal(needed[0], "UnityEngine.Rigidbody2D"); /* from Joint2D */
    assert_null(needed[1]);
    assert_null(builtin_requires(STR("UnityEngine.Light"))); /* Transform is left out */
    assert_true(builtin_disallows_multiple(STR("UnityEngine.UIElements.UIDocument")));
    assert_false(builtin_disallows_multiple(STR("UnityEngine.UI.Image")));
}

TEST(structs_of_the_engine_have_their_fields)
{
    const struct builtin_struct *s = builtin_struct(STR("ShadowSettings"));
    assert_non_null(s);
    assert_string_equal(s->properties[0].key, "m_Type");
    assert_string_equal(s->properties[3].shape, "float");
    assert_null(builtin_struct(STR("NoSuchStruct")));
}

TEST(resources_have_labels_and_are_found_by_them)
{
    struct reference r = {0}, none = {.file_id = 1};
    assert_true(builtin_resource_by_label(STR("Cube mesh"), &r));
    assert_int_equal(r.file_id, 10202);
    assert_int_equal(r.type, 0);
    assert_string_equal(builtin_resource(r), "Cube mesh");
    assert_null(builtin_resource(none));
    assert_false(builtin_resource_by_label(STR("Cub mesh"), &r));
}
