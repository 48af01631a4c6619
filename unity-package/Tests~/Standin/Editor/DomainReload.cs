using System;
using UnityEditor;

namespace Standin
{
    /// <summary>
    /// A domain reload is a new process, so statics, threads and sockets are certainly lost.
    /// beforeAssemblyReload is raised, then the host saves what Unity keeps and ends the process;
    /// the next one restores it and raises afterAssemblyReload.
    /// </summary>
    internal static class DomainReload
    {
        static bool asked;

        /// <summary>Save the state and end this process. Set by the host.</summary>
        public static Action Perform = () => { };
        /// <summary>The number of reloads of this editor.</summary>
        public static int Count { get; set; }

        /// <summary>Whether a reload follows this update.</summary>
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
