using System;
using System.Collections.Generic;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>Finds objects in the open scenes, in hierarchy order.</summary>
    internal static class SceneSearch
    {
        static IEnumerable<Transform> Roots()
        {
            foreach (SceneData scene in SceneData.All.ToArray())
                if (scene.IsLoaded && !scene.IsPreview)
                    foreach (Transform root in scene.Roots.ToArray())
                        yield return root;
        }

        public static List<Object> All(Type type, bool includeInactive)
        {
            var found = new List<Object>();
            foreach (Transform root in Roots())
                SceneTree.Visit(root, t =>
                {
                    GameObject go = t.m_GameObject;
                    if (!includeInactive && !go.m_IsActive)
                        return false;
                    if (type.IsInstanceOfType(go))
                        found.Add(go);
                    foreach (ComponentPair pair in go.m_Component)
                        if (GameObject.IsA(pair.component, type))
                            found.Add(pair.component);
                    return true;
                });
            if (!typeof(Component).IsAssignableFrom(type) && type != typeof(GameObject))
                foreach (Object other in ObjectTable.All)
                    if (type.IsInstanceOfType(other) && !(other is Component) && !(other is GameObject))
                        found.Add(other);
            return found;
        }

        static GameObject First(Func<GameObject, bool> fits)
        {
            GameObject found = null;
            foreach (Transform root in Roots())
            {
                SceneTree.Visit(root, t =>
                {
                    if (found != null || !t.m_GameObject.m_IsActive)
                        return false;
                    if (fits(t.m_GameObject))
                        found = t.m_GameObject;
                    return found == null;
                });
                if (found != null)
                    return found;
            }
            return null;
        }

        /// <summary>Like GameObject.Find: only active objects, by name or by a path that ends at the
        /// object.</summary>
        public static GameObject Find(string name)
        {
            if (string.IsNullOrEmpty(name))
                return null;
            bool isFromRoot = name[0] == '/';
            string[] parts = name.Substring(isFromRoot ? 1 : 0).Split('/');
            return First(go => Ends(go.transform, parts, isFromRoot));
        }

        static bool Ends(Transform t, string[] parts, bool isFromRoot)
        {
            for (int i = parts.Length - 1; i >= 0; i--)
            {
                if ((object)t == null || t.m_GameObject.m_Name != parts[i])
                    return false;
                t = t.m_Father;
            }
            return !isFromRoot || (object)t == null;
        }

        public static GameObject FindWithTag(string tag) { return First(go => go.m_TagString == tag); }

        public static GameObject[] AllWithTag(string tag)
        {
            return All(typeof(GameObject), false).FindAll(o => ((GameObject)o).m_TagString == tag)
                .ConvertAll(o => (GameObject)o).ToArray();
        }
    }
}
