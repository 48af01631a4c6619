using System.Collections.Generic;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>The existing objects of a prefab instance.</summary>
    internal static class InstanceObjects
    {
        /// <summary>GameObjects and components, in hierarchy order.</summary>
        public static List<Object> Of(PrefabInstance handle)
        {
            var found = new List<Object>();
            if (handle.root == null)
                return found;
            SceneTree.Visit(handle.root.transform, t =>
            {
                Add(t.m_GameObject, handle, found);
                foreach (ComponentPair pair in t.m_GameObject.m_Component)
                    Add(pair.component, handle, found);
                return true;
            });
            return found;
        }

        static void Add(Object candidate, PrefabInstance handle, List<Object> found)
        {
            if ((object)candidate != null && !candidate.isDestroyed && ReferenceEquals(candidate.m_PrefabInstance, handle))
                found.Add(candidate);
        }

        /// <summary>The objects of the instance by the corresponding ones of the prefab.</summary>
        public static Dictionary<Object, Object> BySource(PrefabInstance handle)
        {
            var found = new Dictionary<Object, Object>(ByIdentity.Comparer);
            foreach (Object candidate in Of(handle))
            {
                Object source = candidate.m_CorrespondingSourceObject;
                if ((object)source != null && !found.ContainsKey(source))
                    found.Add(source, candidate);
            }
            return found;
        }
    }
}
