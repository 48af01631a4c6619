using System;
namespace N;
public abstract partial class A<TKey, TValue> : B<TKey>.Inner, I1, I2<(int, string)> where TKey : notnull, IComparable<TKey> where TValue : class, I1?, new()
{
    [DllImport("x", EntryPoint = "y")] public static extern unsafe int F(ref int* p, in string s = "a;}", params object[] rest);
    static readonly Dictionary<string, Func<int, int>> table = new Dictionary<string, Func<int, int>> { ["a"] = x => x + 1, ["b"] = (int y) => { return y; }, { "c", delegate { return 1; } } };
    static readonly int sw = Environment.TickCount switch { 1 => 2, > 3 and < 5 => 4, _ => throw new Exception() };
    int? a = null; List<int?>? list = new(); string s = default!; int[,] m = new int[2, 3]; int[][] j = new int[][] { new[] { 1 }, new[] { 2 } };
    public required string Name { get; init; } = nameof(Foo<int>.Bar);
    public event Action<int> Ev { add { } remove { } }
    event Action I1.X { add => a += value; remove => a -= value; }
    int I1.P { get; set; }
    public int this[int i] => i;
    public static A<TKey, TValue> operator +(A<TKey, TValue> x, A<TKey, TValue> y) => x;
    public static bool operator true(A<TKey, TValue> x) => true;
    public static bool operator >=(A<TKey, TValue> x, int y) { return true; }
    public static explicit operator checked int(A<TKey, TValue> x) => 1;
    public A() : this(x => { return x; }) { }
    public A(int x) => a = x;
    static A() { }
    protected virtual async Task<T> Go<T>(CancellationToken t = default) where T : struct, IFoo => await X<T>();
    public unsafe fixed byte buffer[128];
    delegate*<int, void> fp;
    public delegate TOut Conv<in TIn, out TOut>(TIn x) where TIn : class;
    volatile bool flag; internal protected const int K = 1 << 3 | 0xFF_FF, L = K * -1;
    const double D = 1e-5, E2 = .5e+3d; const decimal M = 1.5m; float f = -.5f;
    public int[] coll = [1, 2, 3];
    public string t = "a" + @"b\" + $"{1}" + $@"{"x"}\";
    public string raw = """
        { "json": 1 }
        """;
    public (int x, (string y, int z) w)[] tuples;
    readonly struct S { public readonly int x; }
    ref struct RS { Span<int> s; }
    public sealed record class RC(int A, string B) : Base(A), IX { public int Z { get; set; } }
    file class Hidden { }
    [System.Serializable, Obsolete("x", false)] [field: NonSerialized] public class Q { public Q q; }
    public abstract int Abs { get; set; }
    public int GetOnly { get; } = 3;
    [field: SerializeField] [field: Range(0, 1)] public float Both { get; set; }
    public Action cb = () => { if (x) { y(); } }, cb2 = Foo<A, B>.Bar;
    public Vector3 vv = new() { x = 1, y = 2 };
    [Header("a"), Tooltip(@"b ""c""")] [SerializeField] GameObject go, go2;
    public Enum2 e = Enum2.A | Enum2.B;
    public Type ty = typeof(List<>);
    public object o = (object)"x" ?? new object();
    public bool b = a < b && c > d, b2 = x is not null;
    bool Prop2 => a is { Length: > 3 } x && x.y;
    int Prop3 { get { return 1; } init => x = value; }
    int Prop4 { [MethodImpl(256)] get; [Obsolete] private set; }
    enum E1 : long { A = 'a', B = (int)C2.X, C = ~0, D = A | (B << 2), [Obsolete("a,b")] E, }
    interface IN<in T> where T : class { int X { get; } void M() { } static int S = 3; }
    ~A() => x();
}
class C2;
class C3 { int x };
struct Foo : IEquatable<Foo> { public float x, y; public Foo(float x, float y) { this.x = x; this.y = y; } };
