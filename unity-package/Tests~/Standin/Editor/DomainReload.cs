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
        public static int Count;

        public static void Request() { asked = true; }

        public static void Advance()
        {
            if (!asked || EditorLoop.ReloadLocks > 0)
                return;
            asked = false;
            HostState.IsCompiling = true;
            AssemblyReloadEvents.CallBefore();
            Perform();
        }
    }
}
