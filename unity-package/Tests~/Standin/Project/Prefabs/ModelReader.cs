using System;
using System.Collections.Generic;

namespace Standin
{
    /// <summary>
    /// Imported models (.fbx, .obj and others), as far as text files describe them: the .meta and
    /// the files that use the model. Unity knows more because it reads the model itself.
    /// Up to 2019.2 the .meta names every object; later ids are hashes of paths, of which only the
    /// root's and those of a humanoid's skeleton are known. Only the skeleton has the parents; all
    /// other objects are shown below the root.
    /// </summary>
    internal sealed class ModelReader
    {
        const long RootObject = 919132149155446097;
        const long RootTransform = -8679921383154817045;
        const long EarlyRootObject = -927199367670048503;
        const long EarlyRootTransform = -4216859302048453862;
        const int LegacyIdsOfOneType = 100000;
        const int MaxObjects = 1 << 16;
        const int MaxHints = 1024;

        static readonly int[] rootParts = { 33, 23, 137, 20, 108, 205, 95, 111, 64 };

        readonly FlatFile file;
        readonly FlatObject root;
        readonly List<FlatObject> nodes = new List<FlatObject>();
        readonly Dictionary<string, FlatObject> byName = new Dictionary<string, FlatObject>(StringComparer.Ordinal);
        long rig;
        bool hasPaths;

        ModelReader(string path, string guid, string rootName)
        {
            file = new FlatFile { Path = path, Guid = guid };
            root = AddNode(rootName);
        }

        public static FlatFile Read(string path, string guid, DataNode meta)
        {
            var reader = new ModelReader(path, guid, ProjectFolder.Stem(path));
            DataNode importer = meta.Get("ModelImporter");
            reader.file.IsModel = importer != null || meta.Get("ScriptedImporter") != null;
            if (importer != null && importer.Kind == DataKind.Map)
                reader.ReadImporter(importer);
            reader.Finish();
            return reader.file;
        }

        void ReadImporter(DataNode importer)
        {
            hasPaths = Number(Sub(importer, "meshes"), "fileIdsGeneration") >= 2;
            rig = Number(importer, "animationType");
            DataNode recycled = importer.Get("fileIDToRecycleName");
            for (int i = 0; recycled != null && recycled.Kind == DataKind.Map && i < recycled.Count; i++)
            {
                long id = Scalars.ToLong(recycled.Keys[i]);
                if (id > 0)
                    TakeName((int)(id / LegacyIdsOfOneType), id, recycled[i].Text);
            }
            DataNode table = importer.Get("internalIDToNameTable");
            foreach (DataNode entry in Items(table))
            {
                DataNode first = Sub(entry, "first");
                DataNode second = entry.Kind == DataKind.Map ? entry.Get("second") : null;
                if (first != null && first.Kind == DataKind.Map && first.Count > 0 && second != null)
                    TakeName((int)Scalars.ToLong(first.Keys[0]), Scalars.ToLong(first[0].Text), second.Text);
            }
            ReadSkeleton(Sub(Sub(importer, "humanDescription"), "skeleton"));
            if (root.Id == 0 && hasPaths)
                root.Id = RootObject;
            if (root.Transform.Id == 0 && hasPaths)
                root.Transform.Id = RootTransform;
        }

        static DataNode Sub(DataNode map, string key)
        {
            return map != null && map.Kind == DataKind.Map ? map.Get(key) : null;
        }

        static long Number(DataNode map, string key)
        {
            DataNode value = Sub(map, key);
            return value == null ? 0 : Scalars.ToLong(value.Text);
        }

        static List<DataNode> Items(DataNode list)
        {
            return list != null && list.Kind == DataKind.List ? list.Items : new List<DataNode>();
        }

        /* ---- objects */

        FlatObject AddNode(string name)
        {
            var node = new FlatObject { ClassId = ClassTable.GameObject, ClassName = "GameObject", IsPartial = true };
            node.Body = Defaults.BodyOf(ClassTable.GameObject);
            node.Body.Set("m_Name", DataNode.String(name));
            nodes.Add(node);
            AddPart(node, ClassTable.Transform, 0, 0);
            return node;
        }

        static FlatObject AddPart(FlatObject node, int classId, long id, int at)
        {
            var part = new FlatObject
            {
                Id = id, ClassId = classId, ClassName = ClassTable.NameOf(classId), IsPartial = true,
                Body = Defaults.BodyOf(classId), Owner = node
            };
            node.Components.Insert(at, part);
            return part;
        }

        void TakeName(int classId, long id, string name)
        {
            FlatObject node = name == "//RootNode" ? root : null;
            if (node == null)
                byName.TryGetValue(name, out node);
            if (classId == ClassTable.GameObject)
            {
                if (node == null && nodes.Count < MaxObjects)
                    byName.Add(name, node = AddNode(name));
                if (node != null && node.Id == 0)
                    node.Id = id;
            }
            else if (node == null)
                return;
            else if (ClassTable.IsTransform(classId))
                node.Transform.Id = node.Transform.Id == 0 ? id : node.Transform.Id;
            else if (IsComponent(classId) && node.Components.Count < 64)
                AddPart(node, classId, id, 1); /* the table has the opposite order */
        }

        bool IsComponent(int classId)
        {
            if (classId == 111)
                return rig == 1;
            if (classId == 95)
                return rig > 1;
            return Array.IndexOf(rootParts, classId) >= 0;
        }

        /* ---- the skeleton of a humanoid */

        void ReadSkeleton(DataNode skeleton)
        {
            var paths = new Dictionary<string, string>(StringComparer.Ordinal);
            foreach (DataNode bone in Items(skeleton))
            {
                DataNode parent = Sub(bone, "parentName");
                DataNode name = Sub(bone, "name");
                if (parent == null || name == null)
                    return; /* an editor that did not write parents */
                if (parent.Text.Length == 0 && paths.Count == 0)
                    paths[name.Text] = "";
                else if (parent.Text.Length > 0)
                    ReadBone(paths, name.Text, parent.Text);
            }
        }

        void ReadBone(Dictionary<string, string> paths, string name, string parentName)
        {
            string above;
            FlatObject bone;
            if (!paths.TryGetValue(parentName, out above) || paths.ContainsKey(name) || above.Length > 4096)
                return;
            string path = above.Length > 0 ? above + "/" + name : name;
            if (!byName.TryGetValue(name, out bone) && hasPaths && nodes.Count < MaxObjects)
            {
                byName.Add(name, bone = AddNode(name));
                bone.Id = PathId("GameObject", path, "");
                bone.Transform.Id = PathId("Transform", path, "/Transform");
            }
            if (bone == null || bone == root)
                return;
            paths[name] = path;
            FlatObject parent;
            bone.Parent = above.Length > 0 && byName.TryGetValue(parentName, out parent) ? parent : root;
        }

        static long PathId(string type, string path, string behind)
        {
            return Xxh64.Hash("Type:" + type + "->//RootNode/root/" + path + behind + "0");
        }

        static long RootPartId(int classId)
        {
            string name = ClassTable.NameOf(classId);
            return Xxh64.Hash("Type:" + name + "->//RootNode/root/" + name + "0");
        }

        void Finish()
        {
            foreach (FlatObject node in nodes)
            {
                if (node != root)
                {
                    node.Parent = node.Parent ?? root;
                    node.Parent.Children.Add(node);
                }
                Index(node);
                foreach (FlatObject part in node.Components)
                    Index(part);
            }
            file.Roots.Add(root);
        }

        void Index(FlatObject created)
        {
            if (created.Id != 0 && !file.ById.ContainsKey(created.Id))
                file.ById.Add(created.Id, created);
        }

        /* ---- information in the file that uses the model */

        /// <summary>
        /// The source of an instance whose asset is a model or missing (known is null): the known
        /// part, plus what the instance's overrides and stand-ins describe.
        /// </summary>
        public static FlatFile Guess(FlatFile known, FlatInstance instance)
        {
            var reader = new ModelReader(known == null ? "" : known.Path, instance.Guid,
                known == null ? "Missing Prefab" : known.Roots[0].Name);
            if (known != null)
                reader.CopyKnown(known);
            reader.TakeHints(instance, known != null);
            reader.Finish();
            return reader.file;
        }

        void CopyKnown(FlatFile known)
        {
            var copies = new Dictionary<FlatObject, FlatObject>();
            file.IsModel = known.IsModel;
            foreach (FlatObject from in known.GameObjects())
            {
                FlatObject node = from.Parent == null ? root : AddNode(from.Name);
                copies.Add(from, node);
                node.Id = from.Id;
                node.Transform.Id = from.Transform.Id;
                node.Parent = from.Parent == null ? null : copies[from.Parent];
                for (int i = 1; i < from.Components.Count; i++)
                    AddPart(node, from.Components[i].ClassId, from.Components[i].Id, i);
            }
        }

        bool IsKnown(long id)
        {
            return nodes.Exists(node => node.Id == id || node.Components.Exists(part => part.Id == id));
        }

        void TakeHints(FlatInstance instance, bool isModel)
        {
            long objectId;
            long transformId;
            RootHints(instance, out objectId, out transformId);
            var others = new List<KeyValuePair<int, long>>();
            var parts = new HashSet<int>();
            bool hasPathIds = root.Id == RootObject;
            foreach (DataNode entry in instance.List("m_Modifications"))
                if (isModel && hasPathIds)
                    HintPart(InstanceCloner.TargetOf(entry), parts);
            foreach (KeyValuePair<long, YamlDocument> pair in instance.StandIns)
            {
                int classId = pair.Value.ClassId;
                if (classId != ClassTable.GameObject && !ClassTable.IsTransform(classId))
                {
                    if (isModel && hasPathIds)
                        HintPart(pair.Key, parts);
                }
                else if (others.Count < MaxHints && !IsKnown(pair.Key))
                    others.Add(new KeyValuePair<int, long>(classId, pair.Key));
            }
            if (isModel)
                TakeModelHints(objectId, transformId, others, parts);
            else
                TakeAbsentHints(objectId, transformId, others);
        }

        static void RootHints(FlatInstance instance, out long objectId, out long transformId)
        {
            objectId = 0;
            transformId = 0;
            foreach (DataNode entry in instance.List("m_Modifications"))
            {
                DataNode path = Sub(entry, "propertyPath");
                if (path != null && path.Text == "m_Name" && objectId == 0)
                    objectId = InstanceCloner.TargetOf(entry);
                else if (path != null && path.Text == "m_RootOrder" && transformId == 0)
                    transformId = InstanceCloner.TargetOf(entry);
            }
        }

        void HintPart(long id, HashSet<int> parts)
        {
            if (id == 0 || IsKnown(id))
                return;
            foreach (int classId in rootParts)
                if (RootPartId(classId) == id)
                    parts.Add(classId);
            if (parts.Contains(23))
                parts.Add(33);
        }

        void TakeAbsentHints(long objectId, long transformId, List<KeyValuePair<int, long>> others)
        {
            root.Id = objectId;
            root.Transform.Id = transformId;
            foreach (KeyValuePair<int, long> other in others)
            {
                if (other.Key == ClassTable.GameObject)
                    root.Id = root.Id == 0 ? other.Value : root.Id;
                else if (root.Transform.Id == 0 || root.Transform.Id == other.Value)
                {
                    root.Components.RemoveAt(0);
                    AddPart(root, other.Key, other.Value, 0);
                }
            }
        }

        void TakeModelHints(long objectId, long transformId, List<KeyValuePair<int, long>> others, HashSet<int> parts)
        {
            bool isEarly = objectId == EarlyRootObject || transformId == EarlyRootTransform
                || others.Exists(o => o.Value == EarlyRootObject || o.Value == EarlyRootTransform);
            if (isEarly)
            {
                root.Id = EarlyRootObject;
                root.Transform.Id = EarlyRootTransform;
            }
            root.Id = root.Id == 0 ? objectId : root.Id;
            root.Transform.Id = root.Transform.Id == 0 ? transformId : root.Transform.Id;
            int at = 1;
            foreach (int classId in rootParts)
                if (parts.Contains(classId))
                    AddPart(root, classId, RootPartId(classId), at++);
            foreach (KeyValuePair<int, long> other in others)
            {
                if (other.Value == root.Id || other.Value == root.Transform.Id || nodes.Count >= MaxObjects)
                    continue;
                FlatObject node = AddNode("Unknown");
                if (other.Key == ClassTable.GameObject)
                    node.Id = other.Value;
                else
                    node.Transform.Id = other.Value;
            }
        }
    }
}
