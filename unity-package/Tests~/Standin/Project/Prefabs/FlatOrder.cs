using System.Collections.Generic;

namespace Standin
{
    /// <summary>
    /// Finds parents and the order of children: first the file's lists, then the order of an
    /// instance's source, then SceneRoots, then unlisted objects by m_RootOrder or the index they
    /// were added at.
    /// </summary>
    internal sealed class FlatOrder
    {
        readonly FlatBuilder builder;

        public FlatOrder(FlatBuilder builder) { this.builder = builder; }

        public void Place()
        {
            FindParents();
            CutCircles();
            foreach (FlatObject node in builder.Nodes)
                if (node.Instance == null && node.Transform != null)
                    AppendListed(node.Transform.Body.Get("m_Children"), node);
            foreach (FlatObject node in builder.Nodes)
                if (!node.IsRemoved && !IsMovable(node))
                    Append(node);
            AppendListed(builder.RootList, null);
            AppendExtras();
        }

        /* ---- parents */

        void FindParents()
        {
            foreach (FlatObject node in builder.Nodes)
            {
                if (node.Instance == null)
                    node.Parent = node.Transform == null ? null : ParentOf(LocalId(node.Transform.Body, "m_Father"));
                else if (IsMovable(node))
                    node.Parent = ParentOf(node.Instance.Changes == null
                        ? 0 : LocalId(node.Instance.Changes, "m_TransformParent"));
            }
        }

        static long LocalId(DataNode body, string key) { return FlatBuilder.LocalId(body, key); }

        /* A Transform without a GameObject is not shown; its children are attached to its
           parent. */
        FlatObject ParentOf(long father)
        {
            var seen = new HashSet<long>();
            FlatObject transform = builder.Own(father);
            while (transform != null && ClassTable.IsTransform(transform.ClassId) && transform.Owner == null)
            {
                father = seen.Add(father) ? LocalId(transform.Body, "m_Father") : 0;
                transform = builder.Own(father);
            }
            FlatObject parent = builder.Resolve(father);
            return parent != null && parent.IsRemoved ? null : parent;
        }

        /* Whether this file, and not its source, determines the parent. */
        static bool IsMovable(FlatObject node) { return node.Instance == null || node.Source.Parent == null; }

        void CutCircles()
        {
            var seen = new Dictionary<FlatObject, int>();
            for (int i = 0; i < builder.Nodes.Count; i++)
            {
                FlatObject at = builder.Nodes[i];
                while (at != null && !seen.ContainsKey(at))
                {
                    seen.Add(at, i);
                    at = at.Parent;
                }
                if (at == null || seen[at] != i)
                    continue;
                while (!IsMovable(at))
                    at = at.Parent;
                at.Parent = null;
            }
        }

        /* ---- siblings */

        List<FlatObject> Siblings(FlatObject parent) { return parent == null ? builder.File.Roots : parent.Children; }

        void Append(FlatObject node)
        {
            Siblings(node.Parent).Add(node);
            node.IsPlaced = true;
        }

        void AppendListed(DataNode list, FlatObject parent)
        {
            if (list == null || list.Kind != DataKind.List)
                return;
            foreach (DataNode item in list.Items)
            {
                if (item.Kind != DataKind.Reference)
                    continue;
                FlatInstance instance = builder.Instance(item.FileId);
                FlatObject node = instance != null ? instance.Root : builder.Resolve(item.FileId);
                if (node != null && node.Parent == parent && !node.IsPlaced && !node.IsRemoved)
                    Append(node);
            }
        }

        void AppendExtras()
        {
            var extras = new List<KeyValuePair<int, FlatObject>>();
            for (int i = 0; i < builder.Nodes.Count; i++)
                if (!builder.Nodes[i].IsPlaced && !builder.Nodes[i].IsRemoved)
                    extras.Add(new KeyValuePair<int, FlatObject>(i, builder.Nodes[i]));
            Dictionary<object, int> documents = DocumentOrder();
            extras.Sort((a, b) => Compare(a, b, documents));
            foreach (var extra in extras)
                if (!HasIndex(extra.Value))
                    Append(extra.Value);
            foreach (var extra in extras)
                if (HasIndex(extra.Value))
                    InsertPlaced(extra.Value);
        }

        static bool IsAdded(FlatObject node) { return node.AddedAs >= 0 && node.Parent != null; }
        static bool HasIndex(FlatObject node) { return IsAdded(node) && node.InsertIndex >= 0; }

        static int Compare(KeyValuePair<int, FlatObject> a, KeyValuePair<int, FlatObject> b,
            Dictionary<object, int> documents)
        {
            FlatObject x = a.Value;
            FlatObject y = b.Value;
            if (IsAdded(x) != IsAdded(y))
                return IsAdded(x) ? -1 : 1;
            int order = OrderOf(x).CompareTo(OrderOf(y));
            if (order == 0)
                order = documents[DocumentOf(x)].CompareTo(documents[DocumentOf(y)]);
            return order != 0 ? order : a.Key.CompareTo(b.Key);
        }

        static int OrderOf(FlatObject node)
        {
            return !IsAdded(node) ? node.Place : HasIndex(node) ? node.InsertIndex : node.AddedAs;
        }

        static object DocumentOf(FlatObject node)
        {
            if (node.Instance != null)
                return node.Instance.Body;
            return node.Transform != null ? node.Transform.Body : node.Body;
        }

        Dictionary<object, int> DocumentOrder()
        {
            var order = new Dictionary<object, int>();
            List<YamlDocument> documents = builder.File.File.Documents;
            for (int i = 0; i < documents.Count; i++)
                order[documents[i].Body] = i;
            return order;
        }

        /* Insert in order of index, each at its index among the objects inserted so far. */
        void InsertPlaced(FlatObject node)
        {
            List<FlatObject> siblings = Siblings(node.Parent);
            int at = node.InsertIndex;
            while (at < siblings.Count && siblings[at].InsertIndex == node.InsertIndex && HasIndex(siblings[at]))
                at++;
            siblings.Insert(at < siblings.Count ? at : siblings.Count, node);
            node.IsPlaced = true;
        }
    }
}
