using System;
using UnityEditor;

namespace Standin
{
    /// <summary>
    /// A domain reload is a new process: statics, threads and sockets are gone for certain. Before it
    /// beforeAssemblyReload is raised, then the host keeps what Unity keeps and ends the process; the
    /// next one brings it back and raises afterAssemblyReload.
    /// </summary>
    internal static class DomainReload
    {
        static bool asked;

        /// <summary>Keeps what survives and ends this process. Set by the host.</summary>
        public static Action Perform = () => { };
        /// <summary>Reloads of this editor so far.</summary>
        public static int Count { get; set; }

        /// <summary>It comes with the end of this update.</summary>
        public static bool IsDue { get { return asked && EditorLoop.ReloadLocks == 0 && !Compilation.IsAsked; } }

        public static void Request() { asked = true; }

        public static void Advance()
        {
            if (!IsDue)
                return;
            asked = false;
            HostState.IsCompiling = true;
            AssemblyReloadEvents.CallBefore();
            Perform();
        }
    }
}
