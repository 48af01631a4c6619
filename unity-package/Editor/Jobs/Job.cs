namespace Multiverse.Editor
{
    public enum JobState { Queued, Running, Succeeded, Failed, Timeout, Cancelled }

    /// <summary>
    /// A job of this editor; made by <see cref="JobStore"/>, which keeps it across domain reloads and
    /// tells the server of every change. Main thread only. An end is final: what comes after it is
    /// dropped.
    /// </summary>
    public sealed class Job
    {
        public readonly string Id;
        public readonly string Tool;
        public JobState State { get; private set; }
        public int Done { get; private set; }
        public int Total { get; private set; }
        public string Current { get; private set; }
        /// <summary>A JSON object once it has succeeded, else null.</summary>
        public string ResultJson { get; private set; }
        /// <summary>Code and words once it has failed, else null.</summary>
        public string ErrorCode { get; private set; }
        public string ErrorMessage { get; private set; }
        /// <summary>What the tool wants to find again after a domain reload; any text.</summary>
        public string Memo = "";

        internal Job(string id, string tool)
        {
            Id = id;
            Tool = tool;
            State = JobState.Queued;
        }

        public bool IsOver { get { return State >= JobState.Succeeded; } }

        public void Start() { Become(JobState.Running); }

        public void Progress(int done, int total, string current)
        {
            if (IsOver)
                return;
            Done = done;
            Total = total;
            Current = current;
            JobStore.Changed(this);
        }

        public void Succeed(string resultJson)
        {
            if (!IsOver)
                ResultJson = resultJson;
            Become(JobState.Succeeded);
        }

        public void Fail(string code, string message)
        {
            if (!IsOver)
            {
                ErrorCode = code;
                ErrorMessage = message;
            }
            Become(JobState.Failed);
        }

        public void Cancelled() { Become(JobState.Cancelled); }

        void Become(JobState next)
        {
            if (IsOver || State == next)
                return;
            State = next;
            JobStore.Changed(this);
        }
    }
}
