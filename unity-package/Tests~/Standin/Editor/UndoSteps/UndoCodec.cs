using System;
using System.Collections.Generic;
using System.Globalization;
using UnityEditor;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>
    /// Converts objects and data to values of <see cref="Json"/>, for a domain reload. Objects are
    /// identified by instance id, assets by GUID and file id; destroyed objects that undo can
    /// restore are written completely.
    /// </summary>
    internal sealed class UndoCodec
    {
        readonly List<Object> dead = new List<Object>();
        readonly List<DataNode> managed = new List<DataNode>();

        /// <summary>The destroyed, restorable objects found so far.</summary>
        public List<Object> Dead { get { return dead; } }
        /// <summary>No more are added.</summary>
        public bool IsComplete;

        /* ---- objects and scenes */

        public object Key(Object target)
        {
            if ((object)target == null)
                return null;
            string guid;
            long id;
            if (target.isPersistent && !target.isDestroyed
                && AssetDatabase.TryGetGUIDAndLocalFileIdentifier(target, out guid, out id))
                return guid + "/" + Scalars.From(id);
            if (!IsComplete && target.isDestroyed && target.missingAddress == null && !dead.Contains(target))
                dead.Add(target);
            return (long)target.instanceId;
        }

        public Object Object(object key)
        {
            var name = key as string;
            if (name != null)
            {
                int slash = name.IndexOf('/');
                return AssetLoader.Find(name.Substring(0, slash), Scalars.ToLong(name.Substring(slash + 1)),
                                        typeof(Object));
            }
            Object found = key == null ? null : ObjectTable.Find(Number(key));
            return (object)found != null || key == null ? found : dead.Find(one => one.instanceId == Number(key));
        }

        public int Number(object value) { return Convert.ToInt32(value, CultureInfo.InvariantCulture); }

        public object SceneKey(SceneData scene) { return scene == null ? -1L : (long)SceneData.All.IndexOf(scene); }

        public SceneData Scene(object key)
        {
            int index = Number(key);
            return index >= 0 && index < SceneData.All.Count ? SceneData.All[index] : null;
        }

        /* ---- data */

        public List<object> Data(DataNode data)
        {
            var to = new List<object>();
            switch (data.Kind)
            {
                case DataKind.Scalar:
                    to.AddRange(new object[] { data.IsString ? "t" : "s", data.Text });
                    break;
                case DataKind.Reference:
                    to.AddRange(new[] { "r", Key(data.Target), data.FileId, data.Guid, (long)data.FileType });
                    break;
                case DataKind.List:
                    to.AddRange(new object[] { "l", (long)data.PackedBytes, data.Items.ConvertAll(Data) });
                    break;
                case DataKind.Map:
                    to.AddRange(new object[] { "m", data.IsFlow, new List<string>(data.Keys) });
                    to.Add(data.Items.ConvertAll(Data));
                    break;
                default:
                    AddManaged(to, data);
                    break;
            }
            return to;
        }

        void AddManaged(List<object> to, DataNode data)
        {
            int known = managed.FindIndex(one => ReferenceEquals(one, data));
            if (known >= 0)
            {
                to.AddRange(new object[] { "g", (long)known });
                return;
            }
            managed.Add(data);
            to.AddRange(new object[] { "g", data.Rid, data.TypeName, new List<string>(data.Keys) });
            to.Add(data.Items.ConvertAll(Data));
        }

        public DataNode Data(object from)
        {
            var parts = (List<object>)from;
            switch ((string)parts[0])
            {
                case "s": return DataNode.Scalar((string)parts[1]);
                case "t": return DataNode.String((string)parts[1]);
                case "r": return Reference(parts);
                case "l":
                    DataNode list = DataNode.List();
                    list.PackedBytes = Number(parts[1]);
                    foreach (object item in (List<object>)parts[2])
                        list.Add(Data(item));
                    return list;
                case "m":
                    DataNode map = DataNode.Map();
                    map.IsFlow = (bool)parts[1];
                    AddMembers(map, parts[2], parts[3]);
                    return map;
                default:
                    return Managed(parts);
            }
        }

        DataNode Reference(List<object> parts)
        {
            DataNode node = DataNode.Reference(Object(parts[1]));
            node.FileId = Convert.ToInt64(parts[2], CultureInfo.InvariantCulture);
            node.Guid = (string)parts[3];
            node.FileType = Number(parts[4]);
            return node;
        }

        DataNode Managed(List<object> parts)
        {
            if (parts.Count == 2)
                return managed[Number(parts[1])];
            DataNode node = DataNode.Managed(Convert.ToInt64(parts[1], CultureInfo.InvariantCulture), (string)parts[2]);
            managed.Add(node);
            AddMembers(node, parts[3], parts[4]);
            return node;
        }

        void AddMembers(DataNode to, object keys, object items)
        {
            var names = (List<object>)keys;
            var values = (List<object>)items;
            for (int i = 0; i < names.Count; i++)
                to.Add((string)names[i], Data(values[i]));
        }

        /* ---- whole objects */

        /// <summary>Write an object with its fields, for Make and Fill.</summary>
        public List<object> Whole(Object target)
        {
            var go = target as GameObject;
            return new List<object>
            {
                (long)target.instanceId, DataWriter.TypeNameOf(target.GetType()), target.localFileId,
                (object)go == null ? -1L : SceneKey(go.sceneData), Data(Serializer.Write(target))
            };
        }

        /// <summary>Create the object without its fields; a missing class becomes a missing
        /// script.</summary>
        public static Object Make(List<object> from)
        {
            Type type = ManagedTypes.Find((string)from[1]);
            Object created;
            if (type == typeof(GameObject))
                created = GameObject.Empty();
            else if (type == null || !typeof(Object).IsAssignableFrom(type))
                created = new MissingScript();
            else
                created = (Object)Instances.New(type);
            ObjectTable.SetId(created, Convert.ToInt32(from[0], CultureInfo.InvariantCulture));
            created.localFileId = Convert.ToInt64(from[2], CultureInfo.InvariantCulture);
            return created;
        }

        public void Fill(Object created, List<object> from)
        {
            var go = created as GameObject;
            if ((object)go != null)
                go.sceneData = Scene(from[3]);
            Serializer.Read(created, Data(from[4]));
        }
    }
}
