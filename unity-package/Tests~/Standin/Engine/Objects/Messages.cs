using System;
using System.Collections.Generic;
using System.Reflection;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>
    /// Calls what Unity calls by name: Awake, OnValidate, Reset ... An exception goes to the console, as in
    /// Unity.
    /// </summary>
    internal static class Messages
    {
        static readonly Dictionary<Type, Dictionary<string, MethodInfo>> known =
            new Dictionary<Type, Dictionary<string, MethodInfo>>();

        /// <summary>False: the class has no such method.</summary>
        public static bool Send(Object target, string name)
        {
            var script = target as MonoBehaviour;
            if ((object)script != null && name == "Awake")
                script.isAwake = true;
            MethodInfo method = Find(target.GetType(), name);
            if (method == null)
                return false;
            try
            {
                method.Invoke(target, null);
            }
            catch (TargetInvocationException e)
            {
                Debug.LogException(e.InnerException, target);
            }
            return true;
        }

        /// <summary>Runs outside of play mode, too: [ExecuteInEditMode] or [ExecuteAlways].</summary>
        public static bool RunsInEditMode(Type type)
        {
            return type.IsDefined(typeof(ExecuteInEditMode), true) || type.IsDefined(typeof(ExecuteAlways), true);
        }

        /// <summary>A message that scripts get only while they run.</summary>
        public static void SendIfRunning(Object target, string name)
        {
            if (Hooks.IsPlaying() || RunsInEditMode(target.GetType()))
                Send(target, name);
        }

        /// <summary>The method without parameters, also a private one of a base class; null: there is none.</summary>
        public static MethodInfo Find(Type type, string name)
        {
            Dictionary<string, MethodInfo> methods;
            MethodInfo method;
            if (!known.TryGetValue(type, out methods))
                known.Add(type, methods = new Dictionary<string, MethodInfo>());
            if (methods.TryGetValue(name, out method))
                return method;
            for (Type t = type; t != null && t != typeof(Object) && method == null; t = t.BaseType)
                method = t.GetMethod(name, BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic
                    | BindingFlags.DeclaredOnly, null, Type.EmptyTypes, null);
            methods.Add(name, method);
            return method;
        }
    }
}
