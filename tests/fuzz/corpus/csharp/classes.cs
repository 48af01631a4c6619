#define FOO
#undef UNITY_2022
using System;
using System.Collections.Generic;
using static UnityEngine.Mathf;
using Vec = UnityEngine.Vector3;
global using Foo.Bar;
using Map = System.Collections.Generic.Dictionary<string, int>;
#if UNITY_EDITOR && FOO && !UNITY_2022 || (A == B)
using UnityEditor;
#else
this is not } C# { at all " ' 
#endif
[assembly: System.Reflection.AssemblyVersion("1.0")]
namespace Game.Enemies
{
    using Inner.Thing;
    /// <summary> braces { in comments } </summary>
    [RequireComponent(typeof(Rigidbody), typeof(AudioSource)), DisallowMultipleComponent]
    [AddComponentMenu("Game/Enemy {")]
    public partial class Enemy<T> : MonoBehaviour, global::IFoo<T, int>, System.IDisposable where T : class, new()
    {
        public float speed = 3.5f, health = 100;
        [SerializeField, Range(0, 10)] private int _count;
        [SerializeField] /* hi */ private List < Vector3 > points = new List<Vector3>();
        [field: SerializeField] public string Title { get; private set; } = "a\"}b";
        public int Computed => speed > 3 ? 1 : 2;
        public int Full { get { return 1; } set { x = value; } }
        public int Arrow { get => 3; set => x = value; }
        public (int a, string b) pair = (1, "x");
        public (int, int) Prop { get; set; }
        int[] arr = { 1, 2, 3 };
        Func<int, int> f = x => new Dictionary<int, int>().Count + x, g = delegate (int y) { return y; };
        public event Action E = delegate { };
        public Vector3 v = new Vector3(1, 2, 3);
        const string S = @"a""{ b", T2 = $"x{(1 == 2 ? "}" : "{")}y{{", R = """ "q" { """;
        public char c = '"', d = '\'', e = '{';
        Enemy() : base(1) { }
        ~Enemy() { }
        void Update() { if (true) { var s = $"{x:0.0} {y}"; } }
        T Get<T>() where T : class { return null; }
        public static implicit operator int(Enemy<T> e) => 1;
        public static bool operator ==(Enemy<T> a, Enemy<T> b) { return true; }
        public int this[int i] { get { return 1; } }
#if OTHER
        public int hidden;
#elif UNITY_EDITOR
        public int shown = 1;
#else
        public int hidden2;
#endif
        [Serializable]
        public struct Stats { public int hp; public float mp; }
        public enum Kind : byte { A, B = 3, [InspectorName("Cc")] C = A | B, D = 1 << 4 }
        private class Nested { class Deep { int z; } }
    }
    record Point(int X, int Y);
    public record struct RS(int A) { public int q; }
    class Prim(int a, string b) : Base(a) { int w = a; }
    interface IThing { int P { get; set; } void F(); }
}
namespace A { namespace B.C { class @class { public int @int; } } }
