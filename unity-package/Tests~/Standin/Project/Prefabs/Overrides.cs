using System;
using System.Collections.Generic;
using System.Globalization;

namespace Standin
{
    /// <summary>
    /// Applies entries of m_Modifications to an object's fields. An array grows by copies of its
    /// last element. A missing key is added; a missing element is added only if the fields are
    /// known to be incomplete.
    /// <code>
    ///     new Overrides(body, false).Apply("m_LocalPosition.x", "2", null);
    /// </code>
    /// </summary>
    internal sealed class Overrides
    {
        const string ManagedPrefix = "managedReferences[";
        const int MaxElements = 1 << 20;

        readonly DataNode body;
        readonly bool mayLack;
        Dictionary<long, DataNode> managed;

        public Overrides(DataNode body, bool mayLack)
        {
            this.body = body;
            this.mayLack = mayLack;
        }

        /// <summary>Apply one entry. Return false, without a change, if its path does not
        /// exist.</summary>
        public bool Apply(DataNode entry)
        {
            DataNode path = entry.Get("propertyPath");
            DataNode value = entry.Get("value");
            DataNode reference = entry.Get("objectReference");
            if (path == null || path.Text.Length == 0)
                return false;
            bool isReference = reference != null && reference.Kind == DataKind.Reference && !reference.IsNullReference;
            return Apply(path.Text, value == null ? "" : value.Text, isReference ? reference : null);
        }

        /// <summary>reference null: the value is text.</summary>
        public bool Apply(string path, string text, DataNode reference)
        {
            if (!path.StartsWith(ManagedPrefix, StringComparison.Ordinal))
                return Below(body, path, text, reference);
            int close = path.IndexOf(']');
            long id;
            if (close < 0 || !long.TryParse(path.Substring(ManagedPrefix.Length, close - ManagedPrefix.Length),
                NumberStyles.Integer, CultureInfo.InvariantCulture, out id))
                return false;
            if (close == path.Length - 1)
                return SetManagedType(id, text);
            DataNode found;
            return Managed().TryGetValue(id, out found) && Below(found, path.Substring(close + 2), text, reference);
        }

        /* ---- managed references */

        Dictionary<long, DataNode> Managed()
        {
            if (managed == null)
            {
                managed = new Dictionary<long, DataNode>();
                Collect(body);
            }
            return managed;
        }

        void Collect(DataNode node)
        {
            foreach (DataNode item in node.Items ?? new List<DataNode>())
            {
                if (item.Kind == DataKind.Managed && (item.TypeName.Length == 0 || managed.ContainsKey(item.Rid)))
                    continue;
                if (item.Kind == DataKind.Managed)
                    managed.Add(item.Rid, item);
                Collect(item);
            }
        }

        bool SetManagedType(long id, string typeName)
        {
            if (typeName.IndexOf(' ') < 0)
                return false;
            DataNode old;
            if (Managed().TryGetValue(id, out old) && old.TypeName == typeName)
                return true;
            managed[id] = DataNode.Managed(id, typeName);
            return true;
        }

        /* ---- paths */

        bool Below(DataNode start, string path, string text, DataNode reference)
        {
            DataNode node = start;
            while (true)
            {
                DataNode holder = node;
                int at;
                if (path.StartsWith("Array.", StringComparison.Ordinal))
                {
                    path = path.Substring("Array.".Length);
                    if (path == "size")
                        return Resize(node, text);
                    at = Element(ref holder, ref path);
                }
                else
                    at = Key(holder, ref path);
                if (at < 0)
                    return false;
                if (path.Length == 0)
                    return Put(holder, at, text, reference);
                node = Inside(holder, at, path);
                if (node == null)
                    return false;
            }
        }

        /* The next node on the path; an empty one becomes what the path needs. */
        static DataNode Inside(DataNode holder, int at, string path)
        {
            DataNode item = holder[at];
            bool isArray = path.StartsWith("Array.", StringComparison.Ordinal);
            bool isEmpty = item.Kind == DataKind.Scalar && item.Text.Length == 0;
            if (isEmpty)
            {
                item = isArray ? DataNode.List() : DataNode.Map();
                item.IsFlow = !isArray && path.Length == 1 && "xyzwrgba".IndexOf(path[0]) >= 0;
                holder.Items[at] = item;
            }
            bool isGood = isArray ? item.Kind == DataKind.List
                : item.Kind == DataKind.Map || item.Kind == DataKind.Managed;
            return isGood ? item : null;
        }

        int Element(ref DataNode list, ref string path)
        {
            int close = path.IndexOf(']');
            int index;
            if (list.Kind != DataKind.List || !path.StartsWith("data[", StringComparison.Ordinal) || close < 0
                || !int.TryParse(path.Substring(5, close - 5), NumberStyles.None, CultureInfo.InvariantCulture, out index))
                return -1;
            path = path.Substring(Math.Min(path.Length, close + 2));
            if (index < list.Count)
                return index;
            if (!mayLack || index >= MaxElements)
                return -1;
            while (list.Count <= index)
                list.Add(DataNode.Scalar(""));
            return index;
        }

        /* A key may contain dots. */
        int Key(DataNode map, ref string path)
        {
            if (map.Keys == null)
                return -1;
            int first = path.IndexOf('.');
            for (int dot = first; ; dot = path.IndexOf('.', dot + 1))
            {
                string key = dot < 0 ? path : path.Substring(0, dot);
                int at = map.IndexOf(key);
                if (at >= 0)
                {
                    path = dot < 0 ? "" : path.Substring(dot + 1);
                    return at;
                }
                if (dot < 0)
                    break;
            }
            string remaining = first < 0 ? "" : path.Substring(first + 1);
            bool hasElements = remaining.Contains("Array.data[");
            if ((hasElements && !mayLack) || (map.IsFlow && remaining.Length > 0))
                return -1;
            map.Add(first < 0 ? path : path.Substring(0, first), DataNode.Scalar(""));
            path = remaining;
            return map.Count - 1;
        }

        bool Resize(DataNode list, string text)
        {
            int count;
            if (list.Kind != DataKind.List || !int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture,
                out count) || count > list.Count + MaxElements)
                return false;
            while (list.Count < count)
                list.Add(list.Count > 0 ? list[list.Count - 1].Clone() : DataNode.Scalar(""));
            list.Items.RemoveRange(count, list.Count - count);
            return true;
        }

        bool Put(DataNode holder, int at, string text, DataNode reference)
        {
            DataNode old = holder[at];
            long id;
            bool isBlock = (old.Kind == DataKind.Map && old.Count > 0) || (old.Kind == DataKind.List && old.Count > 0);
            if (reference != null)
            {
                if (isBlock && !old.IsFlow)
                    return false;
                holder.Items[at] = DataNode.Reference(reference.FileId, reference.Guid, reference.FileType);
                return true;
            }
            if (old.Kind == DataKind.Managed)
            {
                DataNode found;
                if (!long.TryParse(text, NumberStyles.Integer, CultureInfo.InvariantCulture, out id))
                    return false;
                holder.Items[at] = Managed().TryGetValue(id, out found)
                    ? found : DataNode.Managed(DataNode.NullRid, "");
                return true;
            }
            if (old.Kind == DataKind.Reference)
            {
                if (text.Length > 0)
                    return false;
                holder.Items[at] = DataNode.Reference(0, "", 0);
                return true;
            }
            if (isBlock || old.Kind == DataKind.List)
                return false;
            holder.Items[at] = old.IsString ? DataNode.String(text) : DataNode.Scalar(text);
            return true;
        }
    }
}
