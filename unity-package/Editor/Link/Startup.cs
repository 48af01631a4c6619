using System;
using UnityEditor;
using UnityEngine;

namespace Multiverse.Editor
{
    /// <summary>
    /// The package's entry point in each domain: opens the <see cref="Link"/> and connects it to
    /// the editor's events. No exception of the package reaches Unity's loop. Nothing runs in batch
    /// mode or in Unity's helper processes, which open the same project.
    /// </summary>
    [InitializeOnLoad]
    public static class Startup
    {
        static Startup()
        {
            if (!Application.isBatchMode && !Compat.IsHelperProcess())
                Guard(Open);
        }

        static void Open()
        {
            Link.Open();
            EditorApplication.update += OnUpdate;
            EditorApplication.quitting += () => Guard(Link.Current.OnQuit);
            AssemblyReloadEvents.beforeAssemblyReload += () => Guard(Link.Current.OnReload);
            /* If another handler of beforeAssemblyReload throws, ours is not called, but the
               thread must end. This may not be the main thread, so OnUnload must not use Unity's
               API. */
            AppDomain.CurrentDomain.DomainUnload += (sender, e) => Link.Current.OnUnload();
        }

        static void OnUpdate() { Guard(onUpdate); }
        static readonly Action onUpdate = () => Link.Current.OnUpdate();

        /// <summary>Run the action and log an exception once.</summary>
        public static void Guard(Action action)
        {
            try
            {
                action();
            }
            catch (ExitGUIException)
            {
                throw; /* no error: Unity ends the drawing of a page with it */
            }
            catch (Exception e)
            {
                LogError(e);
            }
        }

        static void LogError(Exception e)
        {
            try { Notices.LogException(e); }
            catch (Exception) { /* a domain that goes down may have no console any more */ }
        }
    }
}
