using System;
using System.Collections.Generic;
using UnityEngine;

namespace Multiverse.Editor.Tests
{
    [Flags]
    public enum EditSides : byte { None, Left = 1, Top = 2, Right = 4 }
    public enum EditSize { Small = 1, Large = 4 }

    [Serializable]
    public class EditLock
    {
        public int code = 1234;
        public string hint = "none";
    }

    [Serializable]
    public class EditChest
    {
        public string label = "chest";
        public int amount = 3;
        public EditLock bolt = new EditLock();
        public Color tint = Color.red;
        public float[] weights = { 1, 2 };
    }

    [Serializable]
    public class EditHolder
    {
        public string label = "new";
        [SerializeReference] public EditLock held;
        public List<EditLock> locks = new List<EditLock>();
    }

    [Serializable]
    public struct EditDeep
    {
        [Serializable]
        public struct Two
        {
            [Serializable]
            public struct Three
            {
                public EditLock four;
                public int number;
            }
            public Three three;
        }
        public Two two;
    }

    /// <summary>One field of every kind.</summary>
    public class EditZoo : MonoBehaviour
    {
        public bool flag;
        public byte small;
        public sbyte signedSmall;
        public short tiny;
        public ushort unsignedTiny;
        public int whole = 7;
        public uint unsignedWhole;
        public long wide;
        public ulong unsignedWide;
        public char letter;
        public float real = 1.5f;
        public double precise;
        public string text = "plain";
        public EditSize size = EditSize.Small;
        public EditSides sides;
        public Vector2 two;
        public Vector3 three = new Vector3(1, 2, 3);
        public Vector4 four;
        public Vector2Int cell;
        public Vector3Int voxel;
        public Quaternion turn;
        public Color tint = new Color(.1f, .2f, .3f, .4f);
        public Color32 tint32 = new Color32(10, 20, 30, 40);
        public Rect area = new Rect(1, 2, 3, 4);
        public RectInt tile;
        public Bounds extent = new Bounds(Vector3.one, new Vector3(2, 4, 6));
        public BoundsInt region;
        public LayerMask mask;
        public AnimationCurve fade = new AnimationCurve();
        public Gradient ramp = new Gradient();
        public GameObject other;
        public Transform link;
        public Rigidbody body;
        public UnityEngine.Object anything;
        public Component part;
        public int[] numbers = { 1, 2, 3 };
        public List<string> words = new List<string>();
        public List<EditChest> chests = new List<EditChest>();
        public Transform[] points;
        public Vector3[] corners = { Vector3.one, Vector3.zero };
        public List<EditHolder> holders = new List<EditHolder>();
        public EditChest best = new EditChest();
        public EditDeep deep;
        [SerializeField] int hidden = 5;
        [field: SerializeField] public int Lives { get; set; }
        [SerializeReference] public EditLock managed;
        [NonSerialized] public int forgotten;

        public int Hidden { get { return hidden; } }
    }

    [Serializable]
    public class EditLink
    {
        public Rigidbody body;
        [SerializeReference] public EditLink next;
    }

    /// <summary>Objects that refer to each other in a cycle.</summary>
    public class EditRing : MonoBehaviour
    {
        [SerializeReference] public EditLink first = new EditLink();
    }

    [RequireComponent(typeof(Rigidbody))]
    public class EditTurret : MonoBehaviour { }

    [RequireComponent(typeof(AudioSource)), RequireComponent(typeof(SphereCollider))]
    public class EditCannon : EditTurret { public int rounds = 1; }

    [RequireComponent(typeof(Collider))]
    public class EditNeedsAny : MonoBehaviour { }

    [DisallowMultipleComponent]
    public class EditOnlyOne : MonoBehaviour { }
    public class EditOnlyOneToo : EditOnlyOne { }

    public abstract class EditAbstract : MonoBehaviour { }
    public class EditGeneric<T> : MonoBehaviour { public T held; }
    public class EditPlain { }

    /// <summary>Records the messages that Unity sends.</summary>
    [ExecuteAlways]
    public class EditNoisy : MonoBehaviour
    {
        public static readonly List<string> Received = new List<string>();
        public int number;
        void Awake() { Received.Add("Awake"); }
        void OnEnable() { Received.Add("OnEnable"); }
        void OnDestroy() { Received.Add("OnDestroy"); }
    }

    namespace One { public class EditTwin : MonoBehaviour { } }
    namespace Two { public class EditTwin : MonoBehaviour { } }
}
