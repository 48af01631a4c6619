using System;
using System.Collections.Generic;
using System.Reflection;
using UnityEngine;

namespace Standin
{
    /// <summary>
    /// Scripts at play: Awake and OnEnable, Start before the first Update, Update and LateUpdate in each
    /// update that is not paused, OnDisable and OnDestroy at the end. Coroutines are not run here.
    /// </summary>
    internal static class PlayerLoop
    {
        const BindingFlags any = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic |
                                 BindingFlags.DeclaredOnly;

        static readonly HashSet<MonoBehaviour> awake = new HashSet<MonoBehaviour>();
        static readonly HashSet<MonoBehaviour> started = new HashSet<MonoBehaviour>();

        public static void Begin()
        {
            awake.Clear();
            started.Clear();
            WakeUp();
        }

        /// <summary>After a domain reload while playing: no Awake, no Start, but OnEnable.</summary>
        public static void Resume()
        {
            foreach (MonoBehaviour script in Active())
            {
                awake.Add(script);
                started.Add(script);
                Send(script, "OnEnable");
            }
        }

        public static void Advance()
        {
            if (!HostState.IsPlaying || HostState.IsPaused && !EditorLoop.StepAsked)
                return;
            EditorLoop.StepAsked = false;
            WakeUp();
            List<MonoBehaviour> active = Active();
            foreach (MonoBehaviour script in active)
                if (started.Add(script))
                    Send(script, "Start");
            foreach (MonoBehaviour script in active)
                Send(script, "Update");
            foreach (MonoBehaviour script in active)
                Send(script, "LateUpdate");
        }

        public static void End()
        {
            foreach (MonoBehaviour script in Active())
                Send(script, "OnDisable");
            foreach (MonoBehaviour script in awake)
                if (script != null)
                    Send(script, "OnDestroy");
            awake.Clear();
            started.Clear();
        }

        /* Also what was added while playing. */
        static void WakeUp()
        {
            foreach (MonoBehaviour script in Active())
            {
                if (!awake.Add(script))
                    continue;
                Send(script, "Awake");
                Send(script, "OnEnable");
            }
        }

        static List<MonoBehaviour> Active()
        {
            var found = new List<MonoBehaviour>();
            foreach (SceneData scene in SceneData.All)
                if (!scene.IsPreview && scene.IsLoaded)
                    foreach (Transform root in scene.Roots)
                        foreach (MonoBehaviour script in root.gameObject.GetComponentsInChildren<MonoBehaviour>(false))
                            if (script != null && script.enabled)
                                found.Add(script);
            return found;
        }

        static void Send(MonoBehaviour script, string message)
        {
            for (Type type = script.GetType(); type != null && type != typeof(MonoBehaviour); type = type.BaseType)
            {
                MethodInfo method = type.GetMethod(message, any, null, Type.EmptyTypes, null);
                if (method == null)
                    continue;
                Call(script, method);
                return;
            }
        }

        static void Call(MonoBehaviour script, MethodInfo method)
        {
            if (script == null)
                return;
            try
            {
                method.Invoke(script, null);
            }
            catch (TargetInvocationException e)
            {
                Debug.LogException(e.InnerException, script);
            }
        }
    }
}
