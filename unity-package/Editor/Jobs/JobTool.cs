namespace Multiverse.Editor
{
    /// <summary>
    /// A tool whose work goes on after its answer (run_tests). All on the main thread. The job itself
    /// is a <see cref="Job"/> in <see cref="JobStore"/>, which survives domain reloads; the tool tells
    /// it what happens and the store tells the server.
    /// </summary>
    public abstract class JobTool
    {
        public abstract string Name { get; }

        /// <summary>Begins the work and returns; throws ToolError where it cannot begin: the job is
        /// then rejected. News goes to job.Start, job.Progress, job.Succeed, job.Fail, job.Cancelled,
        /// from here or from later callbacks.</summary>
        public abstract void Begin(Job job, JsonValue arguments);

        /// <summary>Asks the work to stop. False: it cannot be stopped (cancel_result rejected).
        /// True: it is on its way; the end comes as job.Cancelled.</summary>
        public abstract bool Cancel(Job job);

        /// <summary>A job of this tool that was at work before a domain reload: take it up, or say
        /// job.Fail if its work is lost.</summary>
        public abstract void Continue(Job job);
    }
}
