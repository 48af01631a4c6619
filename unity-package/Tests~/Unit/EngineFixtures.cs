using System;
using System.Collections.Generic;
using Standin;
using UnityEditor;
using UnityEngine;
using UnityEngine.Events;
using UnityEngine.Serialization;

namespace Standin.Tests
{
    /// <summary>Provides a new scene for each test of the stand-in.</summary>
    public abstract class EngineFixture
    {
        [NUnit.Framework.SetUp]
        public void OpenScene()
        {
            SceneData.All.Clear();
            SceneData.Active = null;
            SceneData.ActiveOrNew();
            Undo.ClearAll();
            Undo.IncrementCurrentGroup();
        }

        internal static SceneData Scene { get { return SceneData.Active; } }
    }

    public enum Mood { Calm = 1, Angry = 5, Bored = 3 }

    public class Empty { }

    public interface IShape { }

    [Serializable]
    public class Circle : IShape
    {
        public float radius = 2;
    }

    [Serializable]
    public class Bag
    {
        public string label = "bag";
        [SerializeField] int count = 3;
        public int Count { get { return count; } }
    }

    [Serializable]
    public class Tree
    {
        public int leaves;
        public Tree inner;
        public List<Tree> more;
    }

    [Serializable]
    public class Wheel : Empty
    {
        public int spokes;
    }

    [Serializable]
    public struct Corner
    {
        public Vector2 at;
        public Mood mood;
    }

    public class Creature : MonoBehaviour
    {
        [SerializeField] protected int age = 4;
    }

    public class Holder<T> : Creature
    {
        public T held;
    }

    public class Everything : Holder<Vector3>
    {
        public bool flag = true;
        public byte small = 1;
        public long wide = -4;
        public ulong huge = ulong.MaxValue;
        public double precise = 0.1;
        public char letter = 'a';
        public string text;
        public Mood mood = Mood.Angry;
        public Color32 tint = new Color32(1, 2, 3, 4);
        public LayerMask mask = ~0;
        public Rect area = new Rect(1, 2, 3, 4);
        public Bounds extent = new Bounds(Vector3.one, Vector3.one * 4);
        public AnimationCurve curve = AnimationCurve.Linear(0, 0, 1, 2);
        public Gradient ramp;
        public Bag bag;
        public Corner[] corners = new Corner[2];
        public List<int> numbers = new List<int> { 1, -2 };
        public Transform target;
        public List<Transform> targets;
        [SerializeReference] public IShape shape;
        [SerializeReference] List<IShape> shapes = new List<IShape>();
        public UnityEvent onHit;
        [field: SerializeField] public int Lives { get; set; } = 9;
        [HideInInspector] public int hidden = 7;
        [FormerlySerializedAs("oldName")] public int newName;
        public Tree tree;
        public Wheel wheel;

        [NonSerialized] public int forgotten;
        public static int shared;
        public const int Fixed = 1;
        public readonly int unchanging = 2;
        public int[,] grid;
        public int[][] jagged;
        public List<List<int>> nested;
        public Dictionary<string, int> lookup;
        public int? perhaps;
        public object anything;
        public Empty plain;
        public DateTime day;
        public Action callback;
        public IShape interfaceWithoutAttribute;
        internal int within;

        public List<IShape> Shapes { get { return shapes; } }
        public int Unused { get { return within + forgotten; } }
    }

    [RequireComponent(typeof(Creature))]
    public class Needy : MonoBehaviour { }

    [RequireComponent(typeof(Needy), typeof(Everything))]
    public class Needier : MonoBehaviour { }

    [RequireComponent(typeof(RectTransform))]
    public class Widget : MonoBehaviour { }

    [DisallowMultipleComponent]
    public class Lonely : MonoBehaviour { }

    public class LonelyChild : Lonely { }

    public abstract class Idea : MonoBehaviour { }

    [RequireComponent(typeof(Idea))]
    public class Thinker : MonoBehaviour { }

    public class Clamped : MonoBehaviour
    {
        public int value;
        [NonSerialized] public int validated;
        [NonSerialized] public bool wasReset;

        void Reset() { wasReset = true; }

        void OnValidate()
        {
            validated++;
            value = Math.Min(value, 10);
        }
    }

    [ExecuteAlways]
    public class Watcher : MonoBehaviour
    {
        public static string Received = "";

        void Awake() { Received += "Awake "; }
        void OnDestroy() { Received += "OnDestroy "; }
    }

    public class Note : ScriptableObject
    {
        public string text = "";
        [NonSerialized] public int enabled;

        void OnEnable() { enabled++; }
    }
}
