using System.Collections.Generic;
using Standin;
using UnityEngine;

namespace UnityEditor
{
    public sealed class GameObjectUtility
    {
        static bool IsMissing(ComponentPair pair)
        {
            return (object)pair.component == null || pair.component is MissingScript || pair.component.isDestroyed;
        }

        public static int GetMonoBehavioursWithMissingScriptCount(GameObject go)
        {
            return go.m_Component.FindAll(IsMissing).Count;
        }

        /// <summary>Remove the missing scripts and return their number; the caller records
        /// undo.</summary>
        public static int RemoveMonoBehavioursWithMissingScript(GameObject go)
        {
            List<ComponentPair> missing = go.m_Component.FindAll(IsMissing);
            go.m_Component.RemoveAll(IsMissing);
            foreach (ComponentPair pair in missing)
                if ((object)pair.component != null)
                    Destruction.End(pair.component);
            if (missing.Count > 0)
                Dirtiness.Mark(go);
            return missing.Count;
        }

        public static void SetParentAndAlign(GameObject child, GameObject parent)
        {
            if (parent == null)
                return;
            child.transform.SetParent(parent.transform, false);
            child.transform.localPosition = Vector3.zero;
            child.transform.localRotation = Quaternion.identity;
            child.transform.localScale = Vector3.one;
            child.layer = parent.layer;
        }

        /// <summary>Return a name that no sibling has: "Cube (1)".</summary>
        public static string GetUniqueNameForSibling(Transform parent, string name)
        {
            List<Transform> siblings = parent != null ? parent.m_Children : SceneData.ActiveOrNew().Roots;
            string unique = name;
            for (int i = 1; siblings.Exists(t => t.m_GameObject.m_Name == unique); i++)
                unique = name + " (" + i + ")";
            return unique;
        }
    }
}
