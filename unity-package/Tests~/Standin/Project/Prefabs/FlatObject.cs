using System.Collections.Generic;

namespace Standin
{
    /// <summary>
    /// An object of a scene or prefab as Unity shows it, before it is a C# object: its id in the file,
    /// its class and its fields, prefab instances expanded. See <see cref="FlatFile"/>.
    /// </summary>
    internal sealed class FlatObject
    {
        public long Id;
        /// <summary>0: an entry of m_Component that points to nothing.</summary>
        public int ClassId;
        public string ClassName = "";
        public DataNode Body;
        /// <summary>null: it is stored in this file.</summary>
        public FlatInstance Instance;
        /// <summary>The same object in the instance's source.</summary>
        public FlatObject Source;
        /// <summary>Nobody has its fields (an object of a model): they are what its class starts with.</summary>
        public bool IsPartial;

        /// <summary>Of a component: its GameObject.</summary>
        public FlatObject Owner;

        /* Of a GameObject. */
        public readonly List<FlatObject> Components = new List<FlatObject>();
        public readonly List<FlatObject> Children = new List<FlatObject>();
        public FlatObject Parent;
        public bool IsRemoved;
        /// <summary>The root of an instance, or of one nested in it.</summary>
        public bool IsInstanceRoot;

        /* While the file is put together. */
        internal YamlDocument Document;
        internal bool IsPlaced;
        internal int Place;
        internal int InsertIndex = -1;
        internal int AddedAs = -1;

        /// <summary>Of a GameObject: its Transform; null in a broken file.</summary>
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

        /// <summary>The script of a MonoBehaviour; null where it is none.</summary>
        public DataNode Script
        {
            get
            {
                DataNode script = ClassId == ClassTable.MonoBehaviour && Body != null ? Body.Get("m_Script") : null;
                return script != null && script.Kind == DataKind.Reference ? script : null;
            }
        }
    }

    /// <summary>A prefab instance of a file: where it comes from and what is changed about it.</summary>
    internal sealed class FlatInstance
    {
        public long Id;
        public DataNode Body;
        /// <summary>m_Modification.</summary>
        public DataNode Changes;
        public string Guid = "";
        /// <summary>null: the asset is not there and nothing tells of it.</summary>
        public FlatFile Source;
        /// <summary>The asset is not there, not readable, or can be no prefab.</summary>
        public bool IsBroken;
        /// <summary>The root of its content; null: it has none.</summary>
        public FlatObject Root;
        /// <summary>Its objects by their id in the source.</summary>
        public readonly Dictionary<long, FlatObject> Objects = new Dictionary<long, FlatObject>();
        /// <summary>Ids of the file's stand-ins by the id in the source, and their class.</summary>
        public readonly Dictionary<long, YamlDocument> StandIns = new Dictionary<long, YamlDocument>();

        /// <summary>A list of m_Modification; empty where it is not there.</summary>
        public List<DataNode> List(string key)
        {
            DataNode list = Changes == null ? null : Changes.Get(key);
            return list != null && list.Kind == DataKind.List ? list.Items : new List<DataNode>();
        }
    }

    /// <summary>
    /// A scene, prefab or model with everything in its place: GameObjects in their order, components in
    /// the inspector's, prefab instances expanded and their overrides applied. All ids and references
    /// are those of this file; an object of an instance without a stand-in has the id (instance XOR id
    /// in the source), without the sign.
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
        /// <summary>Documents that belong to no GameObject: settings of a scene, meshes in a prefab.</summary>
        public readonly List<YamlDocument> Others = new List<YamlDocument>();

        /// <summary>GameObjects, parents before their children.</summary>
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
