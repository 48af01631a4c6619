using System;
using System.Collections.Generic;
using System.Reflection;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>
    /// Calls the methods that Unity calls by name: Awake, OnValidate, Reset and others. Exceptions
    /// are logged to the console, as in Unity.
    /// </summary>
    internal static class Messages
    {
        static readonly Dictionary<Type, Dictionary<string, MethodInfo>> known =
            new Dictionary<Type, Dictionary<string, MethodInfo>>();

        /// <summary>Call a method; return false if the class does not have it.</summary>
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

        /// <summary>Whether it also runs outside play mode: [ExecuteInEditMode] or
        /// [ExecuteAlways].</summary>
        public static bool RunsInEditMode(Type type)
        {
            return type.IsDefined(typeof(ExecuteInEditMode), true) || type.IsDefined(typeof(ExecuteAlways), true);
        }

        /// <summary>Send a message that scripts receive only while they run.</summary>
        public static void SendIfRunning(Object target, string name)
        {
            if (Hooks.IsPlaying() || RunsInEditMode(target.GetType()))
                Send(target, name);
        }

        /// <summary>Return the method without parameters, also a private one of a base class, or
        /// null.</summary>
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
