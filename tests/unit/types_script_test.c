#include "types_fixture.h"

TEST_FIXTURE(setup_types, teardown_types);

TEST(only_public_and_marked_fields_are_serialized)
{
    check_script("using System; using UnityEngine;",
                 "public int a; private int b; int c; [SerializeField] int d;\n"
                 "[SerializeField] private int e, f; protected int g; internal int h;\n"
                 "public static int i; public const int j = 1; public readonly int k;\n"
                 "[NonSerialized] public int l; [System.NonSerialized] public int m;\n"
                 "[HideInInspector] public int n; public int o { get; set; }\n"
                 "[field: SerializeField] public int P { get; private set; }\n"
                 "[SerializeField] public int q { get; set; }\n"
                 "[SerializeFieldAttribute] int r; [UnityEngine.SerializeField] int s;",
                 "a: int System.Int32\nd: int System.Int32\ne: int System.Int32\n"
                 "f: int System.Int32\nn: int System.Int32\nP: int System.Int32\n"
                 "r: int System.Int32\ns: int System.Int32\n");
    CHECK_CSTR(field(component(GUID("1")), "P")->key, "<P>k__BackingField");
}

TEST(unserializable_types_are_no_fields)
{
    check_script("using System; using System.Collections.Generic; using UnityEngine;\n"
                 "interface IThing {} class Plain { public int x; }\n"
                 "[Serializable] abstract class Abstract { public int x; }\n"
                 "enum Big : long { A }",
                 "public Dictionary<string, int> a; public int? b; public int[][] c;\n"
                 "public int[,] d; public List<List<int>> e; public List<int>[] f;\n"
                 "public IThing g; public Plain h; public Abstract i; public Action j;\n"
                 "public object k; public decimal l; public (int, int) m; public Big n;\n"
                 "public DateTime o; public System.Type p; public int last;",
                 "last: int System.Int32\n");
}

TEST(primitives_and_value_types_have_their_kinds)
{
    check_script("using System; using UnityEngine;",
                 "public bool a; public byte b; public sbyte c; public short d; public ushort e;\n"
                 "public int f; public uint g; public long h; public ulong i; public char j;\n"
                 "public float k; public double l; public string m; public Vector2 n;\n"
                 "public Vector3 o; public Vector4 p; public Vector2Int q; public Vector3Int r;\n"
                 "public Quaternion s; public Color t; public Color32 u; public Rect v;\n"
                 "public RectInt w; public Bounds x; public BoundsInt y; public LayerMask z;\n"
                 "public AnimationCurve curve; public Gradient gradient; public String text;\n"
                 "public Single single; public UnityEngine.Vector3 full;",
                 "a: bool System.Boolean\nb: int System.Byte\nc: int System.SByte\n"
                 "d: int System.Int16\ne: int System.UInt16\nf: int System.Int32\n"
                 "g: int System.UInt32\nh: int System.Int64\ni: int System.UInt64\n"
                 "j: int System.Char\nk: float System.Single\nl: double System.Double\n"
                 "m: string System.String\nn: vector2 UnityEngine.Vector2\n"
                 "o: vector3 UnityEngine.Vector3\np: vector4 UnityEngine.Vector4\n"
                 "q: vector2i UnityEngine.Vector2Int\nr: vector3i UnityEngine.Vector3Int\n"
                 "s: quaternion UnityEngine.Quaternion\nt: color UnityEngine.Color\n"
                 "u: color32 UnityEngine.Color32\nv: rect UnityEngine.Rect\n"
                 "w: recti UnityEngine.RectInt\nx: bounds UnityEngine.Bounds\n"
                 "y: boundsi UnityEngine.BoundsInt\nz: mask UnityEngine.LayerMask\n"
                 "curve: curve UnityEngine.AnimationCurve\n"
                 "gradient: gradient UnityEngine.Gradient\ntext: string System.String\n"
                 "single: float System.Single\nfull: vector3 UnityEngine.Vector3\n");
    const struct type_class *c = component(GUID("1"));
    assert_int_equal(field(c, "c")->type->bits, 8);
    assert_true(field(c, "c")->type->is_signed);
    assert_false(field(c, "i")->type->is_signed);
}

TEST(references_have_their_class)
{
    put_script("Assets/Other.cs", GUID("2"),
               "namespace Game { public class Other : UnityEngine.MonoBehaviour {} }");
    put_script("Assets/Data.cs", GUID("3"), "class Data : UnityEngine.ScriptableObject {}");
    check_script("using UnityEngine; using Game;",
                 "public Transform a; public GameObject b; public Other c; public Data d;\n"
                 "public Object e; public Material f; public Rigidbody g; public Thing h;\n"
                 "public UnityEngine.UI.Text i; public ScriptableObject j;",
                 "a: object UnityEngine.Transform\nb: object UnityEngine.GameObject\n"
                 "c: object Game.Other\nd: object Data\ne: object UnityEngine.Object\n"
                 "f: object UnityEngine.Material\ng: object UnityEngine.Rigidbody\n"
                 "h: object Thing\ni: object UnityEngine.UI.Text\n"
                 "j: object UnityEngine.ScriptableObject\n");
}

TEST(arrays_and_lists_are_arrays_and_integers_are_hex)
{
    check_script("using System.Collections.Generic; using UnityEngine; public enum E { A }",
                 "public int[] a; public List<float> b; public List<Transform> c; public E[] d;\n"
                 "public System.Collections.Generic.List<bool> e; public string [ ] f;",
                 "a: array System.Int32[]\n"
                 "b: array System.Collections.Generic.List<System.Single>\n"
                 "c: array System.Collections.Generic.List<UnityEngine.Transform>\n"
                 "d: array E[]\ne: array System.Collections.Generic.List<System.Boolean>\n"
                 "f: array System.String[]\n");
    const struct type_class *c = component(GUID("1"));
    assert_true(field(c, "a")->type->is_hex && field(c, "d")->type->is_hex);
    assert_true(field(c, "e")->type->is_hex && field(c, "e")->type->is_list);
    assert_false(field(c, "b")->type->is_hex || field(c, "f")->type->is_hex);
    assert_false(field(c, "a")->type->is_list);
}

TEST(serializable_classes_and_structs_have_fields)
{
    put("Assets/Stats.cs", "using System;\nnamespace Game {\n[Serializable] public struct Stats\n"
                           "{ public int hp; int hidden; public Range range; }\n"
                           "[System.Serializable] public class Range { public float min = 1; }\n}");
    put_meta("Assets/Stats.cs", GUID("2"));
    check_script("using Game;", "public Stats stats; public Stats[] many;",
                 "stats: struct Game.Stats\n  hp: int System.Int32\n  range: struct Game.Range\n"
                 "    min: float System.Single = 1\nmany: array Game.Stats[]\n");
    assert_int_equal(field(component(GUID("1")), "many")->type->element->kind, TYPE_STRUCT);
}

TEST(class_inside_itself_ends_after_ten_levels)
{
    put_script("Assets/Thing.cs", GUID("1"),
               "[System.Serializable] public class Node { public int v; public Node next; "
               "public Node[] more; }\n"
               "public class Thing : UnityEngine.MonoBehaviour { public Node root; }");
    open_types();
    const struct type_class *c = field(component(GUID("1")), "root")->type->of;
    unsigned levels = 1;
    for (const struct type_field *f; (f = type_field_find(c, STR("next"))) != NULL; levels++)
        c = f->type->of;
    assert_int_equal(levels, 10);
    assert_null(type_field_find(c, STR("more")));
}

TEST(hostile_network_of_classes_is_limited)
{
    struct buf text = {0};
    for (int i = 0; i < 40; i++) {
        buf_printf(&text, "[System.Serializable] public class C%d { public int v;", i);
        for (int k = 0; k < 40; k++)
            buf_printf(&text, " public C%d f%d;", k, k);
        buf_add(&text, STR("}\n"));
    }
    buf_add(&text, STR("public class Thing : UnityEngine.MonoBehaviour { public C0 root; }"));
    put_script("Assets/Thing.cs", GUID("1"), text.p);
    buf_done(&text);
    open_types();
    assert_non_null(type_field_find(component(GUID("1")), STR("root")));
}

TEST(enums_have_names_values_and_flags)
{
    check_script("using System; public enum Plain { A, B = 5, C, D = B, E = -1, F }\n"
                 "[Flags] public enum Bits : byte { None = 0, X = 1 << 0, Y = 1 << 1, XY = X | Y,\n"
                 "Z = 0x10, All = ~0 & 255, Odd = (Z + X) * 2 - 1 }",
                 "public Plain plain = Plain.C; public Bits bits = Bits.X | Bits.Z;\n"
                 "public Inner inner; public enum Inner { I = 'a' }",
                 "plain: enum Plain = 6\nbits: enum Bits = 17\ninner: enum Thing+Inner\n");
    const struct type_class *c = component(GUID("1"));
    const struct type_enum *plain = field(c, "plain")->type->values;
    static const int64_t want[] = {0, 5, 6, 5, -1, 0};
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(plain->members[i].value, want[i]);
    const struct type *bits = field(c, "bits")->type;
    assert_int_equal(bits->bits, 8);
    assert_false(bits->is_signed);
    assert_true(bits->values->flags);
    assert_int_equal(type_enum_by_name(bits->values, STR("All"))->value, 255);
    assert_int_equal(type_enum_by_name(bits->values, STR("Odd"))->value, 33);
    assert_null(type_enum_by_name(bits->values, STR("Nope")));
    struct arena a = {0};
    CHECK_CSTR(type_enum_name(bits->values, 3, &a), "XY");
    CHECK_CSTR(type_enum_name(bits->values, 18, &a), "Y, Z");
    CHECK_CSTR(type_enum_name(bits->values, 0, &a), "None");
    CHECK_CSTR(type_enum_name(plain, 6, &a), "C");
    CHECK_CSTR(type_enum_name(plain, 77, &a), "");
    CHECK_CSTR(type_enum_name(bits->values, 4, &a), "");
    arena_done(&a);
    assert_int_equal(field(c, "inner")->type->values->members[0].value, 97);
}

TEST(constant_initializers_are_initial_values)
{
    check_script(
        "using UnityEngine;",
        "public int a = 5; public int b = -0x10; public float c = 1.5f;\n"
        "public float d = -3; public bool e = true; public bool f = false;\n"
        "public string g = \"Hero\"; public string h = \"a: b\"; public string i = \"\";\n"
        "public Vector3 j = new Vector3(1, 2.5f, -3); public Vector2 k = Vector2.up;\n"
        "public Color l = Color.red; public Color m = new Color(1f, 0.5f, 0f);\n"
        "public LayerMask n = ~0; public uint o = 7u; public Vector3 p = new(1, 2, 3);\n"
        "public float q = Random.value; public int r = Compute(1); public double s = .1;\n"
        "public string t = @\"x\"\"y\"; public Transform u = null; public long v = 1L << 40;\n"
        "public string w = \"tab\\there\"; public float x = 1_000f; public byte y = 300;",
        "a: int System.Int32 = 5\nb: int System.Int32 = -16\n"
        "c: float System.Single = 1.5\nd: float System.Single = -3\n"
        "e: bool System.Boolean = 1\nf: bool System.Boolean\n"
        "g: string System.String = Hero\nh: string System.String = 'a: b'\n"
        "i: string System.String\nj: vector3 UnityEngine.Vector3 = {x: 1, y: 2.5, z: -3}\n"
        "k: vector2 UnityEngine.Vector2 = {x: 0, y: 1}\n"
        "l: color UnityEngine.Color = {r: 1, g: 0, b: 0, a: 1}\n"
        "m: color UnityEngine.Color = {r: 1, g: 0.5, b: 0, a: 1}\n"
        "n: mask UnityEngine.LayerMask = \nserializedVersion: 2\nm_Bits: 4294967295\n"
        "o: int System.UInt32 = 7\np: vector3 UnityEngine.Vector3 = {x: 1, y: 2, z: 3}\n"
        "q: float System.Single\nr: int System.Int32\ns: double System.Double = 0.1\n"
        "t: string System.String = x\"y\nu: object UnityEngine.Transform\n"
        "v: int System.Int64 = 1099511627776\n"
        "w: string System.String = \"tab\\there\"\nx: float System.Single = 1000\n"
        "y: int System.Byte = 44\n");
}

TEST(base_classes_come_first_with_their_type_arguments)
{
    put_script("Assets/Base.cs", GUID("2"),
               "using System.Collections.Generic;\nnamespace Lib {\n"
               "public abstract class Base<T, U> : Root { public T one; public List<U> many; "
               "[UnityEngine.SerializeField] T[] hidden; }\n"
               "public class Root : UnityEngine.MonoBehaviour { public string id; }\n}");
    check_script(
        "using Lib; public class Mid : Base<float, UnityEngine.Transform> { public int m; }", "",
        "");
    types_forget(types);
    put_script("Assets/Leaf.cs", GUID("3"), "public class Leaf : Mid { public bool leaf; }");
    assets_refresh(assets, STR(""));
    const struct type_class *c = component(GUID("3"));
    check_fields(c, "id: string System.String\none: float System.Single\n"
                    "many: array System.Collections.Generic.List<UnityEngine.Transform>\n"
                    "hidden: array System.Single[]\nm: int System.Int32\n"
                    "leaf: bool System.Boolean\n");
    assert_true(c->is_component);
    assert_true(type_class_is_a(c, STR("Lib.Root")));
    assert_true(type_class_is_a(c, STR("Mid")));
}

TEST(circle_of_base_classes_ends)
{
    put_script("Assets/A.cs", GUID("1"), "class A : B { public int a; }");
    put_script("Assets/B.cs", GUID("2"), "class B : A { public int b; }");
    put_script("Assets/Self.cs", GUID("3"), "class Self : Self { public int s; }");
    open_types();
    const struct type_class *a = types_component(types, 114, script(GUID("1")), STR(""));
    const struct type_class *s = types_component(types, 114, script(GUID("3")), STR(""));
    assert_false(type_class_is_a(a, STR("UnityEngine.MonoBehaviour")));
    assert_false(s->is_component);
}

TEST(generic_serializable_types_are_fields_from_2020_on)
{
    put_version("2021.3.1f1");
    put("Assets/Pair.cs",
        "[System.Serializable] public class Pair<T> { public T a; public T[] b; }");
    put_meta("Assets/Pair.cs", GUID("2"));
    check_script("", "public Pair<int> pair; public int last;",
                 "pair: struct Pair<System.Int32>\n  a: int System.Int32\n"
                 "  b: array System.Int32[]\nlast: int System.Int32\n");
    types_free(types);
    assets_close(assets);
    project_done(&project);
    put_version("2019.4.1f1");
    open_project();
    open_types();
    check_fields(component(GUID("1")), "last: int System.Int32\n");
}

TEST(parts_of_a_class_are_joined)
{
    put_script("Assets/Thing.cs", GUID("1"), "public partial class Thing { public int a; }");
    put_script("Assets/Thing.More.cs", GUID("2"),
               "public partial class Thing : UnityEngine.MonoBehaviour { public int b; }");
    open_types();
    const struct type_class *c = component(GUID("1"));
    check_fields(c, "a: int System.Int32\nb: int System.Int32\n");
    assert_true(c->is_component);
    assert_null(types_component(types, 114, script(GUID("2")), STR("")));
}

TEST(names_are_resolved_in_their_scope)
{
    put("Assets/Lib.cs",
        "namespace A.B { [System.Serializable] public struct S { public int ab; } }\n"
        "namespace C { [System.Serializable] public struct S { public int c; } }\n"
        "[System.Serializable] public struct S { public int global; }");
    put_meta("Assets/Lib.cs", GUID("2"));
    put_script("Assets/Thing.cs", GUID("1"),
               "using C; using Short = C.S; using Space = A.B;\nnamespace A.B.Inner {\n"
               "public class Thing : UnityEngine.MonoBehaviour {\n"
               "public S near; public C.S dotted; public Short alias; public Space.S by;\n"
               "public global::S outermost; public Nested mine;\n"
               "[System.Serializable] public class Nested { public int n; } } }");
    open_types();
    const struct type_class *c = component(GUID("1"));
    CHECK_CSTR(c->name, "A.B.Inner.Thing");
    check_fields(c, "near: struct A.B.S\n  ab: int System.Int32\ndotted: struct C.S\n"
                    "  c: int System.Int32\nalias: struct C.S\n  c: int System.Int32\n"
                    "by: struct A.B.S\n  ab: int System.Int32\noutermost: struct S\n"
                    "  global: int System.Int32\nmine: struct A.B.Inner.Thing+Nested\n"
                    "  n: int System.Int32\n");
}

TEST(managed_references_are_recognized)
{
    check_script(
        "using UnityEngine; using System.Collections.Generic; namespace G { interface I {} }",
        "[SerializeReference] G.I one; [SerializeReference] public List<G.I> many;\n"
        "[SerializeReference] object any;",
        "one: managed G.I\nmany: array System.Collections.Generic.List<G.I>\n"
        "any: managed object\n");
    assert_int_equal(field(component(GUID("1")), "many")->type->element->kind, TYPE_MANAGED);
}

TEST(events_are_structs)
{
    check_script(
        "using UnityEngine.Events;\n"
        "[System.Serializable] public class Hit : UnityEvent<int> {}",
        "public UnityEvent a; public Hit b; public UnityEvent<float, Hit> c;",
        "a: struct UnityEngine.Events.UnityEvent\n"
        "  m_PersistentCalls: struct UnityEngine.Events.PersistentCallGroup\n"
        "    m_Calls: array System.Collections.Generic.List<UnityEngine.Events.PersistentCall>\n"
        "b: struct Hit\n"
        "  m_PersistentCalls: struct UnityEngine.Events.PersistentCallGroup\n"
        "    m_Calls: array System.Collections.Generic.List<UnityEngine.Events.PersistentCall>\n"
        "c: struct UnityEngine.Events.UnityEvent<System.Single,Hit>\n"
        "  m_PersistentCalls: struct UnityEngine.Events.PersistentCallGroup\n"
        "    m_Calls: array System.Collections.Generic.List<UnityEngine.Events.PersistentCall>\n");
}

TEST(field_is_found_by_former_names)
{
    put_script("Assets/Thing.cs", GUID("1"),
               "using UnityEngine; using UnityEngine.Serialization;\n"
               "public class Thing : MonoBehaviour {\n"
               "  [FormerlySerializedAs(\"speed\")][FormerlySerializedAs(\"velocity\")]\n"
               "  public int pace; [FormerlySerializedAs(Names.Old)] public int other; }");
    open_types();
    const struct type_field *f = field(component(GUID("1")), "pace");
    assert_int_equal(f->former_count, 2);
    assert_true(type_field_is(f, STR("velocity")) && type_field_is(f, STR("pace")));
    assert_false(type_field_is(f, STR("other")));
    assert_int_equal(field(component(GUID("1")), "other")->former_count, 0);
}

TEST(non_constant_initial_value_is_left_out_of_a_new_component)
{
    static const char *const left_out[] = {"speed", "where", "made", "sized", "shape", "chosen"};
    put_script("Assets/Thing.cs", GUID("1"),
               "using System.Collections.Generic; using UnityEngine;\n"
               "[System.Serializable] public class Stats { public int hp = 5; "
               "public float rate = Other.Rate; }\n"
               "public class Thing : MonoBehaviour {\n"
               "    public float speed = Other.Speed, plain, zero = 0f;\n"
               "    public Vector3 where = Vector3.one * 2, origin = Vector3.zero;\n"
               "    public Stats made = new Stats { hp = 7 }, stats = new Stats(), bare;\n"
               "    public int[] sized = new int[4], none = new int[0], two = {1, 2};\n"
               "    public List<int> list = new List<int>(), more = new();\n"
               "    public string text = \"\", empty = string.Empty, nothing = null;\n"
               "    public bool off = false; public Transform target = null;\n"
               "    public AnimationCurve shape = new AnimationCurve(new Keyframe(0, 1)), "
               "flat = new AnimationCurve();\n"
               "    [SerializeReference] public Stats chosen = new Stats(), unchosen;\n"
               "    public Vector2 start = default;\n"
               "}\n");
    open_types();
    const struct type_class *c = component(GUID("1"));
    for (size_t i = 0; i < c->field_count; i++) {
        bool wanted = false;
        for (size_t k = 0; k < sizeof left_out / sizeof *left_out; k++)
            wanted |= str_eq(c->fields[i].name, str_from(left_out[k]));
        if (c->fields[i].is_left_out != wanted)
            fail_msg("%.*s", STR_ARG(c->fields[i].name));
    }
    const struct type_class *stats = field(c, "stats")->type->of;
    assert_false(field(stats, "hp")->is_left_out);
    assert_true(field(stats, "rate")->is_left_out);
}

TEST(constant_initializers_of_arrays_rectangles_and_curves_are_read)
{
    check_script("using UnityEngine; using System.Collections.Generic; public enum E { A, B }",
                 "public int[] a = { 1, -2, 0x10, }; public short[] b = new short[] { 258 };\n"
                 "public List<float> c = new List<float> { 1f, .5f }; public E[] d = { E.B };\n"
                 "public string[] e = { \"x, y\", \"\" }; public int[] f = { 1, Compute() };\n"
                 "public bool[] g = new[] { true, false }; public int[] h = new int[3];\n"
                 "public List<int> i = new List<int>(); public Rect j = new Rect(1, 2, 3, 4);\n"
                 "public Vector2[] k = { Vector2.up, new Vector2(1, 2) };\n"
                 "public AnimationCurve l = AnimationCurve.Linear(0, 0, 1, 2);\n"
                 "public AnimationCurve m = AnimationCurve.Constant(0, 0, 5);",
                 "a: array System.Int32[] = 01000000feffffff10000000\n"
                 "b: array System.Int16[] = 0201\n"
                 "c: array System.Collections.Generic.List<System.Single> = \n- 1\n- 0.5\n"
                 "d: array E[] = 01000000\ne: array System.String[] = \n- x, y\n- \n"
                 "f: array System.Int32[]\ng: array System.Boolean[] = 0100\n"
                 "h: array System.Int32[]\n"
                 "i: array System.Collections.Generic.List<System.Int32>\n"
                 "j: rect UnityEngine.Rect = \nserializedVersion: 2\nx: 1\ny: 2\nwidth: 3\n"
                 "height: 4\nk: array UnityEngine.Vector2[] = \n- {x: 0, y: 1}\n- {x: 1, y: 2}\n"
                 "l: curve UnityEngine.AnimationCurve = \nserializedVersion: 2\nm_Curve:\n"
                 "- serializedVersion: 3\n  time: 0\n  value: 0\n  inSlope: 0\n  outSlope: 2\n"
                 "  tangentMode: 0\n  weightedMode: 0\n  inWeight: 0\n  outWeight: 0\n"
                 "- serializedVersion: 3\n  time: 1\n  value: 2\n  inSlope: 2\n  outSlope: 0\n"
                 "  tangentMode: 0\n  weightedMode: 0\n  inWeight: 0\n  outWeight: 0\n"
                 "m_PreInfinity: 2\nm_PostInfinity: 2\nm_RotationOrder: 4\n"
                 "m: curve UnityEngine.AnimationCurve = \nserializedVersion: 2\nm_Curve:\n"
                 "- serializedVersion: 3\n  time: 0\n  value: 5\n  inSlope: 0\n  outSlope: 0\n"
                 "  tangentMode: 0\n  weightedMode: 0\n  inWeight: 0\n  outWeight: 0\n"
                 "m_PreInfinity: 2\nm_PostInfinity: 2\nm_RotationOrder: 4\n");
}

TEST(attributes_of_a_class_are_known)
{
    put_script("Assets/Base.cs", GUID("2"),
               "using UnityEngine; [RequireComponent(typeof(Rigidbody), typeof(Collider))]\n"
               "[DisallowMultipleComponent] public class Base : MonoBehaviour {}");
    put_script("Assets/Thing.cs", GUID("1"),
               "using UnityEngine; [RequireComponent(typeof(Light)), "
               "RequireComponent(typeof(Transform))]\n"
               "public class Thing : Base {}");
    put_script("Assets/Abstract.cs", GUID("3"),
               "public abstract class Abstract : UnityEngine.MonoBehaviour {}");
    open_types();
    const struct type_class *c = component(GUID("1"));
    assert_int_equal(c->require_count, 3);
    CHECK_CSTR(c->requires_[0], "UnityEngine.Light");
    CHECK_CSTR(c->requires_[1], "UnityEngine.Rigidbody");
    CHECK_CSTR(c->requires_[2], "UnityEngine.Collider");
    assert_true(component(GUID("2"))->is_single);
    assert_false(c->is_single);
    assert_true(component(GUID("3"))->is_abstract);
    assert_int_equal(c->script.file_id, 11500000);
    CHECK_CSTR(c->path, "Assets/Thing.cs");
}

TEST(editor_scripts_are_recognized_by_folder_or_assembly)
{
    const char *text = "public class X : UnityEngine.MonoBehaviour {}";
    put_script("Assets/Editor/X.cs", GUID("1"), text);
    put_script("Assets/Tools/Y.cs", GUID("2"), "public class Y : UnityEngine.MonoBehaviour {}");
    put_script("Assets/Tools/T.asmdef", GUID("3"),
               "{\"name\": \"T\", \"includePlatforms\": [\"Editor\"]}");
    put_script("Assets/Run/Editor/Z.cs", GUID("4"),
               "public class Z : UnityEngine.MonoBehaviour {}");
    put_script("Assets/Run/R.asmdef", GUID("5"), "{\"name\": \"R\", \"includePlatforms\": []}");
    open_types();
    assert_true(component(GUID("1"))->is_editor_only);
    assert_true(component(GUID("2"))->is_editor_only);
    assert_false(component(GUID("4"))->is_editor_only);
}

TEST(class_of_a_file_has_the_name_of_the_file)
{
    put_script("Assets/Thing.cs", GUID("1"),
               "class Other : UnityEngine.MonoBehaviour {} class Thing<T> {}\n"
               "namespace N { class Thing : UnityEngine.MonoBehaviour {} }");
    put_script("Assets/Wrong.cs", GUID("2"), "class Right : UnityEngine.MonoBehaviour {}");
    open_types();
    CHECK_CSTR(component(GUID("1"))->name, "N.Thing");
    assert_null(types_component(types, 114, script(GUID("2")), STR("")));
    const struct type_class *const *found;
    assert_int_equal(types_find(types, STR("Right"), &found), 1);
    assert_false(found[0]->is_component); /* it cannot be added */
}

TEST(missing_script_has_no_class_and_missing_file_has_a_name)
{
    put_meta("Assets/Gone.cs", GUID("1"));
    open_types();
    assert_null(types_component(types, 114, script(GUID("9")), STR("")));
    assert_null(types_component(types, 114, (struct reference){0}, STR("")));
    const struct type_class *c = component(GUID("1"));
    CHECK_CSTR(c->name, "Gone");
    assert_false(c->is_known);
    assert_true(c->is_component);
}

TEST(identifier_finds_the_class_of_an_unknown_script)
{
    put_script("Assets/Thing.cs", GUID("1"),
               "namespace N { class Thing : UnityEngine.MonoBehaviour {} }");
    put_meta("Assets/Gone.cs", GUID("2"));
    open_types();
    struct reference none = {0};
    CHECK_CSTR(types_component(types, 114, none, STR("Assembly-CSharp::N.Thing"))->name, "N.Thing");
    CHECK_CSTR(types_component(types, 114, none, STR("Assembly-CSharp:N:Thing"))->name, "N.Thing");
    assert_null(types_component(types, 114, none, STR("Assembly-CSharp::N.Nothing")));
    CHECK_CSTR(types_component(types, 114, script(GUID("2")), STR("A::Deep.Gone"))->name,
               "Deep.Gone");
}

TEST(broken_file_gives_readable_fields_and_a_report)
{
    put_script(
        "Assets/Thing.cs", GUID("1"),
        "public class Thing : UnityEngine.MonoBehaviour {\n  public int a;\n}\npublic 7 {\n");
    open_types();
    assert_non_null(type_field_find(component(GUID("1")), STR("a")));
    assert_true(str_starts(buf_str(&notes), STR("Assets/Thing.cs:4 ")));
}

TEST(fields_in_inactive_branches_are_ignored)
{
    check_script("",
                 "#if UNITY_EDITOR\npublic int editor;\n#else\npublic int player;\n#endif\n"
                 "#if NEVER\npublic int never;\n#endif",
                 "editor: int System.Int32\n");
}

TEST(class_with_unknown_base_is_a_component)
{
    put_script("Assets/Thing.cs", GUID("1"),
               "using Mirror; public class Thing : NetworkBehaviour { public int a; "
               "public Other other; }");
    put_script("Assets/Other.cs", GUID("2"), "public class Other : NetworkBehaviour {}");
    put_script("Assets/Plain.cs", GUID("3"), "public class Plain : IThing {}");
    open_types();
    assert_true(component(GUID("1"))->is_component);
    check_fields(component(GUID("1")), "a: int System.Int32\nother: object Other\n");
    assert_false(component(GUID("3"))->is_component);
}
