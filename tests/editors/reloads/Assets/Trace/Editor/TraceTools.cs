using Multiverse.Editor;
using UnityEditor;

namespace Multiverse.Trace
{
    /// <summary>
    /// Puts a traced tool in the place of each tool of the package: at once, and again at the first
    /// update for those that another assembly adds. That update is noted as the begin of the domain.
    /// </summary>
    [InitializeOnLoad]
    public static class TraceTools
    {
        static TraceTools()
        {
            if (!Trace.IsOn)
                return;
            Replace();
            EditorApplication.update += FirstUpdate;
        }

        static void FirstUpdate()
        {
            EditorApplication.update -= FirstUpdate;
            Trace.Write("domain");
            Replace();
        }

        static void Replace()
        {
            foreach (string name in Toolbox.Names())
            {
                Tool tool = Toolbox.Find(name);
                JobTool job = Toolbox.FindJob(name);
                if (tool != null && !(tool is TracedTool))
                    Toolbox.Add(new TracedTool(tool));
                if (job != null && !(job is TracedJobTool))
                    Toolbox.Add(new TracedJobTool(job));
            }
        }
    }
}
