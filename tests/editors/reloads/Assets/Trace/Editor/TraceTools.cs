using System.Collections.Generic;
using Multiverse.Editor;
using UnityEditor;

namespace Multiverse.Trace
{
    /// <summary>
    /// Replaces each tool of the package by a traced one: at once, and again at the first update for
    /// those that another assembly adds. Also records that update and the end of the domain.
    /// </summary>
    [InitializeOnLoad]
    public static class TraceTools
    {
        static readonly HashSet<string> replaced = new HashSet<string>();

        static TraceTools()
        {
            if (!Trace.IsOn)
                return;
            Replace();
            EditorApplication.update += FirstUpdate;
            AssemblyReloadEvents.beforeAssemblyReload += End;
        }

        static void End() { Trace.Write("domain ends"); }

        static void FirstUpdate()
        {
            EditorApplication.update -= FirstUpdate;
            Trace.Write("domain");
            Replace();
        }

        /* Each once: who else takes its place keeps it inside. */
        static void Replace()
        {
            foreach (string name in Toolbox.Names())
            {
                if (!replaced.Add(name))
                    continue;
                Tool tool = Toolbox.Find(name);
                if (tool != null)
                    Toolbox.Add(new TracedTool(tool));
                else
                    Toolbox.Add(new TracedJobTool(Toolbox.FindJob(name)));
            }
        }
    }
}
