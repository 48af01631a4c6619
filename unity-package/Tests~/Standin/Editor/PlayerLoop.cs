using System.Collections.Generic;
using UnityEngine;

namespace Standin
{
    /// <summary>
    /// Runs scripts in play mode: Awake and OnEnable at the start, Start before the first Update;
    /// then Update, LateUpdate and coroutines in each update that is not paused. OnDisable and
    /// OnDestroy run when the scene is closed.
    /// </summary>
    internal static class PlayerLoop
    {
        static readonly HashSet<MonoBehaviour> started = new HashSet<MonoBehaviour>();
        static double last;

        public static void Begin()
        {
            Time.seconds = 0;
            Time.frames = 0;
            last = EditorLoop.SecondsSinceStartup;
            started.Clear();
            foreach (MonoBehaviour script in Active())
            {
                Messages.Send(script, "Awake");
                Messages.Send(script, "OnEnable");
            }
        }

        /// <summary>Continue after a domain reload in play mode: only OnEnable, no Awake or
        /// Start.</summary>
        public static void Resume()
        {
            last = EditorLoop.SecondsSinceStartup;
            foreach (MonoBehaviour script in Active())
            {
                started.Add(script);
                Messages.Send(script, "OnEnable");
            }
        }

        public static void End()
        {
            started.Clear();
            Coroutine.Clear();
        }

        public static void Advance()
        {
            double now = EditorLoop.SecondsSinceStartup;
            var seconds = (float)(now - last);
            last = now;
            if (HostState.IsPlaying && (!HostState.IsPaused || EditorLoop.StepAsked))
                Frame(seconds);
            EditorLoop.StepAsked = false;
            Destruction.EndOfFrame(seconds);
        }

        static void Frame(float seconds)
        {
            Time.frameSeconds = seconds;
            Time.seconds += Time.deltaTime;
            Time.frames++;
            List<MonoBehaviour> active = Active();
            foreach (MonoBehaviour script in active)
                if (script != null && started.Add(script))
                    Messages.Send(script, "Start");
            Send(active, "Update");
            Coroutine.AdvanceAll(Time.deltaTime);
            Send(active, "LateUpdate");
        }

        /* A script may have destroyed another one. */
        static void Send(List<MonoBehaviour> scripts, string message)
        {
            foreach (MonoBehaviour script in scripts)
                if (script != null)
                    Messages.Send(script, message);
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
    }
}
