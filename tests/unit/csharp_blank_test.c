#include "unity/csharp_blank.h"

#include "test.h"

static void blanks(const char *text, const char *want)
{
    struct buf once = {0}, twice = {0};
    csharp_blank(str_from(text), NULL, &once);
    CHECK_CSTR(buf_str(&once), want);
    csharp_blank(buf_str(&once), NULL, &twice);
    CHECK_STR(buf_str(&twice), buf_str(&once));
    buf_done(&once);
    buf_done(&twice);
}

TEST(bodies_are_blanked)
{
    blanks("class A { void F() { a(); { } } }", "class A { void F() {          } }");
    blanks("class A { A() : base(1) { x } }", "class A { A() : base(1) {   } }");
    blanks("class A { ~A() { x } }", "class A { ~A() {   } }");
    blanks("class A { T F<T>() where T : class { x } }",
           "class A { T F<T>() where T : class {   } }");
    blanks("class A { (int, int) F() { x } }", "class A { (int, int) F() {   } }");
    blanks("class A { bool operator ==(A a) { x } }", "class A { bool operator ==(A a) {   } }");
    blanks("class A { int P { get { x } set { y } } }",
           "class A { int P { get {   } set {   } } }");
    blanks("class A { int this[int i] { get { x } } }",
           "class A { int this[int i] { get {   } } }");
    blanks("class A { event E e { add { x } } }", "class A { event E e { add {   } } }");
    blanks("class A { (int, int) P { get; } = (1, 2); }",
           "class A { (int, int) P { get; } = (1, 2); }");
}

TEST(body_after_an_arrow_is_0)
{
    blanks("class A { int P => a + b; }", "class A { int P => 0    ; }");
    blanks("class A { int F() => G<a, b>(c); }", "class A { int F() => 0         ; }");
    blanks("class A { int P { get =>\n x; } }", "class A { int P { get =>\n 0; } }");
    blanks("class A { F f = x => x + 1, g; }", "class A { F f = x => 0    , g; }");
    blanks("class A { F f = () => a < b, g = 1; }", "class A { F f = () => 0    , g = 1; }");
    blanks("class A { F f = G(x => (1, 2), y); }", "class A { F f = G(x => 0     , y); }");
    blanks("class A { F f = x => { y; }, g; }", "class A { F f = x => {    }, g; }");
    blanks("class A { F f = delegate (int x) { y; }; }",
           "class A { F f = delegate (int x) {    }; }");
    blanks("class A { int i = a switch { 1 => 2, _ => b };}",
           "class A { int i = a switch { 1 => 0, _ => 0 };}");
}

TEST(declarations_are_kept)
{
    blanks(
        "namespace A { using B; [C] class D<T> : E where T : F { int x = 1; } enum G { H = 1 } }",
        "namespace A { using B; [C] class D<T> : E where T : F { int x = 1; } enum G { H = 1 } }");
    blanks("class A { B b = new B { c = { 1, 2 } }; int[] d = { 1 }; }",
           "class A { B b = new B { c = { 1, 2 } }; int[] d = { 1 }; }");
    blanks("record A(int B); delegate void C(int d); record struct E { }",
           "record A(int B); delegate void C(int d); record struct E { }");
    blanks("class A { void record() { x } A record { get; } }",
           "class A { void record() {   } A record { get; } }");
}

TEST(comments_and_directives_are_blanked)
{
    blanks("/// {\nclass A { /* } */ int x; // }\n}", "     \nclass A {         int x;     \n}");
    blanks("#if X\nclass B {\n#endif\nclass A { }", "     \n         \n      \nclass A { }");
}

TEST(unmatched_braces_are_left_out)
{
    blanks("} class A { } }", "  class A { }  ");
    blanks("class A { }; class B { };", "class A { }  class B { } ");
    blanks("class A { int[] x = { 1, 2; int y; }", "class A { int[] x =   1, 2; int y; }");
    blanks("a(); class A { }", "     class A { }");
}

TEST(overlong_text_is_blanked_completely)
{
    struct buf text = {0}, out = {0};
    buf_printf(&text, "class A { }\n");
    while (text.n <= CSHARP_MAX_BYTES)
        buf_add(&text, STR("                                                   "));
    csharp_blank(buf_str(&text), NULL, &out);
    assert_int_equal(out.n, text.n);
    CHECK_CSTR(str_head(buf_str(&out), 14), "           \n  ");
    buf_done(&text);
    buf_done(&out);
}

/* Each piece repeats the heads around it, and all pieces together cover the text. */
TEST(long_text_is_split_into_pieces)
{
    struct buf text = {0}, piece = {0};
    struct csharp_blanked b;
    buf_printf(&text, "namespace N { class A : B {");
    for (int i = 0; i < 1000; i++)
        buf_printf(&text, " int field_%04d;", i);
    buf_printf(&text, "} }");
    csharp_blank_init(&b, buf_str(&text), NULL);
    assert_true(b.piece_count > 5);
    assert_true(b.error_at == SIZE_MAX);
    size_t at = 0;
    for (size_t i = 0; i < b.piece_count; i++) {
        assert_int_equal(b.pieces[i].body.from, at);
        assert_true(b.pieces[i].kept < CSHARP_PIECE_MAX);
        at = b.pieces[i].body.to;
        csharp_blank_piece(&b, i, &piece);
        assert_true(str_starts(buf_str(&piece), STR("namespace N { class A : B { int field_")));
        assert_true(str_ends(buf_str(&piece), i + 1 < b.piece_count ? STR("; }}") : STR("} }")));
        assert_int_equal(csharp_blank_offset(&b, i, 10), 10);
        size_t name = str_find(buf_str(&piece), STR("field_"));
        size_t there = csharp_blank_offset(&b, i, name);
        CHECK_STR(str_make(text.p + there, 10), str_make(piece.p + name, 10));
    }
    assert_int_equal(at, text.n);
    assert_int_equal(csharp_blank_offset(&b, 0, 100000), text.n);
    csharp_blank_done(&b);
    buf_done(&text);
    buf_done(&piece);
}

TEST(missing_braces_are_added)
{
    struct csharp_blanked b;
    struct buf piece = {0};
    csharp_blank_init(&b, STR("class A { class B { void F() { if (x) {"), NULL);
    assert_int_equal(b.error_at, b.n);
    csharp_blank_piece(&b, 0, &piece);
    CHECK_CSTR(buf_str(&piece), "class A { class B { void F() {         }}}");
    csharp_blank_done(&b);
    buf_done(&piece);
}
