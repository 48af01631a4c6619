#include "unity/csharp.h"

#include "test.h"

static const struct str defines[] = {STR_INIT("UNITY_EDITOR"), STR_INIT("UNITY_2022_3_OR_NEWER")};
static const struct csharp_options options = {.defines = defines, .define_count = 2};

static void add_attributes(struct buf *out, const struct csharp_attribute *a, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        buf_printf(out, "[%.*s%s%.*s", STR_ARG(a[i].target), a[i].target.n ? ":" : "",
                   STR_ARG(a[i].name));
        if (a[i].arguments.n)
            buf_printf(out, "(%.*s)", STR_ARG(a[i].arguments));
        buf_printf(out, "] ");
    }
}

static void add_modifiers(struct buf *out, unsigned modifiers)
{
    static const char *const words[] = {"public", "private",  "protected", "internal", "static",
                                        "const",  "readonly", "abstract",  "sealed",   "partial"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (modifiers & 1u << i)
            buf_printf(out, "%s ", words[i]);
}

static void add_name(struct buf *out, const struct csharp_type *t)
{
    if (t->outer) {
        add_name(out, t->outer);
        buf_add_char(out, '+');
    } else if (t->namespace_.n) {
        buf_printf(out, "%.*s.", STR_ARG(t->namespace_));
    }
    buf_add(out, t->name);
}

static void add_type(struct buf *out, const struct csharp_type *t)
{
    static const char *const kinds[] = {"class", "struct", "enum", "interface", "record"};
    buf_printf(out, "%u ", t->line);
    add_attributes(out, t->attributes, t->attribute_count);
    add_modifiers(out, t->modifiers);
    buf_printf(out, "%s ", kinds[t->kind]);
    add_name(out, t);
    for (size_t i = 0; i < t->parameter_count; i++)
        buf_printf(out, "%s%.*s", i ? "," : "<", STR_ARG(t->parameters[i]));
    buf_printf(out, "%s", t->parameter_count ? ">" : "");
    for (size_t i = 0; i < t->base_count; i++)
        buf_printf(out, "%s%.*s", i ? ", " : " : ", STR_ARG(t->bases[i]));
    buf_add_char(out, '\n');
    for (size_t i = 0; i < t->field_count; i++) {
        const struct csharp_field *f = &t->fields[i];
        buf_printf(out, "  %u ", f->line);
        add_attributes(out, f->attributes, f->attribute_count);
        add_modifiers(out, f->modifiers);
        buf_printf(out, "%.*s %.*s%s", STR_ARG(f->type), STR_ARG(f->name),
                   f->is_property ? "{}" : "");
        if (f->initializer.n)
            buf_printf(out, " = %.*s", STR_ARG(f->initializer));
        buf_add_char(out, '\n');
    }
    for (size_t i = 0; i < t->member_count; i++)
        buf_printf(out, "  %.*s%s%.*s\n", STR_ARG(t->members[i].name),
                   t->members[i].value.n ? " = " : "", STR_ARG(t->members[i].value));
}

static void add_using(struct buf *out, const struct csharp_using *u)
{
    buf_printf(out, "%susing %s", u->is_global ? "global " : "", u->is_static ? "static " : "");
    if (u->alias.n)
        buf_printf(out, "%.*s = ", STR_ARG(u->alias));
    buf_add(out, u->name);
    if (u->scope.n)
        buf_printf(out, " in %.*s", STR_ARG(u->scope));
    buf_add_char(out, '\n');
}

static struct csharp_error reads_str(struct str source, const char *want)
{
    struct csharp_error error = {99, 99};
    struct csharp_file *f = csharp_read(source, &options, &error);
    struct buf out = {0};
    for (size_t i = 0; i < f->using_count; i++)
        add_using(&out, &f->usings[i]);
    for (size_t i = 0; i < f->type_count; i++)
        add_type(&out, &f->types[i]);
    CHECK_CSTR(buf_str(&out), want);
    buf_done(&out);
    csharp_free(f);
    return error;
}

/* The source has no error and these declarations. */
static void reads(const char *source, const char *want)
{
    struct csharp_error error = reads_str(str_from(source), want);
    assert_int_equal(error.line, 0);
    assert_int_equal(error.column, 0);
}

/* The source has its first error there, and still these declarations. */
static void reads_broken(const char *source, unsigned line, unsigned column, const char *want)
{
    struct csharp_error error = reads_str(str_from(source), want);
    assert_int_equal(error.line, line);
    assert_int_equal(error.column, column);
}

TEST(fields_have_type_modifiers_and_initializer)
{
    reads("class A {\n"
          "    public float speed = 3.5f, health = 100;\n"
          "    private static readonly List<Vector3> points = new List<Vector3>();\n"
          "    protected internal const string Name = \"a\\\"b\";\n"
          "    int[] numbers = { 1, 2, 3 };\n"
          "    public Vector3 v = new Vector3(1, 2, 3);\n"
          "    public volatile int? perhaps = null;\n"
          "    global::UnityEngine.Transform[][] grid;\n"
          "    (int a, string b) pair = (1, \"x\");\n"
          "    unsafe fixed byte bytes[8];\n"
          "}",
          "1 class A\n"
          "  2 public float speed = 3.5f\n"
          "  2 public float health = 100\n"
          "  3 private static readonly List<Vector3> points = new List<Vector3>()\n"
          "  4 protected internal const string Name = \"a\\\"b\"\n"
          "  5 int[] numbers = { 1, 2, 3 }\n"
          "  6 public Vector3 v = new Vector3(1, 2, 3)\n"
          "  7 public int? perhaps = null\n"
          "  8 global::UnityEngine.Transform[][] grid\n"
          "  9 (int a,string b) pair = (1, \"x\")\n"
          "  10 byte[8] bytes\n");
}

TEST(types_have_no_unnecessary_blanks)
{
    reads("class A : B < int ,\n string > {\n Dictionary <string, /* of */ List< @int > >\n "
          "@class; }",
          "1 class A : B<int,string>\n  4 Dictionary<string,List<int>> class\n");
}

TEST(attributes_come_in_lists_with_arguments_and_targets)
{
    reads(
        "[RequireComponent(typeof(Rigidbody), typeof(AudioSource)), DisallowMultipleComponent]\n"
        "[AddComponentMenu(\"Game/Enemy {\")]\n"
        "class A {\n"
        "  [SerializeField, Range(0, 10)] [Tooltip(\"a, (b) [c]\")] int x, y;\n"
        "  [global::System.NonSerialized] public int z;\n"
        "  [field: SerializeField, UnityEngine.Header(\"h\")] public int P { get; set; }\n"
        "  [SerializeReference()] IMove move;\n"
        "  [Values(new[] { 1, 2 })] int v;\n"
        "}",
        "3 [RequireComponent(typeof(Rigidbody), typeof(AudioSource))] [DisallowMultipleComponent] "
        "[AddComponentMenu(\"Game/Enemy {\")] class A\n"
        "  4 [SerializeField] [Range(0, 10)] [Tooltip(\"a, (b) [c]\")] int x\n"
        "  4 [SerializeField] [Range(0, 10)] [Tooltip(\"a, (b) [c]\")] int y\n"
        "  5 [global::System.NonSerialized] public int z\n"
        "  6 [field:SerializeField] [field:UnityEngine.Header(\"h\")] public int P{}\n"
        "  7 [SerializeReference] IMove move\n"
        "  8 [Values(new[] { _    })] int v\n");
}

TEST(only_auto_properties_have_a_field)
{
    reads("abstract class A : I {\n"
          "  public int Auto { get; private set; } = 3;\n"
          "  public int GetOnly { get; }\n"
          "  public int Init { get; init; }\n"
          "  public int Attributed { [X] get; [Y(1)] set; }\n"
          "  public int Arrow => 3;\n"
          "  public int Full { get { return 1; } set { x = value; } }\n"
          "  public int Arrows { get => 1; set => x = value; }\n"
          "  public int Half { get; set { field = value; } }\n"
          "  public abstract int Abstract { get; set; }\n"
          "  int I.Explicit { get; set; }\n"
          "  public int this[int i] { get { return i; } }\n"
          "  public event Action Changed { add { } remove { } }\n"
          "  public event Action Ended;\n"
          "}\n"
          "interface I { int Explicit { get; set; } }",
          "1 abstract class A : I\n"
          "  2 public int Auto{} = 3\n"
          "  3 public readonly int GetOnly{}\n"
          "  4 public readonly int Init{}\n"
          "  5 public int Attributed{}\n"
          "16 interface I\n");
}

TEST(types_have_outer_types_and_namespaces)
{
    reads("namespace A.B {\n"
          "  public sealed class C { struct D { enum E { X } } }\n"
          "  namespace F { interface G { } }\n"
          "}\n"
          "class H { }",
          "2 public sealed class A.B.C\n"
          "2 struct A.B.C+D\n"
          "2 enum A.B.C+D+E\n  X\n"
          "3 interface A.B.F.G\n"
          "5 class H\n");
    reads("using System;\nnamespace A . B;\nclass C { class D { int x; } int y; }",
          "using System\n3 class A.B.C\n  3 int y\n3 class A.B.C+D\n  3 int x\n");
}

TEST(types_have_parameters_bases_and_constraints)
{
    reads("public abstract partial class A<TKey, [X] TValue> : B<TKey>.C, I<(int, string)>\n"
          "    where TKey : class, new() where TValue : struct, IComparable<TValue> { int x; }\n"
          "interface J<in T, out U> : I { }",
          "1 public abstract partial class A<TKey,TValue> : B<TKey>.C, I<(int,string)>\n"
          "  2 int x\n"
          "3 interface J<T,U> : I\n");
}

TEST(records_and_primary_constructors_are_types)
{
    reads("record Point(int X, int Y);\n"
          "record struct S(int A) { public int b; }\n"
          "public record class C(int A) : Base(A), I { public int d; }\n"
          "class P(int a, string b = \"{\") : Base(a) { int w = a; }\n"
          "readonly ref struct R { }\n",
          "1 record Point\n"
          "2 struct S\n  2 public int b\n"
          "3 public record C : Base, I\n  3 public int d\n"
          "4 class P : Base\n  4 int w = a\n"
          "5 readonly struct R\n");
}

TEST(enums_have_members_with_expressions)
{
    reads("[Flags] public enum E : byte {\n"
          "  None, A = 1 << 0, [InspectorName(\"B, b\")] B = 'b', // comment, with comma\n"
          "  C = A | (B << 2), D = ~0,\n"
          "}\n"
          "enum Empty { }",
          "1 [Flags] public enum E : byte\n"
          "  None\n  A = 1 << 0\n  B = 'b'\n  C = A | (B << 2)\n  D = ~0\n"
          "5 enum Empty\n");
}

TEST(usings_have_alias_scope_and_kind)
{
    reads("global using System;\nusing UnityEngine.UI;\nusing static UnityEngine.Mathf;\n"
          "using Map = System.Collections.Generic.Dictionary<string, int>;\n"
          "using global::Other;\nextern alias X;\n"
          "namespace N.M { using Inner; class A { } }",
          "global using System\nusing UnityEngine.UI\nusing static UnityEngine.Mathf\n"
          "using Map = System.Collections.Generic.Dictionary<string,int>\n"
          "using global::Other\nusing Inner in N.M\n7 class N.M.A\n");
}

TEST(inactive_branches_are_ignored)
{
    reads("class A\n"
          "#if UNITY_EDITOR && !OTHER\n : Editor {\n#else\n : MonoBehaviour {\n#endif\n"
          "#if OTHER\n this } is { no C# ' \" at all\n"
          "#elif UNITY_2022_3_OR_NEWER\n public int shown;\n"
          "#else\n public int hidden;\n#endif\n}",
          "1 class A : Editor\n  10 public int shown\n");
    reads("#define MINE\n#undef UNITY_EDITOR\n#if MINE && !UNITY_EDITOR\nclass A { }\n#endif\n",
          "4 class A\n");
}

TEST(bodies_are_ignored_and_hide_nothing)
{
    reads("class A {\n"
          "  A() : base(x => { return \"}\"; }) { var s = $\"{(a ? \"}\" : \"{\")}\"; }\n"
          "  void F<T>(int x = 1) where T : class { if (x > 3) { class_ y; } char c = '}'; /* } */ "
          "}\n"
          "  int G() => a < b ? c : d;\n"
          "  public static bool operator ==(A a, A b) { return true; }\n"
          "  public static implicit operator int(A a) => 1;\n"
          "  ~A() { }\n"
          "  (int, int) H() { return (1, 2); }\n"
          "  [DllImport(\"x\")] static extern void I(int i);\n"
          "  Func<int, int> f = x => new Dictionary<int, int>().Count + x, g = y => y;\n"
          "  Action h = delegate { int hidden; }, i = () => { int hidden; };\n"
          "  int last;\n"
          "}",
          "1 class A\n"
          "  10 Func<int,int> f = x => 0\n"
          "  10 Func<int,int> g = y => 0\n"
          "  11 Action h = delegate {             }\n"
          "  11 Action i = () => {             }\n"
          "  12 int last\n");
}

TEST(interpolated_strings_keep_text_but_no_code)
{
    reads("class A { string a = @\"x\"\"{\", b = $\"{n:0.0} {{ {m}\", c = \"\"\" \"q\" \"\"\"; "
          "char d = '\\''; }",
          "1 class A\n"
          "  1 string a = @\"x\"\"{\"\n"
          "  1 string b = $\"{_    } {{ {_}\"\n"
          "  1 string c = \"\"\" \"q\" \"\"\"\n"
          "  1 char d = '\\''\n");
}

TEST(all_kinds_of_line_ends_count)
{
    reads("\xef\xbb\xbf// a\r\nclass A {\r\n  int x;\r\n}", "2 class A\n  3 int x\n");
    reads("// a\rclass A {\r  int x;\r}", "2 class A\n  3 int x\n");
}

TEST(broken_file_has_an_error_position_and_other_declarations)
{
    reads_broken("class A {\n  int x = ;\n  int y;\n}\nclass B { int z; }", 2, 9,
                 "1 class A\n  2 int x\n  3 int y\n5 class B\n  5 int z\n");
    /* A missing brace, and a surplus one. */
    reads_broken("class A {\n  int x;\n  void F() {\n", 4, 1, "1 class A\n  2 int x\n");
    reads_broken("class A { int x; } }\nclass B { int y; }", 1, 20,
                 "1 class A\n  1 int x\n2 class B\n  2 int y\n");
    /* Tokens without an end. */
    reads_broken("class A {\n  string s = \"abc;\n  int y;\n}", 2, 14,
                 "1 class A\n  2 string s = \"\"\n  3 int y\n");
    reads_broken("class A { int x; }\n/* class B", 2, 1, "1 class A\n  1 int x\n");
    reads_broken("class A { int x; }\n#if UNITY_EDITOR\n", 3, 1, "1 class A\n  1 int x\n");
    reads_broken("class A { int x; }\n  #endif\n", 2, 3, "1 class A\n  1 int x\n");
    /* A missing semicolon. */
    reads_broken("class A {\n  int x = 3\n  public int y;\n  int z;\n}", 2, 12,
                 "1 class A\n  2 int x = 3\n  3 public int y\n  4 int z\n");
    reads_broken("class A {\n  int x = 3\n  public void F() { a; } }\nclass B { }", 2, 12,
                 "1 class A\n  2 int x = 3\n4 class B\n");
    /* Parameters without an end. */
    reads_broken("class A {\n  void F(int a {\n  int b; }\n  int z;\n}", 2, 15,
                 "1 class A\n  4 int z\n");
}

TEST(columns_are_characters)
{
    reads_broken("class \xc3\x84 { string s = \"\xe4\xbd\xa0\"; ` }", 1, 27,
                 "1 class \xc3\x84\n  1 string s = \"\xe4\xbd\xa0\"\n");
}

TEST(invalid_utf8_is_replaced)
{
    reads("class A { /* \xff\xfe */ string s = \"a\xff\xfe\"; int x; }",
          "1 class A\n  1 string s = \"a??\"\n  1 int x\n");
    reads_broken("class A { int \xffx; }", 1, 15, "1 class A\n  1 int x\n");
    assert_int_equal(reads_str(STR("class A { int \0x; }"), "1 class A\n  1 int x\n").column, 15);
}

TEST(statements_outside_of_types_are_an_error)
{
    reads_broken("using System;\nConsole.WriteLine(1);\nif (a) { b(); }\nclass A { int x; }", 2, 1,
                 "using System\n4 class A\n  4 int x\n");
}

TEST(empty_text_is_a_file)
{
    reads("", "");
    reads("\n// only a comment\n", "");
    reads("[assembly: A(\"b\")]", "");
    csharp_free(csharp_read((struct str){0}, NULL, NULL));
    csharp_free(NULL);
}

/* Enough declarations for many pieces, with types that start in one and end in another. */
TEST(long_file_is_read_completely)
{
    struct buf text = {0}, want = {0};
    buf_printf(&text, "namespace N;\n[X] class A<T> : B {\n");
    buf_printf(&want, "2 [X] class N.A<T> : B\n");
    for (unsigned i = 0; i < 5000; i++) {
        buf_printf(&text, "  [SerializeField] private int field_%u = %u; void F%u() { }\n", i, i,
                   i);
        buf_printf(&want, "  %u [SerializeField] private int field_%u = %u\n", i + 3, i, i);
    }
    buf_printf(&text, "enum E {\n");
    buf_printf(&want, "5003 enum N.A+E\n");
    for (unsigned i = 0; i < 5000; i++) {
        buf_printf(&text, "  Member_%u = %u, \n", i, i);
        buf_printf(&want, "  Member_%u = %u\n", i, i);
    }
    buf_printf(&text, "}}\nclass C { class D { int x; } int y; }");
    buf_printf(&want, "10005 class N.C\n  10005 int y\n10005 class N.C+D\n  10005 int x\n");
    reads(text.p, want.p);
    buf_done(&text);
    buf_done(&want);
}

static struct csharp_error reads_repeated(const char *before, const char *part, size_t bytes,
                                          const char *after)
{
    struct csharp_error error;
    struct buf text = {0};
    buf_printf(&text, "%s", before);
    while (text.n < bytes)
        buf_add(&text, str_from(part));
    buf_printf(&text, "%s", after);
    csharp_free(csharp_read(buf_str(&text), &options, &error));
    buf_done(&text);
    return error;
}

/* Without limits, the parser would need minutes or all memory for each of these. */
TEST(hostile_files_are_read_in_bounded_time)
{
    static const char *const parts[] = {
        "a<",
        "(",
        "[",
        "{",
        "}",
        "$\"{",
        "a < b, ",
        "int*",
        "foo bar + 3 ) ] baz = ; => , ? : ",
        "class A {",
        "#if A\n",
        "\"\\n\\n",
        "get;",
        "a ? b : ",
        "x { get; ",
        "\xf0\x9f\x98\x80",
        "'",
        "= new A { ",
        "enum E { A = (",
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        assert_int_not_equal(reads_repeated("", parts[i], 10000, "").line, 0);
        reads_repeated("class A { int x = ", parts[i], 10000, "; }");
        reads_repeated("class A { int ", parts[i], 10000, "; }");
        reads_repeated("enum A { ", parts[i], 10000, "; }");
    }
    /* libtree-sitter cannot count more than 65,535 children of a node. */
    reads_repeated("class A { int x = ", "a < b, ", 300000, "; }");
    reads_repeated("class A { string x = \"", "\\n", 300000, "\"; }");
    reads_repeated("class A { int x { ", "get;", 300000, "} }");
}

TEST(exceeded_limit_is_an_error_and_keeps_other_declarations)
{
    assert_int_equal(reads_repeated("class A { ", "int x; ", CSHARP_MAX_BYTES, "}").line, 1);
    assert_int_equal(reads_repeated("class A { ", "int x; ", CSHARP_MAX_BYTES, "}").column, 1);
    char field[1000] = "int ";
    memset(field + 4, 'x', sizeof field - 6);
    field[sizeof field - 2] = ';';
    assert_int_equal(reads_repeated("class A {", field, 3u << 20, "}").line, 0);
    assert_int_equal(reads_repeated("class A {", field, 5u << 20, "}").line, 1);
    /* An overlong field is left out; one with an overlong value is not. */
    struct buf text = {0};
    buf_printf(&text, "class A { int a; List<");
    for (size_t i = 0; i < 10000; i++)
        buf_printf(&text, "a.");
    buf_printf(&text, "a> b; int[] c = {");
    for (size_t i = 0; i < 10000; i++)
        buf_printf(&text, "1, ");
    buf_printf(&text, "}, d = F(");
    for (size_t i = 0; i < 10000; i++)
        buf_printf(&text, "1, ");
    buf_printf(&text, "1); int e; }");
    struct csharp_error error;
    struct csharp_file *f = csharp_read(buf_str(&text), NULL, &error);
    assert_int_equal(error.line, 1);
    assert_int_equal(error.column, 18);
    assert_int_equal(f->types[0].field_count, 3);
    CHECK_CSTR(f->types[0].fields[0].name, "a");
    CHECK_CSTR(f->types[0].fields[1].name, "c");
    CHECK_CSTR(f->types[0].fields[1].initializer, "_");
    CHECK_CSTR(f->types[0].fields[2].name, "e");
    csharp_free(f);
    buf_done(&text);
}

/* Top-level types only, one line each. */
static void put_heads(struct buf *out, const char *text, bool heads_only)
{
    struct csharp_options how = options;
    how.heads_only = heads_only;
    struct csharp_file *f = csharp_read(str_from(text), &how, NULL);
    for (size_t i = 0; i < f->type_count; i++) {
        const struct csharp_type *t = &f->types[i];
        if (t->outer != NULL)
            continue;
        buf_printf(out, "%d %.*s.%.*s`%zu %x %zu:", (int)t->kind, STR_ARG(t->namespace_),
                   STR_ARG(t->name), t->parameter_count, t->modifiers, t->attribute_count);
        for (size_t k = 0; k < t->base_count; k++)
            buf_printf(out, " %.*s", STR_ARG(t->bases[k]));
        buf_add_char(out, '\n');
    }
    for (size_t i = 0; i < f->using_count; i++)
        buf_printf(out, "using %.*s\n", STR_ARG(f->usings[i].name));
    csharp_free(f);
}

TEST(reading_heads_only_gives_the_same_types)
{
    static const char *const texts[] = {
        "using System;\nusing UI = UnityEngine.UI;\nnamespace A.B { [Serializable, X(\"}  {\", y = "
        "@\"a \"\"b\")]\n"
        "public sealed partial class C<T> : D<T, int>, IE where T : class { class In : Z { } int x "
        "= 3;"
        " string s = \"}\"; void M() { if (x > 1) { } } } enum E : byte { A = 1, B }\n"
        "namespace In { struct S { public int a; } interface I : J, K { void M(); } } }",
        "namespace File;\n// class Not : X { }\n#if NEVER\nclass Off { }\n#else\n"
        "abstract class On : UnityEngine.MonoBehaviour { /* } */ char c = '}'; }\n#endif\n",
        "record R(int A, string B) : Base(A) { public int C { get; set; } = 5; }\n"
        "static class U { static string t = $\"{(1 > 0 ? \"}\" : \"{\")}\"; }\nclass Last { }",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct buf all = {0}, heads = {0};
        put_heads(&all, texts[i], false);
        put_heads(&heads, texts[i], true);
        assert_true(all.n > 0);
        CHECK_CSTR(buf_str(&heads), all.p);
        buf_done(&all);
        buf_done(&heads);
    }
}
