namespace Multiverse.Editor
{
    public enum JobState { Queued, Running, Succeeded, Failed, Timeout, Cancelled }

    /// <summary>
    /// A job of this editor, created by <see cref="JobStore"/>, which keeps it across domain
    /// reloads and sends every change to the server. Main thread only. The final state never
    /// changes: later calls are ignored.
    /// </summary>
    public sealed class Job
    {
        public readonly string Id;
        public readonly string Tool;
        public JobState State { get; private set; }
        public bool HasProgress { get; private set; }
        public int Done { get; private set; }
        public int Total { get; private set; }
        public string Current { get; private set; }
        /// <summary>A JSON object after success, otherwise null.</summary>
        public string ResultJson { get; private set; }
        /// <summary>Error code and message after a failure, otherwise null.</summary>
        public string ErrorCode { get; private set; }
        public string ErrorMessage { get; private set; }
        /// <summary>Any text that the tool needs after a domain reload.</summary>
        public string Memo = "";

        /// <summary>When the job is cancelled even without a request, in time of the Clock.</summary>
        internal long DeadlineMs = long.MaxValue;
        /// <summary>The tool was asked to stop because of the deadline.</summary>
        internal bool IsOverdue;
        /// <summary>The connection whose server knows the job; 0: none yet.</summary>
        internal int Epoch;
        /// <summary>There is progress that was not sent yet.</summary>
        internal bool HasUnsentProgress;

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
            HasProgress = true;
            Done = done;
            Total = total;
            Current = current;
            JobStore.OnProgress(this);
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
            JobStore.OnStateChanged(this);
        }

        internal void Write(JsonWriter w)
        {
            w.BeginObject();
            w.Member("id", Id);
            w.Member("tool", Tool);
            w.Member("state", (int)State);
            w.Member("memo", Memo);
            w.Member("deadline", DeadlineMs);
            if (HasProgress)
            {
                w.Member("done", Done);
                w.Member("total", Total);
                w.Member("current", Current);
            }
            if (ResultJson != null)
                w.Member("result", ResultJson);
            if (ErrorCode != null)
            {
                w.Member("code", ErrorCode);
                w.Member("message", ErrorMessage);
            }
            w.EndObject();
        }

        internal static Job Read(JsonValue saved)
        {
            return new Job(saved.GetString("id", ""), saved.GetString("tool", ""))
            {
                State = (JobState)saved.GetLong("state", 0),
                Memo = saved.GetString("memo", ""),
                DeadlineMs = saved.GetLong("deadline", long.MaxValue),
                HasProgress = saved.Has("done"),
                Done = (int)saved.GetLong("done", 0),
                Total = (int)saved.GetLong("total", 0),
                Current = saved.GetString("current", null),
                ResultJson = saved.GetString("result", null),
                ErrorCode = saved.GetString("code", null),
                ErrorMessage = saved.GetString("message", null),
            };
        }
    }
}
