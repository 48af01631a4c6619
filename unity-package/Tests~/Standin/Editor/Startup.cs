using System;
using System.Collections.Generic;
using System.Reflection;
using System.Runtime.CompilerServices;
using UnityEditor;
using UnityEditor.Callbacks;

namespace Standin
{
    /// <summary>Runs the editor's attributes on classes and methods after a domain was
    /// loaded.</summary>
    internal static class Startup
    {
        const BindingFlags anyStatic = BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic |
                                       BindingFlags.DeclaredOnly;

        /// <summary>Assemblies of packages and of the project, in order of their references.</summary>
        public static readonly List<Assembly> Assemblies = new List<Assembly>();

        public static IEnumerable<Type> Types()
        {
            foreach (Assembly assembly in Assemblies)
                foreach (Type type in assembly.GetTypes())
                    yield return type;
        }

        public static IEnumerable<MethodInfo> Methods<T>() where T : Attribute
        {
            foreach (Type type in Types())
                if (!type.ContainsGenericParameters)
                    foreach (MethodInfo method in type.GetMethods(anyStatic))
                        if (method.IsDefined(typeof(T), false))
                            yield return method;
        }

        /// <summary>Run [InitializeOnLoad], [InitializeOnLoadMethod] and [DidReloadScripts], in this
        /// order.</summary>
        public static void Run()
        {
            foreach (Type type in Types())
                if (type.IsDefined(typeof(InitializeOnLoadAttribute), false) && !type.ContainsGenericParameters)
                    EditorLoop.Guarded(() => Construct(type));
            Call<InitializeOnLoadMethodAttribute>();
            Call<DidReloadScripts>();
        }

        public static void Call<T>() where T : Attribute
        {
            foreach (MethodInfo method in Methods<T>())
                EditorLoop.Guarded(() => Invoke(method));
        }

        static void Construct(Type type)
        {
            try
            {
                RuntimeHelpers.RunClassConstructor(type.TypeHandle);
            }
            catch (TypeInitializationException e)
            {
                throw e.InnerException ?? e;
            }
        }

        public static object Invoke(MethodInfo method)
        {
            try
            {
                return method.Invoke(null, new object[method.GetParameters().Length]);
            }
            catch (TargetInvocationException e)
            {
                UnityEngine.Debug.LogException(e.InnerException);
                return null;
            }
        }
    }
}
