using System.Collections.Generic;
using Standin;
using UnityEditor;

namespace Multiverse.Editor
{
    /// <summary>
    /// Replaces every tool by a <see cref="TracedTool"/>, so that each executed call is in the
    /// stand-in's trace, with its request id. Loaded after the package, before the project's
    /// scripts.
    /// </summary>
    [InitializeOnLoad]
    static class TracedTools
    {
        static TracedTools()
        {
            foreach (string name in Toolbox.Names())
            {
                Tool tool = Toolbox.Find(name);
                JobTool job = Toolbox.FindJob(name);
                if (tool != null)
                    Toolbox.Add(new TracedTool(tool));
                else if (job != null)
                    Toolbox.Add(new TracedJob(job));
            }
        }
    }

    sealed class TracedTool : Tool
    {
        readonly Tool tool;

        public TracedTool(Tool tool) { this.tool = tool; }

        public override string Name { get { return tool.Name; } }
        public override bool OutlivesReload { get { return tool.OutlivesReload; } }

        public override IEnumerator<Pause> Run(ToolCall call) { return Traced("call", call, tool.Run(call)); }

        public override IEnumerator<Pause> Continue(ToolCall call)
        {
            IEnumerator<Pause> rest = tool.Continue(call);
            return rest == null ? null : Traced("continued call", call, rest);
        }

        /* Written when the tool really begins, not when its enumerator is created. */
        IEnumerator<Pause> Traced(string kind, ToolCall call, IEnumerator<Pause> steps)
        {
            Trace.Add(kind, Name, call.RequestId);
            while (steps.MoveNext())
                yield return steps.Current;
        }
    }

    sealed class TracedJob : JobTool
    {
        readonly JobTool tool;

        public TracedJob(JobTool tool) { this.tool = tool; }

        public override string Name { get { return tool.Name; } }

        public override void Begin(Job job, JsonValue arguments)
        {
            Trace.Add("job", Name, job.Id);
            tool.Begin(job, arguments);
        }

        public override bool Cancel(Job job) { return tool.Cancel(job); }

        public override void Continue(Job job)
        {
            Trace.Add("continued job", Name, job.Id);
            tool.Continue(job);
        }
    }
}
