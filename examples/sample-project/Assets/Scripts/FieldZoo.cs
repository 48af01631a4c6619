using System;
using System.Collections.Generic;
using UnityEngine;
using UnityEngine.Events;
using Tint = UnityEngine.Color;

namespace MyGame
{
    public enum Size : byte
    {
        Small = 1,
        Medium = 2,
        Large = 4,
    }

    [Flags]
    public enum Sides
    {
        None = 0,
        Left = 1,
        Right = 1 << 1,
        Top = 1 << 2,
        Bottom = 1 << 3,
        Upright = Left | Right,
    }

    /// <summary>One field of every kind that Unity serializes, and of those that it does not.</summary>
    public partial class FieldZoo : Creature
    {
        // numbers, truth and text
        public bool flag = true;
        public byte small = 1;
        public sbyte signedSmall = -1;
        public short tiny = -2;
        public ushort unsignedTiny = 2;
        public int whole = 10, start;
        public uint unsignedWhole = 3u;
        public long wide = 4L;
        public ulong unsignedWide = 5UL;
        public float real = 1.5f;
        public double precise = 0.25;
        public char letter = 'a';
        public string text = "text";
        [TextArea(2, 5), Tooltip("With \"quotes\", (brackets) and [more]")] public string note = @"a ""note""";

        // values of the engine
        public Vector2 point;
        public Vector3 position = Vector3.one;
        public Vector4 four;
        public Vector2Int cell;
        public Vector3Int voxel = new Vector3Int(1, 2, 3);
        public Quaternion rotation = Quaternion.identity;
        public Tint tint = Color.white;
        public Color32 tint32;
        public Rect area = new Rect(0, 0, 1, 1);
        public RectInt tile;
        public Bounds extent;
        public BoundsInt region;
        public LayerMask mask = ~0;
        public AnimationCurve fade = AnimationCurve.Linear(0, 0, 1, 1);
        public Gradient ramp;

        // enums
        public Size size = Size.Medium;
        public Sides sides = Sides.Left | Sides.Top;

        // references
        [SerializeField] private Rigidbody body;
        public GameObject other;
        public Transform link;
        public Material material;
        public EnemyChaser friend;

        // lists
        public int[] numbers = { 1, 2, 3 };
        public byte[] bytes;
        public List<bool> toggles;
        public Size[] sizes;
        public List<float> factors = new List<float> { 1f };
        public string[] words;
        public List<Vector3> points;
        public List<Transform> targets;
        public List<Loot> loot;

        // classes
        public Loot best = new Loot();
        public Chest chest;
        public UnityEvent onOpen;

        // by reference: what the object is decides the value
        [SerializeReference] public IMove move;
        [SerializeReference] private List<IMove> moves = new List<IMove>();

        // a property whose field is serialized, and those that are not
        [field: SerializeField] public int Lives { get; private set; } = 3;
        public int Score { get; set; }
        public int Doubled => whole * 2;

        [HideInInspector] public int hidden = 7;

        // not serialized
        [NonSerialized] public int forgotten = 1;
        [System.NonSerialized] public int forgottenToo = 1;
        public const int Limit = 8;
        public static int Shared = 9;
        public readonly int Fixed = 10;
        [SerializeField] private readonly int alsoFixed = 11;
        private int secret = 12;
        internal int within = 13;
        protected int inherited = 14;
        public Dictionary<string, int> lookup;
        public int[,] grid;
        public int[][] jagged;
        public List<List<int>> nested;
        public int? perhaps;
        public object anything;
        public Action callback;
        public event Action Opened;
        public PlainThing plain;
        public DateTime day;

#if UNITY_EDITOR
        public string onlyInEditor = "seen by the editor";
#else
        public string onlyInPlayer = "not seen by the editor";
#endif
#if NEVER_DEFINED
        public int neverThere;
#elif UNITY_2022_3_OR_NEWER && !UNITY_WEBGL
        public int sinceThisVersion = 2022;
#endif

        private void Open()
        {
            var local = "public int notAField;";
            Opened?.Invoke();
            onOpen.Invoke();
            callback?.Invoke();
            Debug.Log($"{local} {{public int neither;}} {secret + inherited + within + alsoFixed}");
        }

        [Serializable]
        public struct Lock
        {
            public int code;
            public Key key;
        }

        [Serializable]
        public class Key
        {
            public string label;
            public Teeth teeth;
        }

        [Serializable]
        public struct Teeth
        {
            public int count;
        }

        [Serializable]
        public class Chest
        {
            public string label = "chest";
            public Loot best;
            public List<Loot> content;
            public Lock @lock;
        }

        // no [Serializable]: a field of this class is not serialized
        public class PlainThing
        {
            public int value;
        }
    }
}
