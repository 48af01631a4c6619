using System;
using System.Collections.Generic;
using Standin;
using UnityEngine;
using Object = UnityEngine.Object;

namespace UnityEditor
{
    public sealed class Selection
    {
        static Object[] selected = new Object[0];

        public static Action selectionChanged;

        /// <summary>The selected objects that still exist.</summary>
        public static Object[] objects
        {
            get { return Array.FindAll(selected, target => target != null); }
            set
            {
                selected = value == null ? new Object[0] : Array.FindAll(value, target => target != null);
                if (selectionChanged != null)
                    selectionChanged();
            }
        }

        public static Object activeObject
        {
            get { return objects.Length == 0 ? null : objects[0]; }
            set { objects = value == null ? null : new[] { value }; }
        }

        public static GameObject activeGameObject
        {
            get { return activeTransform == null ? activeObject as GameObject : activeTransform.gameObject; }
            set { activeObject = value; }
        }

        public static Transform activeTransform
        {
            get { return activeObject == null ? null : Copying.TransformOf(activeObject); }
            set { activeObject = value == null ? null : value.gameObject; }
        }

        public static GameObject[] gameObjects
        {
            get
            {
                var found = new List<GameObject>();
                foreach (Object target in objects)
                    if (target is GameObject)
                        found.Add((GameObject)target);
                return found.ToArray();
            }
        }

        public static bool Contains(Object obj) { return obj != null && Array.IndexOf(objects, obj) >= 0; }
    }
}
