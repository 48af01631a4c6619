using System;
using System.Collections.Generic;
using UnityEngine;

namespace Standin
{
    /// <summary>
    /// The tree of Transforms. Changes both ends of a link together: the child's m_Father and the
    /// parent's m_Children, or the scene's roots.
    /// </summary>
    internal static class SceneTree
    {
        static readonly List<Transform> none = new List<Transform>();

        /// <summary>Return the list that contains it; an empty list if it is in no scene.</summary>
        public static List<Transform> SiblingsOf(Transform t)
        {
            if ((object)t.m_Father != null)
                return t.m_Father.m_Children;
            SceneData scene = t.m_GameObject.sceneData;
            if (scene == null)
            {
                none.Clear();
                none.Add(t);
                return none;
            }
            return scene.Roots;
        }

        public static void AddRoot(SceneData scene, Transform t)
        {
            Detach(t);
            scene.Roots.Add(t);
            SetScene(t, scene);
            EditorEvents.HierarchyChanged();
        }

        public static void SetParent(Transform t, Transform parent, bool worldPositionStays)
        {
            Transform to = parent == null ? null : parent;
            if ((object)to != null && to.IsChildOf(t))
                return;
            if (ReferenceEquals(to, t.m_Father))
                return;
            Vector3 position = t.position, scale = t.lossyScale;
            Quaternion rotation = t.rotation;
            Attach(t, to, int.MaxValue, t.m_GameObject.sceneData);
            if (!worldPositionStays)
                return;
            t.position = position;
            t.rotation = rotation;
            Vector3 above = (object)to == null ? Vector3.one : to.lossyScale;
            t.m_LocalScale = new Vector3(Over(scale.x, above.x), Over(scale.y, above.y), Over(scale.z, above.z));
        }

        static float Over(float a, float b) { return b == 0 ? 0 : a / b; }

        /// <summary>Insert it at an index below a parent or, with null, among the scene's
        /// roots.</summary>
        public static void Attach(Transform t, Transform parent, int index, SceneData scene)
        {
            Detach(t);
            t.m_Father = parent;
            if ((object)parent != null)
                scene = parent.m_GameObject.sceneData;
            List<Transform> siblings = (object)parent != null ? parent.m_Children : scene == null ? null : scene.Roots;
            if (siblings != null)
                siblings.Insert(Math.Max(0, Math.Min(index, siblings.Count)), t);
            SetScene(t, scene);
            EditorEvents.HierarchyChanged();
        }

        /// <summary>Remove it from its siblings; its children stay attached.</summary>
        public static void Detach(Transform t)
        {
            SiblingsOf(t).Remove(t);
            t.m_Father = null;
            EditorEvents.HierarchyChanged();
        }

        public static void Move(Transform t, int index)
        {
            List<Transform> siblings = SiblingsOf(t);
            siblings.Remove(t);
            siblings.Insert(Math.Max(0, Math.Min(index, siblings.Count)), t);
            EditorEvents.HierarchyChanged();
        }

        /// <summary>Replace a Transform by another with the same GameObject, parent, index and
        /// children.</summary>
        public static void Replace(Transform old, Transform by)
        {
            List<Transform> siblings = SiblingsOf(old);
            int at = siblings.IndexOf(old);
            if (at >= 0)
                siblings[at] = by;
            by.m_Father = old.m_Father;
            by.m_Children = old.m_Children;
            foreach (Transform child in by.m_Children)
                child.m_Father = by;
            by.m_GameObject = old.m_GameObject;
            by.m_GameObject.m_Component[0] = new ComponentPair(by);
            old.m_Children = new List<Transform>();
            old.isDestroyed = true;
            ObjectTable.Remove(old);
            ObjectTable.Revive(by);
        }

        static void SetScene(Transform t, SceneData scene)
        {
            Visit(t, below =>
            {
                below.m_GameObject.sceneData = scene;
                return true;
            });
        }

        /// <summary>Visit it and its descendants, depth first, without recursion; return false from
        /// each to skip the children.</summary>
        public static void Visit(Transform from, Func<Transform, bool> each)
        {
            var left = new Stack<Transform>();
            left.Push(from);
            while (left.Count > 0)
            {
                Transform t = left.Pop();
                if (!each(t))
                    continue;
                for (int i = t.m_Children.Count - 1; i >= 0; i--)
                    left.Push(t.m_Children[i]);
            }
        }
    }
}
