using System.Collections.Generic;

namespace Standin
{
    /// <summary>
    /// Assembles the documents of a scene or prefab into a <see cref="FlatFile"/>: first the
    /// documents, then the content of every instance, then parents and order (<see
    /// cref="FlatOrder"/>), then the links in the fields.
    /// </summary>
    internal sealed class FlatBuilder
    {
        const int MaxObjects = 1 << 20;

        public readonly FlatFile File;
        /// <summary>GameObjects of this file, then those of its instances, in source order.</summary>
        public readonly List<FlatObject> Nodes = new List<FlatObject>();
        /// <summary>m_Roots of SceneRoots; null in older files.</summary>
        public DataNode RootList;
        readonly Dictionary<long, FlatObject> own = new Dictionary<long, FlatObject>();
        readonly Dictionary<long, FlatInstance> instances = new Dictionary<long, FlatInstance>();
        readonly Dictionary<long, FlatInstance> standIns = new Dictionary<long, FlatInstance>();
        readonly Dictionary<long, FlatObject> composed = new Dictionary<long, FlatObject>();
        readonly HashSet<FlatObject> claimed = new HashSet<FlatObject>();
        readonly Dictionary<FlatObject, List<KeyValuePair<uint, FlatObject>>> added =
            new Dictionary<FlatObject, List<KeyValuePair<uint, FlatObject>>>();
        int addedCount;

        public FlatBuilder(FlatFile file) { File = file; }

        public void Build()
        {
            foreach (YamlDocument document in File.File.Documents)
                Read(document);
            foreach (YamlDocument document in File.File.Documents)
                if (document.IsStripped)
                    ReadStandIn(document);
            JoinTransforms();
            foreach (FlatObject node in Nodes)
                ListComponents(node);
            foreach (FlatInstance instance in File.Instances)
                InstanceCloner.Clone(this, instance);
            foreach (FlatInstance instance in File.Instances)
                AttachAdded(instance);
            AttachUnlisted();
            InsertAdded();
            new FlatOrder(this).Place();
            Link();
        }

        /* ---- documents */

        void Read(YamlDocument document)
        {
            if (document.IsStripped || own.ContainsKey(document.FileId))
                return;
            if (document.ClassId == ClassTable.SceneRoots)
            {
                RootList = document.Body.Get("m_Roots");
                return;
            }
            if (document.ClassId == ClassTable.PrefabInstance)
            {
                ReadInstance(document);
                return;
            }
            bool isPart = document.ClassId == ClassTable.GameObject || document.Body.Get("m_GameObject") != null;
            if (!isPart || (document.ClassId != ClassTable.GameObject && LocalId(document.Body, "m_GameObject") == 0))
            {
                File.Others.Add(document);
                return;
            }
            var created = new FlatObject
            {
                Id = document.FileId, ClassId = document.ClassId, ClassName = document.ClassName, Body = document.Body,
                Document = document
            };
            Shape(created);
            own.Add(created.Id, created);
            if (created.ClassId == ClassTable.GameObject)
                Nodes.Add(created);
        }

        /// <summary>Give the fields the form of their class, if it is known.</summary>
        public static void Shape(FlatObject created)
        {
            System.Type type = created.Script != null ? ScriptTable.TypeOf(created.Script) : ClassTable.TypeOf(created.ClassId);
            if (type != null)
                DataShaper.Shape(created.Body, TypeTree.Of(type));
        }

        void ReadInstance(YamlDocument document)
        {
            DataNode body = document.Body;
            if (IsSet(body, "m_IsPrefabParent") || IsSet(body, "m_IsPrefabAsset"))
                return; /* the head of an old prefab file */
            DataNode source = body.Get("m_SourcePrefab") ?? body.Get("m_ParentPrefab");
            var instance = new FlatInstance
            {
                Id = document.FileId, Body = body, Changes = body.Get("m_Modification"),
                Guid = source != null && source.Kind == DataKind.Reference ? source.Guid : ""
            };
            File.Instances.Add(instance);
            instances[instance.Id] = instance;
        }

        static bool IsSet(DataNode body, string key)
        {
            DataNode value = body.Get(key);
            return value != null && Scalars.ToLong(value.Text) != 0;
        }

        void ReadStandIn(YamlDocument document)
        {
            DataNode body = document.Body;
            DataNode source = body.Get("m_CorrespondingSourceObject") ?? body.Get("m_PrefabParentObject");
            long owner = LocalId(body, "m_PrefabInstance");
            if (owner == 0)
                owner = LocalId(body, "m_PrefabInternal");
            FlatInstance instance;
            if (source == null || source.Kind != DataKind.Reference || !instances.TryGetValue(owner, out instance))
                return;
            if (!instance.StandIns.ContainsKey(source.FileId))
                instance.StandIns.Add(source.FileId, document);
            if (!standIns.ContainsKey(document.FileId))
                standIns.Add(document.FileId, instance);
        }

        /// <summary>The id in a reference to this file; 0: null, or another file.</summary>
        public static long LocalId(DataNode body, string key)
        {
            DataNode value = body.Get(key);
            return value != null && value.Kind == DataKind.Reference && value.Guid.Length == 0 ? value.FileId : 0;
        }

        public FlatObject Own(long id)
        {
            FlatObject found;
            return id != 0 && own.TryGetValue(id, out found) ? found : null;
        }

        /* ---- components of this file */

        void JoinTransforms()
        {
            foreach (FlatObject created in own.Values)
            {
                if (!ClassTable.IsTransform(created.ClassId))
                    continue;
                FlatObject owner = Own(LocalId(created.Body, "m_GameObject"));
                if (owner == null || owner.ClassId != ClassTable.GameObject)
                    continue;
                if (owner.Transform != null)
                {
                    if (FirstListed(owner) != created.Id)
                        continue;
                    owner.Components[0].Owner = null;
                    owner.Components.Clear();
                }
                owner.Components.Add(created);
                created.Owner = owner;
                DataNode order = created.Body.Get("m_RootOrder");
                owner.Place = order == null ? 0 : (int)Scalars.ToLong(order.Text);
                claimed.Add(created);
            }
        }

        static List<DataNode> Entries(FlatObject owner)
        {
            DataNode list = owner.Body.Get("m_Component");
            return list != null && list.Kind == DataKind.List ? list.Items : new List<DataNode>();
        }

        /* "component: {fileID: 7}", or "4: {fileID: 7}" in old files */
        static long EntryId(DataNode entry)
        {
            return entry.Kind == DataKind.Map && entry.Count > 0 && entry[0].Kind == DataKind.Reference
                ? entry[0].FileId : 0;
        }

        static long FirstListed(FlatObject owner)
        {
            List<DataNode> entries = Entries(owner);
            return entries.Count == 0 ? 0 : EntryId(entries[0]);
        }

        void ListComponents(FlatObject owner)
        {
            FlatObject transform = owner.Transform;
            bool isFirst = transform != null;
            foreach (DataNode entry in Entries(owner))
            {
                long id = EntryId(entry);
                if (isFirst && id == transform.Id)
                {
                    isFirst = false;
                    continue;
                }
                FlatObject found = Own(id);
                bool isGood = found != null && found.ClassId != ClassTable.GameObject
                    && !ClassTable.IsTransform(found.ClassId) && claimed.Add(found);
                if (!isGood)
                    found = new FlatObject { Id = id };
                found.Owner = owner;
                owner.Components.Add(found);
            }
        }

        /* ---- objects added to instances */

        void AttachAdded(FlatInstance instance)
        {
            foreach (DataNode entry in instance.List("m_AddedGameObjects"))
            {
                FlatObject node = Resolve(AddedId(entry));
                if (node == null || node.AddedAs >= 0)
                    continue;
                node.AddedAs = addedCount++;
                node.InsertIndex = InsertIndex(entry);
            }
            foreach (DataNode entry in instance.List("m_AddedComponents"))
                TakeComponent(Own(AddedId(entry)), (uint)InsertIndex(entry));
        }

        static long AddedId(DataNode entry)
        {
            return entry.Kind == DataKind.Map ? LocalId(entry, "addedObject") : 0;
        }

        static int InsertIndex(DataNode entry)
        {
            DataNode index = entry.Get("insertIndex");
            return index == null ? -1 : (int)Scalars.ToLong(index.Text);
        }

        void TakeComponent(FlatObject component, uint index)
        {
            if (component == null || component.ClassId == ClassTable.GameObject || claimed.Contains(component))
                return;
            FlatObject node = Resolve(LocalId(component.Body, "m_GameObject"));
            if (node == null || node.Instance == null)
                return;
            claimed.Add(component);
            component.Owner = node;
            List<KeyValuePair<uint, FlatObject>> list;
            if (!added.TryGetValue(node, out list))
                added.Add(node, list = new List<KeyValuePair<uint, FlatObject>>());
            int at = list.Count;
            while (at > 0 && list[at - 1].Key > index)
                at--;
            list.Insert(at, new KeyValuePair<uint, FlatObject>(index, component));
        }

        /* m_AddedComponents exists since 2022.2. */
        void AttachUnlisted()
        {
            foreach (YamlDocument document in File.File.Documents)
            {
                FlatObject component = document.IsStripped ? null : Own(document.FileId);
                if (component == null || claimed.Contains(component) || ClassTable.IsTransform(component.ClassId)
                    || component.ClassId == ClassTable.GameObject)
                    continue;
                if (Own(LocalId(component.Body, "m_GameObject")) == null)
                    TakeComponent(component, uint.MaxValue);
            }
        }

        void InsertAdded()
        {
            foreach (var pair in added)
            {
                var old = new List<FlatObject>(pair.Key.Components);
                List<FlatObject> list = pair.Key.Components;
                int next = 0;
                list.Clear();
                for (int i = 0; i < old.Count; i++)
                {
                    while (i > 0 && next < pair.Value.Count && pair.Value[next].Key <= list.Count)
                        list.Add(pair.Value[next++].Value);
                    list.Add(old[i]);
                }
                for (; next < pair.Value.Count; next++)
                    list.Add(pair.Value[next].Value);
            }
        }

        /* ---- ids */

        public void AddNode(FlatObject node)
        {
            if (Nodes.Count >= MaxObjects)
                throw new YamlError(1, 1, "the prefab instances of this file hold too many objects");
            Nodes.Add(node);
        }

        public void AddComposed(long id, FlatObject node)
        {
            if (id != 0 && !composed.ContainsKey(id))
                composed.Add(id, node);
        }

        /// <summary>
        /// Return the GameObject that an id in this file refers to, directly or through its
        /// Transform. An instance's object that the source does not know is the instance's root.
        /// null: none.
        /// </summary>
        public FlatObject Resolve(long id)
        {
            FlatObject found = Own(id);
            FlatInstance instance;
            if (found != null)
                return found.ClassId == ClassTable.GameObject ? found
                    : ClassTable.IsTransform(found.ClassId) ? found.Owner : null;
            if (standIns.TryGetValue(id, out instance))
                return ResolveStandIn(id, instance);
            return composed.TryGetValue(id, out found) ? found : null;
        }

        static FlatObject ResolveStandIn(long id, FlatInstance instance)
        {
            foreach (KeyValuePair<long, YamlDocument> pair in instance.StandIns)
            {
                FlatObject found;
                if (pair.Value.FileId == id && instance.Objects.TryGetValue(pair.Key, out found))
                    return found.ClassId == ClassTable.GameObject ? found : found.Owner;
            }
            return instance.Root;
        }

        public FlatInstance Instance(long id)
        {
            FlatInstance found;
            return instances.TryGetValue(id, out found) ? found : null;
        }

        /* ---- links */

        void Link()
        {
            foreach (FlatObject node in File.GameObjects())
            {
                LinkOne(node);
                Index(node);
                foreach (FlatObject component in node.Components)
                    Index(component);
            }
        }

        void Index(FlatObject created)
        {
            if (created.Id != 0 && created.Body != null && !File.ById.ContainsKey(created.Id))
                File.ById.Add(created.Id, created);
        }

        static void LinkOne(FlatObject node)
        {
            DataNode list = DataNode.List();
            foreach (FlatObject component in node.Components)
            {
                DataNode entry = DataNode.Map();
                entry.Add("component", DataNode.Reference(component.Id, "", 0));
                list.Add(entry);
                if (component.Body != null)
                    component.Body.Set("m_GameObject", DataNode.Reference(node.Id, "", 0));
            }
            node.Body.Set("m_Component", list);
            if (node.Transform == null)
                return;
            DataNode children = DataNode.List();
            foreach (FlatObject child in node.Children)
                if (child.Transform != null)
                    children.Add(DataNode.Reference(child.Transform.Id, "", 0));
            FlatObject parent = node.Parent == null ? null : node.Parent.Transform;
            node.Transform.Body.Set("m_Children", children);
            node.Transform.Body.Set("m_Father", DataNode.Reference(parent == null ? 0 : parent.Id, "", 0));
        }
    }
}
