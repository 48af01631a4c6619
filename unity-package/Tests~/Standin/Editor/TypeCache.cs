using System;
using System.Collections;
using System.Collections.Generic;
using System.Reflection;
using Standin;

namespace UnityEditor
{
    /// <summary>Types and methods of the loaded assemblies of Unity, packages and the
    /// project.</summary>
    public static class TypeCache
    {
        /// <summary>A read-only list.</summary>
        public struct TypeCollection : IEnumerable<Type>
        {
            readonly List<Type> types;

            internal TypeCollection(List<Type> types) { this.types = types; }

            public int Count { get { return types.Count; } }
            public Type this[int index] { get { return types[index]; } }
            public bool Contains(Type item) { return types.Contains(item); }
            public int IndexOf(Type item) { return types.IndexOf(item); }
            public void CopyTo(Type[] array, int arrayIndex) { types.CopyTo(array, arrayIndex); }
            public IEnumerator<Type> GetEnumerator() { return types.GetEnumerator(); }
            IEnumerator IEnumerable.GetEnumerator() { return types.GetEnumerator(); }
        }

        public struct MethodCollection : IEnumerable<MethodInfo>
        {
            readonly List<MethodInfo> methods;

            internal MethodCollection(List<MethodInfo> methods) { this.methods = methods; }

            public int Count { get { return methods.Count; } }
            public MethodInfo this[int index] { get { return methods[index]; } }
            public IEnumerator<MethodInfo> GetEnumerator() { return methods.GetEnumerator(); }
            IEnumerator IEnumerable.GetEnumerator() { return methods.GetEnumerator(); }
        }

        public static TypeCollection GetTypesDerivedFrom<T>() { return GetTypesDerivedFrom(typeof(T)); }
        public static TypeCollection GetTypesDerivedFrom(Type parentType)
        {
            return Found(type => type != parentType && parentType.IsAssignableFrom(type));
        }

        public static TypeCollection GetTypesWithAttribute<T>() where T : Attribute
        {
            return GetTypesWithAttribute(typeof(T));
        }
        public static TypeCollection GetTypesWithAttribute(Type attrType)
        {
            return Found(type => type.IsDefined(attrType, false));
        }

        public static MethodCollection GetMethodsWithAttribute<T>() where T : Attribute
        {
            return new MethodCollection(new List<MethodInfo>(Startup.Methods<T>()));
        }

        static TypeCollection Found(Predicate<Type> wanted)
        {
            var found = new List<Type>();
            Add(found, typeof(UnityEngine.Object).Assembly, wanted);
            Add(found, typeof(TypeCache).Assembly, wanted);
            foreach (Assembly assembly in Startup.Assemblies)
                Add(found, assembly, wanted);
            return new TypeCollection(found);
        }

        static void Add(List<Type> found, Assembly assembly, Predicate<Type> wanted)
        {
            foreach (Type type in assembly.GetTypes())
                if (wanted(type))
                    found.Add(type);
        }
    }
}
