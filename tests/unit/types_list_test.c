/* The classes of components, and their relations. */
#include "types_fixture.h"

/* Full names of the classes of scripts, and of `more`, with their path. */
static void check_list(const char *base, const char *want)
{
    const struct type_entry *all;
    const struct type_class *const *found = NULL;
    struct buf got = {0};
    size_t count = types_components(types, &all);
    if (base[0] != '\0')
        assert_int_equal(types_find(types, str_from(base), &found), 1);
    for (size_t i = 0; i < count; i++) {
        assert_true(i == 0 || str_cmp(all[i - 1].simple, all[i].simple) <= 0);
        if (base[0] == '\0' ? all[i].path.n > 0 : types_entry_is_a(types, &all[i], found[0]))
            buf_printf(&got, "%.*s%s%.*s\n", STR_ARG(all[i].name), all[i].path.n > 0 ? " " : "",
                       STR_ARG(all[i].path));
    }
    CHECK_CSTR(buf_str(&got), want);
    buf_done(&got);
}

static void put_class(const char *name, const char *guid, const char *text)
{
    struct buf path = {0};
    buf_printf(&path, "Assets/%s.cs", name);
    put_script(path.p, guid, text);
    buf_done(&path);
}

TEST_FIXTURE(setup_types, teardown_types);

TEST(component_scripts_are_listed)
{
    put_class("Door", GUID("1"),
              "using UnityEngine;\nnamespace Game {\n"
              "[AddComponentMenu(\"Doors /  A door: MonoBehaviour { \")]\n"
              "  public class Door : MonoBehaviour { class Inner : MonoBehaviour { } int x = 1; }\n"
              "  public class Other : MonoBehaviour { }\n}\n");
    put_class("Plain", GUID("2"), "public class Plain { }");
    put_class("Data", GUID("3"), "public class Data : UnityEngine.ScriptableObject { }");
    put_class("Base", GUID("4"), "public abstract class Base : UnityEngine.MonoBehaviour { }");
    put_class("Gate", GUID("5"), "namespace Game; sealed class Gate : Base { }");
    put_class("Open", GUID("6"), "public class Open<T> : UnityEngine.MonoBehaviour { }");
    put_class("Editor/Tool", GUID("7"), "public class Tool : UnityEngine.MonoBehaviour { }");
    put_class("Off", GUID("8"),
              "#if NEVER\npublic class Off : UnityEngine.MonoBehaviour { }\n#endif\n");
    put_class("Half", GUID("9"), "public partial class Half { public int a; }");
    put_class("Half.More", GUID("a"), "partial class Half : UnityEngine.MonoBehaviour { }");
    put_class("Wrong", GUID("b"), "public class Wrong : UnityEngine.MonoBehaviour {{{{ (");
    put("Assets/NoMeta.cs", "public class NoMeta : UnityEngine.MonoBehaviour { }");
    open_types();
    check_list("", "Game.Door Assets/Door.cs\n"
                   "Game.Gate Assets/Gate.cs\n"
                   "Half Assets/Half.cs\n"
                   "Wrong Assets/Wrong.cs\n");
}

TEST(base_class_is_found_through_all_kinds_of_classes)
{
    put_version("2022.3.20f1");
    put("Packages/manifest.json", "{\"dependencies\": {\"com.unity.ugui\": \"1.0.0\"}}");
    put_class("Fancy", GUID("1"), "public class Fancy : UnityEngine.UI.Button { }");
    put_class("Fancier", GUID("2"), "public class Fancier : Fancy { }");
    put_class("Door", GUID("3"),
              "namespace Game { public class Door : UnityEngine.MonoBehaviour { } }");
    put_class("Iron", GUID("4"), "public class Iron : Game.Door { }");
    put("Assets/Levels/Door.cs", "namespace Level { class Door : UnityEngine.MonoBehaviour { } }");
    put_meta("Assets/Levels/Door.cs", GUID("5"));
    open_types();
    check_list("UnityEngine.UI.Button",
               "UnityEngine.UI.Button\nFancier Assets/Fancier.cs\nFancy Assets/Fancy.cs\n");
    check_list("Game.Door", "Game.Door Assets/Door.cs\nIron Assets/Iron.cs\n");
    check_list("Collider2D",
               "UnityEngine.BoxCollider2D\nUnityEngine.CapsuleCollider2D\n"
               "UnityEngine.CircleCollider2D\nUnityEngine.CompositeCollider2D\n"
               "UnityEngine.CustomCollider2D\nUnityEngine.EdgeCollider2D\n"
               "UnityEngine.PolygonCollider2D\nUnityEngine.Tilemaps.TilemapCollider2D\n");
    check_list("Transform", "UnityEngine.RectTransform\nUnityEngine.Transform\n");
    check_list("UnityEngine.Material", "");
    const struct type_entry *all;
    const struct type_class *const *found = NULL;
    size_t count = types_components(types, &all);
    assert_int_equal(types_find(types, STR("UnityEngine.Object"), &found), 1);
    for (size_t i = 0; i < count; i++)
        assert_true(types_entry_is_a(types, &all[i], found[0]));
}

TEST(class_without_namespace_differs_from_one_in_a_namespace)
{
    put_class("Door", GUID("1"), "public class Door : UnityEngine.MonoBehaviour { }");
    put("Assets/In/Door.cs", "namespace In { class Door : UnityEngine.MonoBehaviour { } }");
    put_meta("Assets/In/Door.cs", GUID("2"));
    open_types();
    check_list("Door", "Door Assets/Door.cs\n");
    check_list("In.Door", "In.Door Assets/In/Door.cs\n");
}

TEST(interfaces_are_found_through_bases_and_interfaces)
{
    put_class("IHurt", GUID("1"), "namespace Game { public interface IHurt { } }");
    put_class("IBreak", GUID("2"), "public interface IBreak : Game.IHurt { }");
    put_class("Vase", GUID("3"), "class Vase : UnityEngine.MonoBehaviour, IBreak { }");
    put_class("Ming", GUID("4"), "class Ming : Vase { }");
    put_class("Wall", GUID("5"), "class Wall : UnityEngine.MonoBehaviour { }");
    put_class("IRound", GUID("6"), "interface IRound : IAbout, IRound { }");
    put_class("IAbout", GUID("7"), "interface IAbout : IRound, IAbout { }");
    put_class("Loop", GUID("8"), "class Loop : UnityEngine.MonoBehaviour, IRound { }");
    open_types();
    check_list("IHurt", "Ming Assets/Ming.cs\nVase Assets/Vase.cs\n");
    check_list("IAbout", "Loop Assets/Loop.cs\n");
}

TEST(packages_are_listed_if_the_project_has_them)
{
    const struct type_entry *all;
    put_version("2022.3.20f1");
    put("Packages/manifest.json", "{\"dependencies\": {\"com.unity.cinemachine\": \"2.9.7\"}}");
    put("Packages/com.me.kit/package.json", "{\"name\": \"com.me.kit\"}");
    put("Packages/com.me.kit/Kit.cs", "class Kit : UnityEngine.MonoBehaviour { }");
    put_meta("Packages/com.me.kit/Kit.cs", GUID("1"));
    put("Library/PackageCache/com.me.far@1.0.0/package.json", "{\"name\": \"com.me.far\"}");
    put("Library/PackageCache/com.me.far@1.0.0/Far.cs",
        "class Far : UnityEngine.MonoBehaviour { }");
    put_meta("Library/PackageCache/com.me.far@1.0.0/Far.cs", GUID("2"));
    open_types();
    check_list("", "Far Packages/com.me.far/Far.cs\nKit Packages/com.me.kit/Kit.cs\n");
    check_list("Unity.Cinemachine.CinemachineTriggerAction",
               "Unity.Cinemachine.CinemachineTriggerAction\n");
    size_t count = types_components(types, &all);
    bool has_brain = false, has_light = false;
    for (size_t i = 0; i < count; i++) {
        has_brain |= str_eq(all[i].name, STR("Unity.Cinemachine.CinemachineBrain"));
        has_light |= str_eq(all[i].name, STR("UnityEngine.Rendering.Universal.Light2D"));
    }
    assert_true(has_brain && !has_light);
}

/* The tables have the newest name. */
TEST(class_name_comes_from_the_source_of_the_package)
{
    put_version("2022.3.20f1");
    put("Packages/manifest.json", "{\"dependencies\": {\"com.unity.cinemachine\": \"2.9.7\"}}");
    put("Library/PackageCache/com.unity.cinemachine@2.9.7/package.json",
        "{\"name\": \"com.unity.cinemachine\"}");
    put("Library/PackageCache/com.unity.cinemachine@2.9.7/CinemachineBrain.cs",
        "namespace Cinemachine { public class CinemachineBrain : UnityEngine.MonoBehaviour { } }");
    put_meta("Library/PackageCache/com.unity.cinemachine@2.9.7/CinemachineBrain.cs",
             "72ece51f2901e7445ab60da3685d6b5f");
    open_types();
    check_list("", "Cinemachine.CinemachineBrain "
                   "Packages/com.unity.cinemachine/CinemachineBrain.cs\n");
}

TEST(list_is_rebuilt_after_forget)
{
    put_class("Door", GUID("1"), "class Door : UnityEngine.MonoBehaviour { }");
    open_types();
    check_list("", "Door Assets/Door.cs\n");
    put("Assets/Door.cs", "class Door { }");
    check_list("", "Door Assets/Door.cs\n");
    types_forget(types);
    check_list("", "");
}
