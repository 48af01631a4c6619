using System;
using System.Collections.Generic;
using System.Text;
using UnityEngine;
using UnityEngine.SceneManagement;

namespace Multiverse.Editor
{
    /// <summary>
    /// Paths of the GameObjects in the active scene. Every object has exactly one shown path, and
    /// that path finds this object.
    /// Also accepted: a path without the first slash, from the roots, or otherwise anywhere among
    /// active objects, like GameObject.Find; [0] for the first; a trailing slash if no child has an
    /// empty name. Other loaded scenes, DontDestroyOnLoad and a prefab open in the Editor have no
    /// paths: the tools work on the active scene, and an error mentions an open prefab.
    /// Numbers are cached: create one instance per call, and a new one after a pause or after
    /// objects were added, removed, moved or renamed.
    /// <code>
    ///     ScenePaths paths = ScenePaths.OfActiveScene();      // throws ERR_NO_SCENE
    ///     GameObject panel = paths.Get("/Canvas/Panel[1]");   // throws ERR_OBJECT_NOT_FOUND
    ///     paths.PathOf(panel)
    /// </code>
    /// </summary>
    public sealed class ScenePaths
    {
        /// <summary>The children of one object, or the roots.</summary>
        sealed class Level
        {
            public readonly List<Transform> Items = new List<Transform>();
            public readonly Siblings Names = new Siblings();
            Dictionary<Transform, int> places;

            public void Add(Transform item)
            {
                Items.Add(item);
                Names.Add(item.name);
            }

            public int IndexOf(Transform item)
            {
                if (places == null)
                {
                    places = new Dictionary<Transform, int>();
                    for (int i = 0; i < Items.Count; i++)
                        places[Items[i]] = i;
                }
                int at;
                return places.TryGetValue(item, out at) ? at : -1;
            }
        }

        readonly Dictionary<Transform, Level> levels = new Dictionary<Transform, Level>();
        Level roots;

        ScenePaths(Scene scene) { Scene = scene; }

        public Scene Scene { get; private set; }

        public static ScenePaths OfActiveScene()
        {
            Scene scene = SceneManager.GetActiveScene();
            if (!scene.IsValid() || !scene.isLoaded)
                throw new ToolError("ERR_NO_SCENE", "no scene is open: open one with open_scene");
            return new ScenePaths(scene);
        }

        Level ListRoots()
        {
            if (roots != null)
                return roots;
            roots = new Level();
            var objects = new List<GameObject>();
            Scene.GetRootGameObjects(objects);
            foreach (GameObject o in objects)
                roots.Add(o.transform);
            return roots;
        }

        Level ChildrenOf(Transform parent)
        {
            if (parent == null)
                return ListRoots();
            Level level;
            if (levels.TryGetValue(parent, out level))
                return level;
            level = new Level();
            int count = parent.childCount;
            for (int i = 0; i < count; i++)
                level.Add(parent.GetChild(i));
            levels.Add(parent, level);
            return level;
        }

        /// <summary>Return the path, or null if the object is not in this scene.</summary>
        public string PathOf(GameObject o)
        {
            if (o == null || o.scene != Scene)
                return null;
            var chain = new List<Transform>();
            for (Transform t = o.transform; t != null; t = t.parent)
                chain.Add(t);
            var path = new StringBuilder();
            for (int i = chain.Count - 1; i >= 0; i--)
            {
                Level level = ChildrenOf(i + 1 < chain.Count ? chain[i + 1] : null);
                int at = level.IndexOf(chain[i]);
                if (at < 0)
                    return null;
                PathText.Append(path, level.Names.NameAt(at), level.Names.Number(at));
            }
            return path.ToString();
        }

        /// <summary>Return the object, or null.</summary>
        public GameObject Find(string path)
        {
            bool isAbsolute = IsAbsolute(path);
            Transform found = FindBelow(null, path, isAbsolute ? 1 : 0);
            if (found == null && !isAbsolute && path.Length > 0)
                found = FindAnywhere(path);
            return found == null ? null : found.gameObject;
        }

        /// <summary>Like Find, but throw NotFound.</summary>
        public GameObject Get(string path)
        {
            GameObject found = Find(path);
            if (found == null)
                throw NotFound(path);
            return found;
        }

        static bool IsAbsolute(string path) { return path.Length > 0 && path[0] == '/'; }

        /* Follow a path from an object's children. Return the last existing object on it;
           missing is the next name, or null if the path is complete. */
        Transform FollowPath(Transform parent, string path, int at, out string missing)
        {
            Transform found = null;
            bool more = true;
            missing = null;
            while (more)
            {
                string name;
                more = PathText.Cut(path, ref at, out name);
                Level level = ChildrenOf(found != null ? found : parent);
                int index = level.Names.Find(name);
                bool isEnd = !more && name.Length == 0 && found != null; /* "/Player/" */
                if (index < 0)
                {
                    missing = isEnd ? null : name;
                    return found;
                }
                found = level.Items[index];
            }
            return found;
        }

        Transform FindBelow(Transform parent, string path, int at)
        {
            string missing;
            Transform found = FollowPath(parent, path, at, out missing);
            return missing != null ? null : found;
        }

        Transform FindAnywhere(string path)
        {
            int tail = 0, number;
            string name;
            bool hasTail = PathText.Cut(path, ref tail, out name);
            if (!hasTail)
                tail = -1;
            Transform found = FindStart(name, -1, path, tail);
            if (found == null && Siblings.CutNumber(ref name, out number))
                found = FindStart(name, number, path, tail);
            return found;
        }

        /* Search like GameObject.Find: anywhere, if the object and all its parents are active.
           number -1: any; rest -1: the path ends with the name. */
        Transform FindStart(string name, int number, string path, int tail)
        {
            var open = new Stack<Transform>();
            PushActive(open, null);
            while (open.Count > 0)
            {
                Transform t = open.Pop();
                if (string.Equals(t.name, name, StringComparison.Ordinal) && (number < 0 || NumberOf(t) == number))
                {
                    Transform found = tail < 0 ? t : FindBelow(t, path, tail);
                    if (found != null && found.gameObject.activeInHierarchy)
                        return found;
                }
                PushActive(open, t);
            }
            return null;
        }

        int NumberOf(Transform t)
        {
            Level level = ChildrenOf(t.parent);
            return level.Names.Number(level.IndexOf(t));
        }

        /* Pushed in reverse order, so that the first child is popped first. */
        void PushActive(Stack<Transform> open, Transform parent)
        {
            int count = parent == null ? ListRoots().Items.Count : parent.childCount;
            for (int i = count - 1; i >= 0; i--)
            {
                Transform child = parent == null ? ListRoots().Items[i] : parent.GetChild(i);
                if (child.gameObject.activeSelf)
                    open.Push(child);
            }
        }

        /// <summary>Build ERR_OBJECT_NOT_FOUND with a hint: the existing parent and its child with
        /// the most similar name.</summary>
        public ToolError NotFound(string path)
        {
            string missing;
            Transform parent = FollowPath(null, path, IsAbsolute(path) ? 1 : 0, out missing);
            Level level = ChildrenOf(parent);
            var near = new Nearest(missing ?? "");
            Transform best = null;
            for (int i = 0; i < level.Items.Count; i++)
                if (near.Offer(level.Names.NameAt(i)))
                    best = level.Items[i];
            string hint = "";
            if (best != null)
                hint = "; did you mean " + PathOf(best.gameObject) + "?";
            else if (parent != null)
                hint = "; there is " + PathOf(parent.gameObject) + " with " + level.Items.Count + " children";
            string prefab = Compat.OpenPrefabPath();
            if (prefab != null)
                hint += "; " + prefab + " is open in the Editor, but the tools work on the scene behind it";
            string where = Scene.path.Length > 0 ? Scene.path : "the scene, which was never saved";
            return new ToolError("ERR_OBJECT_NOT_FOUND", "there is no GameObject at " + path + " in " + where + hint);
        }
    }
}
