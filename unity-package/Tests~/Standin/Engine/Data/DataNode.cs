using System;
using System.Collections.Generic;
using Object = UnityEngine.Object;

namespace Standin
{
    internal enum DataKind { Scalar, Map, List, Reference, Managed }

    /// <summary>
    /// The serialized form of a value, as a tree. What a scene file, a SerializedObject and an undo step
    /// hold is the same thing.
    /// <list type="bullet">
    /// <item>Scalar: Text, as the file has it without quotes; IsString for C# strings.</item>
    /// <item>Map: Keys and Items in order. A struct's serializedVersion is an entry like others.</item>
    /// <item>List: Items. PackedBytes tells how many bytes an element has where Unity writes the list
    /// as one hexadecimal text.</item>
    /// <item>Reference: Target, alive or destroyed; where it is null, FileId and Guid say what was
    /// referred to and not found; all zero is a null reference.</item>
    /// <item>Managed: a [SerializeReference] value: Rid, TypeName ("Assembly Namespace.Class/Nested",
    /// empty for null), Keys and Items. One object that is referred to twice is one node.</item>
    /// </list>
    /// <code>
    ///     DataNode data = Serializer.Write(body);
    ///     data.Get("m_Mass").Text = "2";
    ///     Serializer.Read(body, data);
    /// </code>
    /// </summary>
    internal sealed class DataNode
    {
        public const long NullRid = -2;

        public readonly DataKind Kind;
        public string Text = "";
        public bool IsString;
        /// <summary>Of a map: Unity writes it in braces on one line.</summary>
        public bool IsFlow;
        public int PackedBytes;
        public List<string> Keys;
        public List<DataNode> Items;
        public Object Target;
        public long FileId;
        public string Guid = "";
        public int FileType;
        public long Rid = NullRid;
        public string TypeName = "";

        DataNode(DataKind kind) { Kind = kind; }

        public static DataNode Scalar(string text) { return new DataNode(DataKind.Scalar) { Text = text }; }
        public static DataNode String(string text)
        {
            return new DataNode(DataKind.Scalar) { Text = text ?? "", IsString = true };
        }
        public static DataNode Map()
        {
            return new DataNode(DataKind.Map) { Keys = new List<string>(), Items = new List<DataNode>() };
        }
        public static DataNode List() { return new DataNode(DataKind.List) { Items = new List<DataNode>() }; }
        /// <summary>A reference to an object; null is a null reference.</summary>
        public static DataNode Reference(Object target)
        {
            return new DataNode(DataKind.Reference) { Target = target };
        }
        /// <summary>A reference by its address; Target is set by who can find it.</summary>
        public static DataNode Reference(long fileId, string guid, int fileType)
        {
            return new DataNode(DataKind.Reference) { FileId = fileId, Guid = guid ?? "", FileType = fileType };
        }
        public static DataNode Managed(long rid, string typeName)
        {
            return new DataNode(DataKind.Managed)
            {
                Rid = rid, TypeName = typeName ?? "", Keys = new List<string>(), Items = new List<DataNode>()
            };
        }

        public int Count { get { return Items == null ? 0 : Items.Count; } }
        public DataNode this[int index] { get { return Items[index]; } }

        /// <summary>The value of a key; null: there is none.</summary>
        public DataNode Get(string key)
        {
            int at = IndexOf(key);
            return at < 0 ? null : Items[at];
        }

        /// <summary>Where a key stands; -1: nowhere.</summary>
        public int IndexOf(string key) { return Keys == null ? -1 : Keys.IndexOf(key); }

        /// <summary>Adds a key, or changes its value in its place.</summary>
        public void Set(string key, DataNode value)
        {
            int at = IndexOf(key);
            if (at >= 0)
            {
                Items[at] = value;
                return;
            }
            Keys.Add(key);
            Items.Add(value);
        }

        public void Add(DataNode item) { Items.Add(item); }
        public void Add(string key, DataNode value)
        {
            Keys.Add(key);
            Items.Add(value);
        }

        /// <summary>Not null, and nothing that was not found either.</summary>
        public bool IsNullReference
        {
            get { return Kind == DataKind.Reference && (object)Target == null && FileId == 0 && Guid.Length == 0; }
        }

        /// <summary>A copy that shares nothing but the objects referred to.</summary>
        public DataNode Clone() { return Clone(null); }

        DataNode Clone(Dictionary<DataNode, DataNode> managed)
        {
            DataNode copy;
            if (Kind == DataKind.Managed && managed != null && managed.TryGetValue(this, out copy))
                return copy;
            copy = new DataNode(Kind)
            {
                Text = Text, IsString = IsString, IsFlow = IsFlow, PackedBytes = PackedBytes, Target = Target,
                FileId = FileId, Guid = Guid, FileType = FileType, Rid = Rid, TypeName = TypeName
            };
            if (Kind == DataKind.Managed)
            {
                managed = managed ?? new Dictionary<DataNode, DataNode>();
                managed.Add(this, copy);
            }
            if (Keys != null)
                copy.Keys = new List<string>(Keys);
            if (Items == null)
                return copy;
            copy.Items = new List<DataNode>(Items.Count);
            if (managed == null && HoldsManaged())
                managed = new Dictionary<DataNode, DataNode>();
            foreach (DataNode item in Items)
                copy.Items.Add(item.Clone(managed));
            return copy;
        }

        /* One table for all of a tree: made where the first branch forks. */
        bool HoldsManaged() { return Kind == DataKind.Map || Kind == DataKind.List; }

        public static bool Equal(DataNode a, DataNode b) { return Equal(a, b, null); }

        static bool Equal(DataNode a, DataNode b, HashSet<DataNode> seen)
        {
            if (ReferenceEquals(a, b))
                return true;
            if (a == null || b == null || a.Kind != b.Kind || a.Count != b.Count)
                return false;
            if (a.Kind == DataKind.Scalar)
                return a.Text == b.Text;
            if (a.Kind == DataKind.Reference)
                return SameTarget(a, b);
            if (a.Kind == DataKind.Managed)
            {
                if (a.Rid != b.Rid || a.TypeName != b.TypeName)
                    return false;
                seen = seen ?? new HashSet<DataNode>();
                if (!seen.Add(a))
                    return true;
            }
            for (int i = 0; i < a.Count; i++)
                if ((a.Keys != null && a.Keys[i] != b.Keys[i]) || !Equal(a.Items[i], b.Items[i], seen))
                    return false;
            return true;
        }

        static bool SameTarget(DataNode a, DataNode b)
        {
            if ((object)a.Target != null || (object)b.Target != null)
                return ReferenceEquals(a.Target, b.Target);
            return a.FileId == b.FileId && a.Guid == b.Guid;
        }

        /// <summary>For messages and tests; scene files are written elsewhere.</summary>
        public override string ToString()
        {
            switch (Kind)
            {
                case DataKind.Scalar:
                    return IsString ? "\"" + Text + "\"" : Text;
                case DataKind.Reference:
                    return (object)Target == null ? "{fileID: " + FileId + "}" : "{" + Target + "}";
                case DataKind.List:
                    return "[" + string.Join(", ", Items.ConvertAll(item => item.ToString()).ToArray()) + "]";
                default:
                    var parts = new string[Count];
                    for (int i = 0; i < parts.Length; i++)
                        parts[i] = Keys[i] + ": " + Items[i];
                    return "{" + string.Join(", ", parts) + "}";
            }
        }
    }
}
