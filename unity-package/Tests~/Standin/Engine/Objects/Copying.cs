using System;
using System.Collections.Generic;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>
    /// Implements Object.Instantiate: copies an object, or a GameObject with its children.
    /// References to copied objects point to their copies.
    /// </summary>
    internal static class Copying
    {
        public static Object Instantiate(Object original, Transform parent, bool worldPositionStays = false)
        {
            if (original == null)
                throw new ArgumentException("The Object you want to instantiate is null.");
            Dictionary<Object, Object> copies = Copy(original);
            Object copy = copies[original];
            Transform top = TransformOf(copy);
            if (top != null)
            {
                SceneTree.Attach(top, parent == null ? null : parent, int.MaxValue, SceneData.ActiveOrNew());
                top.m_GameObject.m_Name += "(Clone)";
                Wake(top);
            }
            else
            {
                copy.name = original.name + "(Clone)";
            }
            return copy;
        }

        public static Transform TransformOf(Object target)
        {
            var go = target as GameObject;
            var component = target as Component;
            return (object)go != null ? go.transform : (object)component != null ? component.transform : null;
        }

        /// <summary>Copy without adding to a scene; return the copies by their originals.</summary>
        public static Dictionary<Object, Object> Copy(Object original)
        {
            var copies = new Dictionary<Object, Object>();
            Transform top = TransformOf(original);
            if ((object)top == null)
                copies.Add(original, Make(original));
            else
                SceneTree.Visit(top, t =>
                {
                    copies.Add(t.m_GameObject, GameObject.Empty());
                    foreach (ComponentPair pair in t.m_GameObject.m_Component)
                        if ((object)pair.component != null)
                            copies.Add(pair.component, Make(pair.component));
                    return true;
                });
            foreach (KeyValuePair<Object, Object> pair in copies)
            {
                DataNode data = Serializer.Write(pair.Key);
                Redirect(data, copies);
                Serializer.Read(pair.Value, data);
                pair.Value.m_CorrespondingSourceObject = null;
                pair.Value.m_PrefabInstance = null;
                pair.Value.m_PrefabAsset = null;
                pair.Value.m_ObjectHideFlags = pair.Key.m_ObjectHideFlags & ~HideFlags.NotEditable;
            }
            if ((object)top != null)
                ((Transform)copies[top]).m_Father = null;
            return copies;
        }

        static Object Make(Object original) { return (Object)Instances.New(original.GetType()); }

        /// <summary>Replace the targets of references in data.</summary>
        public static void Redirect(DataNode data, IDictionary<Object, Object> to)
        {
            var seen = new HashSet<DataNode>();
            Redirect(data, to, seen);
        }

        static void Redirect(DataNode data, IDictionary<Object, Object> to, HashSet<DataNode> seen)
        {
            Object other;
            if (data.Kind == DataKind.Reference && (object)data.Target != null
                && to.TryGetValue(data.Target, out other))
                data.Target = other;
            if (data.Items == null || (data.Kind == DataKind.Managed && !seen.Add(data)))
                return;
            foreach (DataNode item in data.Items)
                Redirect(item, to, seen);
        }

        static void Wake(Transform top)
        {
            SceneTree.Visit(top, t =>
            {
                foreach (ComponentPair pair in t.m_GameObject.m_Component)
                    if (pair.component is MonoBehaviour && !(pair.component is MissingScript)
                        && t.m_GameObject.activeInHierarchy)
                    {
                        Messages.SendIfRunning(pair.component, "Awake");
                        Messages.SendIfRunning(pair.component, "OnEnable");
                    }
                return true;
            });
        }
    }
}
