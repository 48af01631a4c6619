using System;
using System.Collections.Generic;
using System.Reflection;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>Unity's class ids and their C# classes.</summary>
    internal static class ClassTable
    {
        public const int GameObject = 1;
        public const int Transform = 4;
        public const int MonoBehaviour = 114;
        public const int RectTransform = 224;
        public const int PrefabInstance = 1001;
        public const int SceneRoots = 1660057539;

        static readonly Dictionary<int, Type> types = new Dictionary<int, Type>();
        static readonly Dictionary<Type, NativeClassAttribute> attributes = new Dictionary<Type, NativeClassAttribute>();

        static ClassTable()
        {
            foreach (Assembly assembly in new[] { typeof(Object).Assembly, typeof(ClassTable).Assembly })
                foreach (Type type in assembly.GetTypes())
                {
                    var native = (NativeClassAttribute)Attribute.GetCustomAttribute(
                        type, typeof(NativeClassAttribute), false);
                    if (native == null)
                        continue;
                    attributes.Add(type, native);
                    if (!types.ContainsKey(native.Id))
                        types.Add(native.Id, type);
                }
        }

        public static bool IsTransform(int id) { return id == Transform || id == RectTransform; }

        /// <summary>Return null if the tables do not have the class, or C# does not.</summary>
        public static Type TypeOf(int id)
        {
            Type type;
            return types.TryGetValue(id, out type) && !type.IsAbstract ? type : null;
        }

        /// <summary>Find a class of the engine, the editor or a package by its C# name.</summary>
        public static Type Named(string full)
        {
            string name = full.Replace('/', '+');
            return typeof(Object).Assembly.GetType(name) ?? typeof(ClassTable).Assembly.GetType(name);
        }

        /// <summary>The class id in documents of such objects; scripts are MonoBehaviour.</summary>
        public static int IdOf(Type type)
        {
            if (typeof(ScriptableObject).IsAssignableFrom(type))
                return MonoBehaviour;
            for (; type != null; type = type.BaseType)
                if (attributes.ContainsKey(type))
                    return attributes[type].Id;
            return 0;
        }

        /// <summary>The name above the fields in a file.</summary>
        public static string NameOf(int id)
        {
            Type type;
            if (id == PrefabInstance)
                return "PrefabInstance";
            return types.TryGetValue(id, out type) ? attributes[type].Name : "";
        }
    }
}
