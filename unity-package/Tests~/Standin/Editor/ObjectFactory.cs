using System;
using Standin;
using UnityEngine;
using Object = UnityEngine.Object;

namespace UnityEditor
{
    /// <summary>Creates objects like the editor's menus, with undo.</summary>
    public static class ObjectFactory
    {
        public static event Action<Component> componentWasAdded;

        public static Component AddComponent(GameObject gameObject, Type type)
        {
            if (type == null)
                throw new ArgumentNullException("type");
            if (!typeof(Component).IsAssignableFrom(type))
                throw new ArgumentException("Class '" + type.Name + "' is not a component.");
            Component created = Undo.AddComponent(gameObject, type);
            if (created != null && componentWasAdded != null)
                componentWasAdded(created);
            return created;
        }

        public static T AddComponent<T>(GameObject gameObject) where T : Component
        {
            return (T)AddComponent(gameObject, typeof(T));
        }

        public static GameObject CreateGameObject(string name, params Type[] types)
        {
            var created = new GameObject(name, types);
            Undo.RegisterCreatedObjectUndo(created, "Create " + name);
            return created;
        }

        public static Object CreateInstance(Type type)
        {
            return typeof(ScriptableObject).IsAssignableFrom(type)
                ? ScriptableObject.CreateInstance(type) : (Object)Instances.New(type);
        }
    }
}
