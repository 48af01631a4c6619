using System.Collections.Generic;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>
    /// Writes a PrefabInstance document: overrides, removed and added objects, from the difference
    /// between the instance and its prefab. Existing overrides keep their position with the current
    /// value; new ones follow those of the same target, with targets sorted by id.
    /// </summary>
    internal sealed class InstanceSaver
    {
        readonly PrefabInstance handle;
        readonly Dictionary<Object, Object> bySource;
        readonly Dictionary<long, Object> byId = new Dictionary<long, Object>();

        public InstanceSaver(PrefabInstance handle)
        {
            this.handle = handle;
            bySource = InstanceObjects.BySource(handle);
            foreach (KeyValuePair<Object, Object> pair in bySource)
                if (!byId.ContainsKey(pair.Key.localFileId))
                    byId.Add(pair.Key.localFileId, pair.Value);
        }

        bool IsKnown { get { return !handle.isBroken && !handle.isModel; } }

        /// <summary>The fields; references still have their Targets.</summary>
        public DataNode Body()
        {
            DataNode body = DataNode.Map();
            body.Add("m_ObjectHideFlags", DataNode.Scalar("0"));
            body.Add("serializedVersion", DataNode.Scalar("2"));
            body.Add("m_Modification", Modification());
            body.Add("m_SourcePrefab", DataNode.Reference(100100000, handle.sourceGuid, 3));
            return body;
        }

        DataNode Modification()
        {
            Transform top = handle.root == null ? null : handle.root.transform;
            DataNode map = DataNode.Map();
            if (ProjectFolder.Version >= 202202)
                map.Add("serializedVersion", DataNode.Scalar("3"));
            map.Add("m_TransformParent", DataNode.Reference((object)top == null ? null : top.m_Father));
            map.Add("m_Modifications", Modifications());
            map.Add("m_RemovedComponents", RemovedComponents());
            DataNode removed = RemovedObjects();
            if (ProjectFolder.Version >= 202202 || removed.Count > 0 || HadLists)
            {
                map.Add("m_RemovedGameObjects", removed);
                map.Add("m_AddedGameObjects", AddedObjects());
                map.Add("m_AddedComponents", AddedComponents());
            }
            return map;
        }

        /* Whether a newer editor has written the file. */
        bool HadLists
        {
            get
            {
                return handle.read != null && handle.read.Changes != null
                    && handle.read.Changes.Get("m_AddedComponents") != null;
            }
        }

        List<DataNode> Read(string key) { return handle.read == null ? new List<DataNode>() : handle.read.List(key); }

        static DataNode SourceReference(Object source)
        {
            return (object)source == null ? DataNode.Reference(0, "", 0)
                : DataNode.Reference(source.localFileId, UnityEditor.AssetDatabase.AssetPathToGUID(source.assetPath), 3);
        }

        /* ---- overrides */

        public DataNode Modifications()
        {
            DataNode list = DataNode.List();
            var known = new HashSet<string>();
            foreach (DataNode entry in Read("m_Modifications"))
            {
                DataNode updated = UpdateEntry(entry);
                list.Add(updated);
                known.Add(KeyOf(updated));
            }
            foreach (Object target in InstanceObjects.Of(handle))
                foreach (OverrideEntry entry in OverrideFinder.Find(target, bySource))
                {
                    DataNode created = EntryOf(target, entry.Path, entry.Value, entry.Reference);
                    if (known.Add(KeyOf(created)))
                        Insert(list, created);
                }
            return list;
        }

        /// <summary>The key of an override: object and field.</summary>
        public static string KeyOf(DataNode entry)
        {
            DataNode path = entry.Get("propertyPath");
            return Scalars.From(InstanceCloner.TargetOf(entry)) + "/" + (path == null ? "" : path.Text);
        }

        static DataNode EntryOf(Object target, string path, string value, DataNode reference)
        {
            DataNode entry = DataNode.Map();
            entry.Add("target", SourceReference(target.m_CorrespondingSourceObject));
            entry.Add("propertyPath", DataNode.String(path));
            entry.Add("value", DataNode.String(value));
            entry.Add("objectReference", reference == null ? DataNode.Reference(0, "", 0) : reference.Clone());
            return entry;
        }

        /* An existing override with the current value; an unresolved one is not changed. */
        DataNode UpdateEntry(DataNode entry)
        {
            Object target;
            DataNode path = entry.Get("propertyPath");
            if (path == null || !byId.TryGetValue(InstanceCloner.TargetOf(entry), out target))
                return entry.Clone();
            DataNode updated = entry.Clone();
            if (path.Text == "m_RootOrder")
            {
                var transform = target as Transform;
                if ((object)transform != null)
                    updated.Set("value", DataNode.String(Scalars.From((long)transform.GetSiblingIndex())));
                return updated;
            }
            DataNode now = DataPaths.Find(Serializer.Write(target), path.Text);
            if (now == null)
                return updated;
            bool isReference = now.Kind == DataKind.Reference;
            updated.Set("value", DataNode.String(isReference ? "" : DataPaths.TextOf(now)));
            updated.Set("objectReference", isReference ? now.Clone() : DataNode.Reference(0, "", 0));
            return updated;
        }

        static void Insert(DataNode list, DataNode created)
        {
            long target = InstanceCloner.TargetOf(created);
            int at = list.Count;
            for (int i = list.Count - 1; i >= 0; i--)
            {
                long other = InstanceCloner.TargetOf(list[i]);
                if (other == target)
                {
                    list.Items.Insert(i + 1, created);
                    return;
                }
                if (other > target && at == i + 1)
                    at = i;
            }
            list.Items.Insert(at, created);
        }

        /* ---- removed objects */

        DataNode RemovedComponents()
        {
            DataNode list = DataNode.List();
            if (!IsKnown)
            {
                list.Items.AddRange(Read("m_RemovedComponents"));
                return list;
            }
            foreach (KeyValuePair<Object, Object> pair in bySource)
            {
                var from = pair.Key as GameObject;
                if ((object)from == null)
                    continue;
                foreach (ComponentPair component in from.m_Component)
                    if ((object)component.component != null && !bySource.ContainsKey(component.component))
                        list.Add(SourceReference(component.component));
            }
            return list;
        }

        DataNode RemovedObjects()
        {
            DataNode list = DataNode.List();
            if (!IsKnown)
            {
                list.Items.AddRange(Read("m_RemovedGameObjects"));
                return list;
            }
            foreach (KeyValuePair<Object, Object> pair in bySource)
            {
                var from = pair.Key as Transform;
                if ((object)from == null)
                    continue;
                foreach (Transform child in from.m_Children)
                    if (!bySource.ContainsKey(child.m_GameObject))
                        list.Add(SourceReference(child.m_GameObject));
            }
            return list;
        }

        /* ---- added objects */

        bool IsOwn(Object candidate) { return ReferenceEquals(candidate.m_PrefabInstance, handle); }

        DataNode AddedObjects()
        {
            DataNode list = DataNode.List();
            foreach (Object candidate in InstanceObjects.Of(handle))
            {
                var transform = candidate as Transform;
                if ((object)transform == null)
                    continue;
                List<Transform> children = transform.m_Children;
                for (int i = 0; i < children.Count; i++)
                    if (!IsOwn(children[i]))
                        list.Add(Added(transform, children[i], IsTail(children, i) ? -1 : i));
            }
            return list;
        }

        bool IsTail(List<Transform> list, int from)
        {
            return !list.GetRange(from, list.Count - from).Exists(IsOwn);
        }

        DataNode AddedComponents()
        {
            DataNode list = DataNode.List();
            foreach (Object candidate in InstanceObjects.Of(handle))
            {
                var go = candidate as GameObject;
                if ((object)go == null)
                    continue;
                List<ComponentPair> parts = go.m_Component;
                for (int i = 0; i < parts.Count; i++)
                    if ((object)parts[i].component != null && !IsOwn(parts[i].component))
                    {
                        bool isTail = !parts.GetRange(i, parts.Count - i).Exists(pair => IsOwn(pair.component));
                        list.Add(Added(go, parts[i].component, isTail ? -1 : i));
                    }
            }
            return list;
        }

        static DataNode Added(Object to, Object added, int index)
        {
            DataNode entry = DataNode.Map();
            entry.Add("targetCorrespondingSourceObject", SourceReference(to.m_CorrespondingSourceObject));
            entry.Add("insertIndex", DataNode.Scalar(Scalars.From((long)index)));
            entry.Add("addedObject", DataNode.Reference(added));
            return entry;
        }
    }
}
