using Multiverse.Editor;

namespace Multiverse.Trace
{
    /// <summary>A tool with jobs that records which ones it begins, cancels and resumes.</summary>
    public sealed class TracedJobTool : JobTool
    {
        readonly JobTool inner;

        public TracedJobTool(JobTool inner) { this.inner = inner; }

        public override string Name { get { return inner.Name; } }

        public override void Begin(Job job, JsonValue arguments)
        {
            Trace.Write("job", "job_id", job.Id);
            inner.Begin(job, arguments);
            Trace.Write("job begun", "job_id", job.Id);
        }

        public override bool Cancel(Job job)
        {
            Trace.Write("job cancel", "job_id", job.Id);
            return inner.Cancel(job);
        }

        public override void Continue(Job job)
        {
            Trace.Write("job continue", "job_id", job.Id);
            inner.Continue(job);
        }
    }
}
