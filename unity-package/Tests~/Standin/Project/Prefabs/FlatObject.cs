using System.Collections.Generic;

namespace Standin
{
    /// <summary>
    /// An object of a scene or prefab as Unity shows it, before its C# object exists: file id,
    /// class and fields, with prefab instances expanded. See <see cref="FlatFile"/>.
    /// </summary>
    internal sealed class FlatObject
    {
        public long Id;
        /// <summary>0: an empty entry of m_Component.</summary>
        public int ClassId;
        public string ClassName = "";
        public DataNode Body;
        /// <summary>null: stored in this file.</summary>
        public FlatInstance Instance;
        /// <summary>The corresponding object in the instance's source.</summary>
        public FlatObject Source;
        /// <summary>Its fields are unknown (an object of a model), so they have their
        /// defaults.</summary>
        public bool IsPartial;

        /// <summary>A component's GameObject.</summary>
        public FlatObject Owner;

        /* For GameObjects only. */
        public readonly List<FlatObject> Components = new List<FlatObject>();
        public readonly List<FlatObject> Children = new List<FlatObject>();
        public FlatObject Parent;
        public bool IsRemoved;
        /// <summary>The root of an instance, nested ones included.</summary>
        public bool IsInstanceRoot;

        /* Used while the file is assembled. */
        internal YamlDocument Document;
        internal bool IsPlaced;
        internal int Place;
        internal int InsertIndex = -1;
        internal int AddedAs = -1;

        /// <summary>A GameObject's Transform; null in a broken file.</summary>
        public FlatObject Transform
        {
            get
            {
                return Components.Count > 0 && ClassTable.IsTransform(Components[0].ClassId) ? Components[0] : null;
            }
        }

        public string Name
        {
            get
            {
                DataNode name = Body == null ? null : Body.Get("m_Name");
                return name == null ? "" : name.Text;
            }
        }

        /// <summary>The script of a MonoBehaviour, otherwise null.</summary>
        public DataNode Script
        {
            get
            {
                DataNode script = ClassId == ClassTable.MonoBehaviour && Body != null ? Body.Get("m_Script") : null;
                return script != null && script.Kind == DataKind.Reference ? script : null;
            }
        }
    }

    /// <summary>A prefab instance in a file: its source and its changes.</summary>
    internal sealed class FlatInstance
    {
        public long Id;
        public DataNode Body;
        /// <summary>m_Modification.</summary>
        public DataNode Changes;
        public string Guid = "";
        /// <summary>null: the asset is missing and nothing describes it.</summary>
        public FlatFile Source;
        /// <summary>The asset is missing, unreadable, or cannot be a prefab.</summary>
        public bool IsBroken;
        /// <summary>The root of its content; null without content.</summary>
        public FlatObject Root;
        /// <summary>Its objects by their id in the source.</summary>
        public readonly Dictionary<long, FlatObject> Objects = new Dictionary<long, FlatObject>();
        /// <summary>The file's stand-in documents by the id in the source.</summary>
        public readonly Dictionary<long, YamlDocument> StandIns = new Dictionary<long, YamlDocument>();

        /// <summary>A list of m_Modification; empty if missing.</summary>
        public List<DataNode> List(string key)
        {
            DataNode list = Changes == null ? null : Changes.Get(key);
            return list != null && list.Kind == DataKind.List ? list.Items : new List<DataNode>();
        }
    }

    /// <summary>
    /// A scene, prefab or model with everything in place: GameObjects in order, components in
    /// Inspector order, prefab instances expanded with their overrides. All ids and references are
    /// those of this file; an instance's object without a stand-in has the id (instance XOR id in
    /// the source), without the sign.
    /// </summary>
    internal sealed class FlatFile
    {
        public string Path = "";
        public string Guid = "";
        public YamlFile File;
        public bool IsModel;
        public readonly List<FlatObject> Roots = new List<FlatObject>();
        public readonly List<FlatInstance> Instances = new List<FlatInstance>();
        public readonly Dictionary<long, FlatObject> ById = new Dictionary<long, FlatObject>();
        /// <summary>Documents without a GameObject: a scene's settings, meshes in a prefab.</summary>
        public readonly List<YamlDocument> Others = new List<YamlDocument>();

        /// <summary>All GameObjects, parents before children.</summary>
        public IEnumerable<FlatObject> GameObjects()
        {
            var stack = new Stack<FlatObject>();
            for (int i = Roots.Count - 1; i >= 0; i--)
                stack.Push(Roots[i]);
            while (stack.Count > 0)
            {
                FlatObject at = stack.Pop();
                yield return at;
                for (int i = at.Children.Count - 1; i >= 0; i--)
                    stack.Push(at.Children[i]);
            }
        }

        public FlatObject Find(long id)
        {
            FlatObject found;
            return id != 0 && ById.TryGetValue(id, out found) ? found : null;
        }
    }
}
