using System;
using UnityEditor;
using UnityEngine;

namespace Multiverse.Editor
{
    /// <summary>
    /// Where the package begins, in each domain: opens the <see cref="Link"/> and gives it the editor's
    /// events. No exception of the package gets into Unity's loop. Nothing happens in batch mode and in
    /// the helper processes of Unity, which have the project open, too, and nobody in front of them.
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
            /* If another handler of that event throws, ours is not called any more; the thread must
             * end in any case. Not Unity's main thread: nothing of Unity may be asked here. */
            AppDomain.CurrentDomain.DomainUnload += (sender, e) => Link.Current.OnUnload();
        }

        static void OnUpdate() { Guard(onUpdate); }
        static readonly Action onUpdate = () => Link.Current.OnUpdate();

        /// <summary>Runs it; whatever it throws is told once.</summary>
        public static void Guard(Action action)
        {
            try
            {
                action();
            }
            catch (ExitGUIException)
            {
                throw; /* no fault: Unity's way to end the drawing of a page */
            }
            catch (Exception e)
            {
                Tell(e);
            }
        }

        static void Tell(Exception e)
        {
            try { Notices.Fault(e); }
            catch (Exception) { /* a domain that goes down may have no console any more */ }
        }
    }
}
