using System;
using System.Collections.Generic;
using Object = UnityEngine.Object;

namespace Standin
{
    internal enum DataKind { Scalar, Map, List, Reference, Managed }

    /// <summary>
    /// The serialized form of a value, as a tree. Scene files, SerializedObjects and undo steps all
    /// hold this form.
    /// - Scalar: Text, as in the file without quotes; IsString for C# strings.
    /// - Map: Keys and Items in order. A struct's serializedVersion is an ordinary entry.
    /// - List: Items. PackedBytes is the size of an element if Unity writes the list as one
    /// hexadecimal text.
    /// - Reference: Target, alive or destroyed. If it is null, FileId and Guid are the address that
    /// was not found; all zero is a null reference.
    /// - Managed: a [SerializeReference] value: Rid, TypeName ("Assembly Namespace.Class/Nested",
    /// empty for null), Keys and Items. An object that is referenced twice is one node.
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
        /// <summary>Whether Unity writes the map in braces on one line.</summary>
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
        /// <summary>Create a reference to an object; null: a null reference.</summary>
        public static DataNode Reference(Object target)
        {
            return new DataNode(DataKind.Reference) { Target = target };
        }
        /// <summary>Create a reference by address; the linker sets Target.</summary>
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

        /// <summary>Return the value of a key, or null.</summary>
        public DataNode Get(string key)
        {
            int at = IndexOf(key);
            return at < 0 ? null : Items[at];
        }

        /// <summary>Return the index of a key, or -1.</summary>
        public int IndexOf(string key) { return Keys == null ? -1 : Keys.IndexOf(key); }

        /// <summary>Add a key, or replace its value in place.</summary>
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

        /// <summary>Whether it refers to nothing, not even to a missing object.</summary>
        public bool IsNullReference
        {
            get { return Kind == DataKind.Reference && (object)Target == null && FileId == 0 && Guid.Length == 0; }
        }

        /// <summary>Return a deep copy; the referenced objects are shared.</summary>
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

        /* A tree has one table of managed nodes, created at the first branch. */
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

        /// <summary>For messages and tests; YamlWriter writes scene files.</summary>
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
