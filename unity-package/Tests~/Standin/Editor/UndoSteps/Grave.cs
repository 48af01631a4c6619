using System;
using System.Collections.Generic;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>
    /// A destroyed object with everything destroyed with it, and its former place. Destroyed
    /// objects keep their fields, so undo restores the same object with the same values.
    /// </summary>
    internal sealed class Grave
    {
        static long last;

        /// <summary>Increasing; a later grave is opened before an earlier one.</summary>
        public long Number { get; private set; }
        readonly List<Object> buried = new List<Object>();
        /* A GameObject's parent, or null and the scene; a component's GameObject. */
        Object holder;
        SceneData scene;
        int index;

        Grave() { Number = ++last; }

        /// <summary>Destroy an object and remember its place.</summary>
        public static Grave Bury(Object target)
        {
            var grave = new Grave();
            var go = target as GameObject;
            var component = target as Component;
            Dirtiness.Mark(target);
            if ((object)go != null)
                grave.Bury(go);
            else if ((object)component != null && (object)component.m_GameObject != null)
                grave.Bury(component);
            else
                grave.buried.Add(target);
            foreach (Object one in grave.buried)
                Destruction.End(one);
            EditorEvents.HierarchyChanged();
            return grave;
        }

        void Bury(GameObject go)
        {
            Transform t = go.transform;
            holder = t.m_Father;
            scene = go.sceneData;
            index = SceneTree.SiblingsOf(t).IndexOf(t);
            SceneTree.Visit(t, below =>
            {
                foreach (ComponentPair pair in below.m_GameObject.m_Component)
                    if ((object)pair.component != null && !pair.component.isDestroyed)
                        buried.Add(pair.component);
                buried.Add(below.m_GameObject);
                return true;
            });
            SceneTree.Detach(t);
        }

        void Bury(Component component)
        {
            holder = component.m_GameObject;
            index = component.m_GameObject.m_Component.FindIndex(pair => ReferenceEquals(pair.component, component));
            Destruction.DropFromList(component);
            buried.Add(component);
        }

        /// <summary>Restore everything.</summary>
        public void Open()
        {
            Lift();
            foreach (Object one in buried)
                Hooks.Revived(one);
            Dirtiness.Mark(buried[0]);
        }

        /// <summary>
        /// Restore everything without notifications, so that saving the scenes for the next domain
        /// includes it. Return false if its parent no longer exists.
        /// </summary>
        public bool Lift()
        {
            if ((object)holder != null && holder.isDestroyed)
                return false;
            foreach (Object one in buried)
                ObjectTable.Revive(one);
            var component = buried[0] as Component;
            if (buried[buried.Count - 1] is GameObject)
                SceneTree.Attach(Top(), (Transform)holder, index, scene);
            else if ((object)component != null && (object)holder != null)
                Insert((GameObject)holder, component);
            EditorEvents.HierarchyChanged();
            return true;
        }

        /// <summary>Reverse Lift.</summary>
        public void Lower()
        {
            var component = buried[0] as Component;
            if (buried[buried.Count - 1] is GameObject)
                SceneTree.Detach(Top());
            else if ((object)component != null && (object)holder != null)
                Destruction.DropFromList(component);
            foreach (Object one in buried)
            {
                one.isDestroyed = true;
                ObjectTable.Remove(one);
            }
        }

        /* The first buried GameObject is the topmost; its children follow. */
        Transform Top()
        {
            return (Transform)((GameObject)buried.Find(one => one is GameObject)).m_Component[0].component;
        }

        void Insert(GameObject into, Component component)
        {
            List<ComponentPair> list = into.m_Component;
            list.Insert(Math.Max(0, Math.Min(index, list.Count)), new ComponentPair(component));
        }

        public List<object> Export(UndoCodec codec)
        {
            return new List<object>
            {
                buried.ConvertAll(codec.Key), codec.Key(holder), codec.SceneKey(scene), (long)index, Number
            };
        }

        public static Grave Import(UndoCodec codec, List<object> from)
        {
            var grave = new Grave { holder = codec.Object(from[1]), scene = codec.Scene(from[2]) };
            grave.index = codec.Number(from[3]);
            grave.Number = Convert.ToInt64(from[4], System.Globalization.CultureInfo.InvariantCulture);
            last = Math.Max(last, grave.Number);
            foreach (object key in (List<object>)from[0])
            {
                Object one = codec.Object(key);
                if ((object)one == null)
                    return null;
                grave.buried.Add(one);
            }
            return grave;
        }
    }
}
