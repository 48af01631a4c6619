using System.Collections.Generic;
using Standin;
using UnityEngine;

namespace UnityEditorInternal
{
    public static class ComponentUtility
    {
        /// <summary>Return false if it is the first below the Transform, or belongs to a prefab,
        /// whose order is fixed.</summary>
        public static bool MoveComponentUp(Component component) { return Move(component, -1, "Move Component Up"); }

        public static bool MoveComponentDown(Component component) { return Move(component, 1, "Move Component Down"); }

        static bool Move(Component component, int by, string name)
        {
            if (component == null || component is Transform)
                return false;
            GameObject go = component.m_GameObject;
            List<ComponentPair> list = go.m_Component;
            int at = list.FindIndex(pair => ReferenceEquals(pair.component, component)), to = at + by;
            if (at < 1 || to < 1 || to >= list.Count || IsOfPrefab(component) || !MayPass(list[to].component))
                return false;
            UndoHistory.Settle(go);
            List<Component> before = list.ConvertAll(pair => pair.component);
            ComponentPair moved = list[at];
            list[at] = list[to];
            list[to] = moved;
            UndoHistory.Add(new OrderStep(go, before, list.ConvertAll(pair => pair.component)), name);
            Dirtiness.Mark(go);
            return true;
        }

        /* Since 2022.2 the file stores the position of an added component among the prefab's. */
        static bool MayPass(Component other)
        {
#if UNITY_2022_2_OR_NEWER
            return true;
#else
            return !IsOfPrefab(other);
#endif
        }

        static bool IsOfPrefab(Component component)
        {
            return (object)component != null && Hooks.IsPartOfPrefabInstance(component)
                && !Hooks.IsAddedToPrefabInstance(component);
        }
    }
}
