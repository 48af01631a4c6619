using System;
using System.Collections.Generic;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>
    /// Creates C# objects from a file's objects. Creation and reading are two steps: all objects of
    /// a file exist before one is read, so that files may refer to each other in cycles.
    /// <code>
    ///     var loader = new ObjectLoader(flat, null);
    ///     loader.Make();
    ///     ObjectLoader.ReadPending();
    /// </code>
    /// </summary>
    internal sealed class ObjectLoader
    {
        static readonly Queue<Action> pending = new Queue<Action>();
        static bool isReading;

        readonly FlatFile file;
        readonly SceneData scene;
        readonly Dictionary<FlatInstance, PrefabInstance> instances = new Dictionary<FlatInstance, PrefabInstance>();
        readonly Dictionary<long, Object> existing = new Dictionary<long, Object>();

        readonly HashSet<object> reused = new HashSet<object>(ByIdentity.Comparer);

        /// <summary>By their id in the file.</summary>
        public readonly Dictionary<long, Object> Objects = new Dictionary<long, Object>();
        public readonly Dictionary<FlatObject, Object> Created = new Dictionary<FlatObject, Object>();
        public readonly List<GameObject> Roots = new List<GameObject>();

        /// <summary>scene null: an asset.</summary>
        public ObjectLoader(FlatFile file, SceneData scene)
        {
            this.file = file;
            this.scene = scene;
        }

        /// <summary>
        /// Reuse objects of the same file: an object with the same id and class keeps its identity
        /// and gets the new fields. The others are destroyed.
        /// </summary>
        public void Reuse(IEnumerable<Object> objects)
        {
            foreach (Object old in objects)
                if ((object)old != null && !old.isDestroyed && old.localFileId != 0)
                    existing[old.localFileId] = old;
        }

        T Reused<T>(long id, Type type) where T : Object
        {
            Object old;
            if (!existing.TryGetValue(id, out old) || old.GetType() != type)
                return null;
            existing.Remove(id);
            return (T)old;
        }

        public void Make()
        {
            foreach (FlatInstance instance in file.Instances)
                MakeInstance(instance);
            foreach (FlatObject node in file.GameObjects())
            {
                var created = (GameObject)MakeOne(node);
                if (node.Parent == null)
                    Roots.Add(created);
                foreach (FlatObject component in node.Components)
                    MakeOne(component);
            }
            foreach (KeyValuePair<FlatInstance, PrefabInstance> pair in instances)
                if (pair.Key.Root != null && Created.ContainsKey(pair.Key.Root))
                    pair.Value.root = (GameObject)Created[pair.Key.Root];
            foreach (Object old in existing.Values)
            {
                old.isDestroyed = true;
                ObjectTable.Remove(old);
            }
            pending.Enqueue(Read);
        }

        /// <summary>Read all created objects, and those created by reading them.</summary>
        public static void ReadPending()
        {
            if (isReading)
                return;
            isReading = true;
            try
            {
                while (pending.Count > 0)
                    pending.Dequeue()();
            }
            finally
            {
                isReading = false;
            }
        }

        public static void Later(Action read) { pending.Enqueue(read); }

        /// <summary>Create an object with only its fields: no Transform, no messages.</summary>
        public static Object New(Type type)
        {
            return type == typeof(GameObject) ? GameObject.Empty() : (Object)Instances.New(type);
        }

        void MakeInstance(FlatInstance instance)
        {
            PrefabInstance created = Reused<PrefabInstance>(instance.Id, typeof(PrefabInstance)) ?? new PrefabInstance();
            created.sourceGuid = instance.Guid;
            created.read = instance;
            created.isBroken = instance.IsBroken;
            created.isModel = instance.Source != null && instance.Source.IsModel;
            Own(created, instance.Id);
            instances.Add(instance, created);
        }

        void Own(Object created, long id)
        {
            created.localFileId = id;
            created.isPersistent = scene == null;
            created.assetPath = scene == null ? file.Path : "";
            if (id != 0 && !Objects.ContainsKey(id))
                Objects.Add(id, created);
        }

        Object MakeOne(FlatObject from)
        {
            Type type = TypeOf(from);
            Object created = Reused<Object>(from.Id, type);
            if ((object)created != null)
                reused.Add(created);
            else
                created = New(type);
            created.document = from;
            Own(created, from.Id);
            Created.Add(from, created);
            return created;
        }

        static Type TypeOf(FlatObject from)
        {
            Type type = from.ClassId == ClassTable.MonoBehaviour
                ? ScriptTable.TypeOf(from.Script) : ClassTable.TypeOf(from.ClassId);
            if (type != null && !type.IsAbstract
                && (from.ClassId == ClassTable.GameObject || typeof(Component).IsAssignableFrom(type)))
                return type;
            return typeof(MissingScript);
        }

        void Read()
        {
            foreach (KeyValuePair<FlatObject, Object> pair in Created)
            {
                DataNode body = pair.Key.Body == null ? DataNode.Map() : pair.Key.Body.Clone();
                AddLinks(pair.Key, body);
                if (reused.Contains(pair.Value))
                    AddDefaults(body, pair.Value.GetType());
                new ObjectLinker(Objects).Link(body, TypeTree.Of(pair.Value.GetType()));
                Serializer.Read(pair.Value, body);
            }
        }

        /* A field that is missing in the file has its default, not the object's earlier value.
           */
        static void AddDefaults(DataNode body, Type type)
        {
            Object fresh = New(type);
            DataNode all = Serializer.Write(fresh);
            ObjectTable.Remove(fresh);
            for (int i = 0; i < all.Count; i++)
                if (body.IndexOf(all.Keys[i]) < 0)
                    body.Add(all.Keys[i], all[i]);
        }

        /* Links are set from the objects, not from ids, because most objects of a model have no
           id. */
        void AddLinks(FlatObject from, DataNode body)
        {
            PrefabInstance instance = from.Instance == null ? null : instances[from.Instance];
            body.Set("m_PrefabInstance", DataNode.Reference(instance));
            body.Set("m_CorrespondingSourceObject", DataNode.Reference(SourceOf(from)));
            body.Set("m_PrefabAsset", DataNode.Reference(null));
            if (from.ClassId != ClassTable.GameObject)
            {
                body.Set("m_GameObject", DataNode.Reference(Created[from.Owner]));
                if (ClassTable.IsTransform(from.ClassId) && from.Owner.Transform == from)
                    AddFamily(from.Owner, body);
                return;
            }
            DataNode list = DataNode.List();
            foreach (FlatObject component in from.Components)
            {
                DataNode entry = DataNode.Map();
                entry.Add("component", DataNode.Reference(Created[component]));
                list.Add(entry);
            }
            body.Set("m_Component", list);
        }

        void AddFamily(FlatObject node, DataNode body)
        {
            DataNode children = DataNode.List();
            foreach (FlatObject child in node.Children)
                if (child.Transform != null)
                    children.Add(DataNode.Reference(Created[child.Transform]));
            body.Set("m_Children", children);
            body.Set("m_Father", DataNode.Reference(
                node.Parent == null || node.Parent.Transform == null ? null : Created[node.Parent.Transform]));
        }

        static Object SourceOf(FlatObject from)
        {
            if (from.Instance == null || from.Instance.IsBroken || from.Source.Id == 0)
                return null;
            return AssetLoader.Find(from.Instance.Guid, from.Source.Id, null);
        }
    }
}
