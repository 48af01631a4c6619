namespace Multiverse.Editor
{
    /// <summary>
    /// A tool whose work continues after its answer (run_tests). Main thread only. The <see
    /// cref="Job"/> is kept in <see cref="JobStore"/>, which survives domain reloads; the tool
    /// reports to the job and the store sends it to the server.
    /// </summary>
    public abstract class JobTool
    {
        public abstract string Name { get; }

        /// <summary>Begin the work and return. Throw ToolError to reject the job. Report through
        /// job.Start, job.Progress, job.Succeed, job.Fail and job.Cancelled, now or in later
        /// callbacks.</summary>
        public abstract void Begin(Job job, JsonValue arguments);

        /// <summary>Ask the work to stop. False: it cannot be stopped (cancel_result rejected). True:
        /// job.Cancelled follows.</summary>
        public abstract bool Cancel(Job job);

        /// <summary>Continue a job that was running before a domain reload, or call job.Fail if its
        /// work is lost.</summary>
        public abstract void Continue(Job job);
    }
}
