using System;
using System.Collections.Generic;
using System.Text;
using UnityEditor;
using UnityEngine;

namespace Multiverse.Editor
{
    /// <summary>
    /// Builds the answer of get_scene_hierarchy: collects objects breadth first within the limits,
    /// then writes them as a tree. Both pause after every few objects; an object that was destroyed
    /// meanwhile is skipped. The cost depends on the listed objects and the names of their siblings
    /// only.
    /// <code>
    ///     var view = new HierarchyView(ScenePaths.OfActiveScene(), 10, 1000, false);
    ///     view.Begin("/Player");                  // or null: the whole scene
    ///     for (var work = view.Gather(); work.MoveNext();) yield return work.Current;
    ///     for (var work = view.Write(call.Out); work.MoveNext();) yield return work.Current;
    /// </code>
    /// </summary>
    sealed class HierarchyView
    {
        /* Objects between two pauses; each takes a few dozen microseconds at most. */
        const int Handful = 16;

        struct Frame
        {
            public int Node, Next;
        }

        readonly ScenePaths paths;
        readonly int maxDepth, maxObjects;
        readonly bool withPrefabs;
        readonly List<HierarchyNode> nodes = new List<HierarchyNode>();
        readonly List<Component> components = new List<Component>();
        readonly Dictionary<Type, string> typeNames = new Dictionary<Type, string>();
        readonly StringBuilder path = new StringBuilder();
        readonly List<Transform> tops = new List<Transform>();
        readonly string sceneName, scenePath;
        bool isWhole = true;
        int rootCount, total, returned, work;
        bool truncated;

        public HierarchyView(ScenePaths paths, int maxDepth, int maxObjects, bool withPrefabs)
        {
            this.paths = paths;
            sceneName = paths.Scene.name;
            scenePath = paths.Scene.path;
            this.maxDepth = maxDepth;
            this.maxObjects = maxObjects;
            this.withPrefabs = withPrefabs;
        }

        /// <summary>Set the top: the object at rootPath, or the roots of the scene.</summary>
        public void Begin(string rootPath)
        {
            if (rootPath != null)
            {
                GameObject root = paths.Get(rootPath);
                isWhole = false;
                tops.Add(root.transform);
                ListObject(root.transform, root.name, paths.PathOf(root), 0);
                return;
            }
            var roots = new List<GameObject>();
            paths.Scene.GetRootGameObjects(roots);
            foreach (GameObject root in roots)
                tops.Add(root.transform);
        }

        /* Whether to pause now, after every Handful of objects. */
        bool IsPauseDue() { return ++work % Handful == 0; }

        // ---- gathering

        public IEnumerator<Pause> Gather()
        {
            for (IEnumerator<Pause> each = CountAll(); each.MoveNext();)
                yield return each.Current;
            if (isWhole)
                for (IEnumerator<Pause> each = ListSome(tops.Count, null, -1); each.MoveNext();)
                    yield return each.Current;
            rootCount = nodes.Count;
            for (int i = 0; i < nodes.Count; i++)
            {
                Transform parent = nodes[i].Transform;
                int children = parent == null ? 0 : parent.childCount;
                if (children == 0)
                    continue;
                HierarchyNode node = nodes[i];
                node.HasChildren = true;
                node.First = nodes.Count;
                if (node.Depth == maxDepth || nodes.Count == maxObjects)
                    truncated = true;
                else
                    for (IEnumerator<Pause> each = ListSome(children, parent, i); each.MoveNext();)
                        yield return each.Current;
                node.Count = nodes.Count - node.First;
                nodes[i] = node;
                if (IsPauseDue())
                    yield return Pause.Step;
            }
        }

        /* List the children of a node (parent, index), or the roots (null, -1). All names are
           read because they decide the numbers of duplicates. */
        IEnumerator<Pause> ListSome(int count, Transform parent, int index)
        {
            var siblings = new Siblings();
            bool isTop = index < 0;
            List<Transform> items = isTop ? tops : new List<Transform>(count);
            for (int i = 0; i < count; i++)
            {
                if (!isTop && (parent == null || i >= parent.childCount))
                    break;
                if (!isTop)
                    items.Add(parent.GetChild(i));
                siblings.Add(items[i] == null ? "" : items[i].name);
                if (IsPauseDue())
                    yield return Pause.Step;
            }
            for (int i = 0; i < siblings.Count; i++)
            {
                if (nodes.Count == maxObjects)
                {
                    truncated = true;
                    yield break;
                }
                path.Length = 0;
                if (!isTop)
                    path.Append(nodes[index].Path);
                PathText.Append(path, siblings.NameAt(i), siblings.Number(i));
                ListObject(items[i], siblings.NameAt(i), path.ToString(), isTop ? 0 : nodes[index].Depth + 1);
                if (IsPauseDue())
                    yield return Pause.Step;
            }
        }

        void ListObject(Transform transform, string name, string itsPath, int depth)
        {
            nodes.Add(new HierarchyNode { Transform = transform, Name = name, Path = itsPath, Depth = depth });
        }

        /* Unity knows the number of objects below a root. */
        IEnumerator<Pause> CountAll()
        {
            if (isWhole || tops[0].parent == null)
            {
                foreach (Transform root in tops)
                    total += root.hierarchyCount;
                yield break;
            }
            var open = new Stack<Transform>();
            open.Push(tops[0]);
            while (open.Count > 0)
            {
                Transform at = open.Pop();
                if (IsPauseDue())
                    yield return Pause.Step;
                if (at == null)
                    continue;
                total++;
                for (int i = at.childCount - 1; i >= 0; i--)
                    open.Push(at.GetChild(i));
            }
        }

        // ---- writing

        public IEnumerator<Pause> Write(JsonWriter w)
        {
            var open = new Stack<Frame>();
            returned = 0;
            w.BeginObject();
            w.Member("scene_name", sceneName);
            w.Member("scene_path", scenePath);
            w.Key("root_game_objects");
            w.BeginArray();
            for (int root = 0; root < rootCount; root++)
            {
                if (WriteHead(w, root))
                    open.Push(new Frame { Node = root });
                while (open.Count > 0)
                {
                    Frame at = open.Pop();
                    HierarchyNode node = nodes[at.Node];
                    if (at.Next == node.Count)
                    {
                        w.EndArray();
                        w.EndObject();
                        continue;
                    }
                    int child = node.First + at.Next++;
                    open.Push(at);
                    if (WriteHead(w, child))
                        open.Push(new Frame { Node = child });
                    if (IsPauseDue())
                        yield return Pause.Step;
                }
                if (IsPauseDue())
                    yield return Pause.Step;
            }
            w.EndArray();
            w.Member("total_game_objects", total);
            w.Member("returned_game_objects", returned);
            w.Member("truncated", truncated);
            w.EndObject();
        }

        /* Write an object's head. Return true if its children follow in the open array. */
        bool WriteHead(JsonWriter w, int index)
        {
            HierarchyNode node = nodes[index];
            if (node.Transform == null)
                return false;
            GameObject o = node.Transform.gameObject;
            returned++;
            w.BeginObject();
            w.Member("name", node.Name);
            w.Member("path", node.Path);
            w.Member("active", o.activeSelf);
            WritePrefab(w, o);
            WriteComponents(w, o);
            w.Key("children");
            if (node.Count == 0 && node.HasChildren)
            {
                w.Value("...");
                w.EndObject();
                return false;
            }
            w.BeginArray();
            if (node.Count > 0)
                return true;
            w.EndArray();
            w.EndObject();
            return false;
        }

        /* If the prefab is missing there is no path; null is written only with include_prefabs.
           */
        void WritePrefab(JsonWriter w, GameObject o)
        {
            if (!PrefabUtility.IsAnyPrefabInstanceRoot(o))
                return;
            string asset = PrefabUtility.GetPrefabAssetPathOfNearestInstanceRoot(o);
            if (!string.IsNullOrEmpty(asset))
                w.Member("prefab_asset_path", asset);
            if (withPrefabs)
                w.Member("prefab", string.IsNullOrEmpty(asset) ? null : asset);
        }

        void WriteComponents(JsonWriter w, GameObject o)
        {
            o.GetComponents(components);
            w.Key("components");
            w.BeginArray();
            foreach (Component c in components)
                w.Value(c == null ? null : TypeName(c.GetType()));
            w.EndArray();
            components.Clear();
        }

        string TypeName(Type type)
        {
            string name;
            if (!typeNames.TryGetValue(type, out name))
                typeNames.Add(type, name = FieldTypes.NameOf(type));
            return name;
        }
    }
}
