using System;
using System.Collections.Generic;
using System.Globalization;

namespace Standin
{
    /// <summary>
    /// Converts [SerializeReference] values. In a file the field has an id (<c>rid: 1000</c>) and
    /// the objects follow all fields, below <c>references</c>; in data the object is in the field.
    /// </summary>
    internal static class ManagedData
    {
        const string Key = "references";

        /// <summary>Convert from the file's form, in place. Does nothing without
        /// <c>references</c>.</summary>
        public static void Link(DataNode body)
        {
            DataNode references = body.Get(Key);
            if (references == null || references.Kind != DataKind.Map || references.Get("version") == null)
                return;
            var objects = new Dictionary<long, DataNode>();
            var data = new List<KeyValuePair<DataNode, DataNode>>();
            bool isOld = references.Get("RefIds") == null;
            if (isOld)
                CollectOld(references, objects, data);
            else
                Collect(references.Get("RefIds"), objects, data);
            string idKey = isOld ? "id" : "rid";
            foreach (var pair in data)
            {
                Replace(pair.Value, idKey, objects);
                pair.Key.Keys.AddRange(pair.Value.Keys);
                pair.Key.Items.AddRange(pair.Value.Items);
            }
            int at = body.IndexOf(Key);
            body.Keys.RemoveAt(at);
            body.Items.RemoveAt(at);
            Replace(body, idKey, objects);
        }

        static void Collect(DataNode list, Dictionary<long, DataNode> objects,
            List<KeyValuePair<DataNode, DataNode>> data)
        {
            foreach (DataNode entry in list.Items ?? new List<DataNode>())
            {
                long id;
                if (entry.Kind == DataKind.Map && entry.Get("rid") != null && ToId(entry.Get("rid"), out id))
                    AddOne(id, entry, objects, data);
            }
        }

        /* Up to 2021.1 the ids are keys. */
        static void CollectOld(DataNode references, Dictionary<long, DataNode> objects,
            List<KeyValuePair<DataNode, DataNode>> data)
        {
            for (int i = 0; i < references.Count; i++)
            {
                long id;
                if (references[i].Kind == DataKind.Map && long.TryParse(references.Keys[i], NumberStyles.Integer,
                    CultureInfo.InvariantCulture, out id))
                    AddOne(id, references[i], objects, data);
            }
        }

        static void AddOne(long id, DataNode entry, Dictionary<long, DataNode> objects,
            List<KeyValuePair<DataNode, DataNode>> data)
        {
            string name = TypeName(entry.Get("type"));
            if (objects.ContainsKey(id) || name.Length == 0)
                return;
            DataNode created = DataNode.Managed(id, name);
            objects.Add(id, created);
            DataNode fields = entry.Get("data");
            if (fields != null && fields.Kind == DataKind.Map)
                data.Add(new KeyValuePair<DataNode, DataNode>(created, fields));
        }

        /* {class: Sword/Blade, ns: MyGame, asm: Assembly-CSharp} */
        static string TypeName(DataNode type)
        {
            if (type == null || type.Kind != DataKind.Map || TextOf(type, "class").Length == 0)
                return "";
            string space = TextOf(type, "ns");
            return TextOf(type, "asm") + " " + (space.Length > 0 ? space + "." : "") + TextOf(type, "class");
        }

        static string TextOf(DataNode map, string key)
        {
            DataNode value = map.Get(key);
            return value == null ? "" : value.Text;
        }

        static bool ToId(DataNode node, out long id)
        {
            return long.TryParse(node.Text, NumberStyles.Integer, CultureInfo.InvariantCulture, out id);
        }

        static void Replace(DataNode node, string idKey, Dictionary<long, DataNode> objects)
        {
            for (int i = 0; i < node.Count; i++)
            {
                DataNode item = node[i];
                long id;
                if (item.Kind == DataKind.Map && item.Count == 1 && item.Keys[0] == idKey && ToId(item[0], out id))
                {
                    DataNode found;
                    node.Items[i] = objects.TryGetValue(id, out found)
                        ? found : DataNode.Managed(DataNode.NullRid, "");
                }
                else if (item.Kind == DataKind.Map || item.Kind == DataKind.List)
                    Replace(item, idKey, objects);
            }
        }

        /// <summary>
        /// Return a copy of a body in the file's form. isOld: the form up to 2021.1, which numbers
        /// the objects and omits null.
        /// </summary>
        public static DataNode Unlink(DataNode body, bool isOld)
        {
            var found = new List<DataNode>();
            var ids = new Dictionary<DataNode, long>();
            bool any = false;
            DataNode copy = Copy(body, found, ids, isOld, ref any);
            if (!any || (isOld && found.Count == 0))
                return copy;
            DataNode references = DataNode.Map();
            references.Add("version", DataNode.Scalar(isOld ? "1" : "2"));
            DataNode list = DataNode.List();
            if (!isOld)
                references.Add("RefIds", list);
            for (int i = 0; i < found.Count; i++)
            {
                DataNode entry = DataNode.Map();
                if (!isOld)
                    entry.Add("rid", DataNode.Scalar(Scalars.From(found[i].Rid)));
                entry.Add("type", TypeOf(found[i].TypeName));
                if (found[i].TypeName.Length > 0)
                    entry.Add("data", CopyFields(found[i], found, ids, isOld, ref any));
                if (isOld)
                    references.Add(i.ToString("D8", CultureInfo.InvariantCulture), entry);
                else
                    /* null comes first */
                    list.Items.Insert(found[i].TypeName.Length == 0 ? 0 : list.Count, entry);
            }
            copy.Set(Key, references);
            return copy;
        }

        static DataNode Copy(DataNode node, List<DataNode> found, Dictionary<DataNode, long> ids, bool isOld,
            ref bool any)
        {
            if (node.Kind == DataKind.Managed)
            {
                any = true;
                return IdOf(node, found, ids, isOld);
            }
            return node.Kind == DataKind.Map || node.Kind == DataKind.List
                ? CopyFields(node, found, ids, isOld, ref any) : node;
        }

        static DataNode CopyFields(DataNode node, List<DataNode> found, Dictionary<DataNode, long> ids, bool isOld,
            ref bool any)
        {
            DataNode copy = node.Kind == DataKind.List ? DataNode.List() : DataNode.Map();
            copy.IsFlow = node.IsFlow;
            copy.PackedBytes = node.PackedBytes;
            for (int i = 0; i < node.Count; i++)
            {
                DataNode item = Copy(node[i], found, ids, isOld, ref any);
                if (item == null)
                    continue;
                copy.Items.Add(item);
                if (copy.Keys != null)
                    copy.Keys.Add(node.Keys[i]);
            }
            return copy;
        }

        /* null: an old file has no such key. */
        static DataNode IdOf(DataNode node, List<DataNode> found, Dictionary<DataNode, long> ids, bool isOld)
        {
            if (isOld && node.TypeName.Length == 0)
                return null;
            long id;
            if (!ids.TryGetValue(node, out id))
            {
                id = isOld ? found.Count : node.Rid;
                ids.Add(node, id);
                if (!found.Exists(other => other.Rid == node.Rid && !isOld))
                    found.Add(node);
            }
            DataNode map = DataNode.Map();
            map.Add(isOld ? "id" : "rid", DataNode.Scalar(Scalars.From(id)));
            return map;
        }

        static DataNode TypeOf(string name)
        {
            int blank = name.IndexOf(' ');
            string full = blank < 0 ? "" : name.Substring(blank + 1);
            int dot = full.LastIndexOf('.', Math.Max(0, full.IndexOf('/') < 0 ? full.Length - 1 : full.IndexOf('/')));
            DataNode map = DataNode.Map();
            map.IsFlow = true;
            map.Add("class", DataNode.String(full.Length == 0 ? "" : full.Substring(dot + 1)));
            map.Add("ns", DataNode.String(dot < 0 ? "" : full.Substring(0, dot)));
            map.Add("asm", DataNode.String(blank < 0 ? "" : name.Substring(0, blank)));
            return map;
        }
    }
}
