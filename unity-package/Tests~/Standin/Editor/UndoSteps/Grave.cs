using System;
using System.Collections.Generic;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>
    /// A destroyed object, all that went with it and the place it had. Objects keep their fields when they are
    /// destroyed, so what comes back is the same object with the same values.
    /// </summary>
    internal sealed class Grave
    {
        readonly List<Object> buried = new List<Object>();
        /* Of a GameObject its parent, or null and the scene; of a component its GameObject. */
        Object holder;
        SceneData scene;
        int index;

        Grave() { }

        /// <summary>Destroys an object and remembers where it was.</summary>
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

        /// <summary>Brings all of it back.</summary>
        public void Open()
        {
            foreach (Object one in buried)
            {
                ObjectTable.Revive(one);
                Hooks.Revived(one);
            }
            var go = buried[buried.Count - 1] as GameObject;
            var component = buried[0] as Component;
            if ((object)go != null)
                SceneTree.Attach(Top(), (Transform)holder, index, scene);
            else if ((object)component != null && (object)holder != null)
                Insert((GameObject)holder, component);
            Dirtiness.Mark(buried[0]);
            EditorEvents.HierarchyChanged();
        }

        /* The first GameObject that was buried is the topmost: what is below it came later. */
        Transform Top() { return ((GameObject)buried.Find(one => one is GameObject)).transform; }

        void Insert(GameObject into, Component component)
        {
            List<ComponentPair> list = into.m_Component;
            list.Insert(Math.Max(0, Math.Min(index, list.Count)), new ComponentPair(component));
        }

        public List<object> Export(UndoCodec codec)
        {
            return new List<object>
            {
                buried.ConvertAll(codec.Key), codec.Key(holder), codec.SceneKey(scene), (long)index
            };
        }

        public static Grave Import(UndoCodec codec, List<object> from)
        {
            var grave = new Grave { holder = codec.Object(from[1]), scene = codec.Scene(from[2]) };
            grave.index = codec.Number(from[3]);
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
