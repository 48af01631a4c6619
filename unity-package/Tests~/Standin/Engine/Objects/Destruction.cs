using System.Collections.Generic;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>Destroys objects, at once or at the end of a frame.</summary>
    internal static class Destruction
    {
        struct Waiting
        {
            public Object Target;
            public float Seconds;
        }

        static List<Waiting> waiting = new List<Waiting>();

        /// <summary>
        /// Destroy an object, or a GameObject with its children. Transforms and required components
        /// are not destroyed; the console has the reason.
        /// </summary>
        public static void Destroy(Object target)
        {
            var component = target as Component;
            var go = target as GameObject;
            if ((object)go != null)
                DestroyTree(go);
            else if ((object)component != null && (object)component.m_GameObject != null)
                DestroyComponent(component);
            else
                End(target);
        }

        public static void DestroyTree(GameObject go)
        {
            Transform t = go.transform;
            if ((object)t != null)
                SceneTree.Detach(t);
            EndTree(go);
        }

        /* Children first, then components, then the GameObject. */
        static void EndTree(GameObject go)
        {
            Transform t = go.transform;
            if ((object)t != null)
                foreach (Transform child in t.m_Children.ToArray())
                    EndTree(child.m_GameObject);
            for (int i = go.m_Component.Count - 1; i >= 0; i--)
                if ((object)go.m_Component[i].component != null)
                    End(go.m_Component[i].component);
            End(go);
        }

        static void DestroyComponent(Component component)
        {
            if (!MayBeDestroyed(component))
                return;
            DropFromList(component);
            End(component);
        }

        /// <summary>Return false for a Transform or a required component, with an error in the
        /// console.</summary>
        public static bool MayBeDestroyed(Component component)
        {
            GameObject go = component.m_GameObject;
            if ((object)go == null)
                return true;
            if (component is Transform)
            {
                Debug.LogError("Can't destroy Transform component of '" + go.m_Name
                    + "'. If you want to destroy the game object, please call 'Destroy' on the game object instead. "
                    + "Destroying the transform component is not allowed.");
                return false;
            }
            Component needs = Requirements.Dependent(component);
            if (needs == null)
                return true;
            Debug.LogError("Can't remove " + component.GetType().Name + " because " + needs.GetType().Name
                + (needs is MonoBehaviour ? " (Script)" : "") + " depends on it");
            return false;
        }

        public static void DropFromList(Component component)
        {
            component.m_GameObject.m_Component.RemoveAll(pair => ReferenceEquals(pair.component, component));
        }

        /// <summary>Destroy the components that are no longer in their GameObject's list.</summary>
        public static void DropUnlisted(GameObject go)
        {
            foreach (Object candidate in ObjectTable.All)
            {
                var component = candidate as Component;
                if ((object)component == null || component.isDestroyed || !ReferenceEquals(component.m_GameObject, go))
                    continue;
                if (!go.m_Component.Exists(pair => ReferenceEquals(pair.component, component)))
                    End(component);
            }
        }

        /// <summary>Destroy only this object; the caller removes its links.</summary>
        public static void End(Object target)
        {
            if (target.isDestroyed)
                return;
            var script = target as MonoBehaviour;
            if ((object)script != null && script.isAwake)
            {
                Messages.SendIfRunning(script, "OnDisable");
                Messages.SendIfRunning(script, "OnDestroy");
            }
            if (target is ScriptableObject)
            {
                Messages.Send(target, "OnDisable");
                Messages.Send(target, "OnDestroy");
            }
            Hooks.Destroyed(target);
            target.isDestroyed = true;
            ObjectTable.Remove(target);
        }

        public static void Later(Object target, float seconds)
        {
            waiting.Add(new Waiting { Target = target, Seconds = seconds });
        }

        /// <summary>End a frame that took this many seconds.</summary>
        public static void EndOfFrame(float seconds)
        {
            List<Waiting> due = waiting;
            waiting = new List<Waiting>();
            foreach (Waiting entry in due)
            {
                if (entry.Seconds > seconds)
                    Later(entry.Target, entry.Seconds - seconds);
                else if (entry.Target != null)
                    Destroy(entry.Target);
            }
        }
    }
}
