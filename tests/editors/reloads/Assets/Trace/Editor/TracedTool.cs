using System.Collections.Generic;
using Multiverse.Editor;

namespace Multiverse.Trace
{
    /// <summary>A tool of the package that records its begin and its end.</summary>
    public sealed class TracedTool : Tool
    {
        readonly Tool inner;

        public TracedTool(Tool inner) { this.inner = inner; }

        public override string Name { get { return inner.Name; } }
        public override bool OutlivesReload { get { return inner.OutlivesReload; } }

        public override IEnumerator<Pause> Run(ToolCall call)
        {
            return Noted(call, "begin", inner.Run(call));
        }

        public override IEnumerator<Pause> Continue(ToolCall call)
        {
            IEnumerator<Pause> rest = inner.Continue(call);
            return rest == null ? null : Noted(call, "continue", rest);
        }

        IEnumerator<Pause> Noted(ToolCall call, string what, IEnumerator<Pause> steps)
        {
            Trace.Write(what, "request_id", call.RequestId, "tool", Name);
            string end = "refused";
            try
            {
                while (steps.MoveNext())
                    yield return steps.Current;
                end = "done";
            }
            finally
            {
                Trace.Write(end, "request_id", call.RequestId, "tool", Name);
            }
        }
    }
}
