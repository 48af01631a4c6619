namespace Multiverse.Editor
{
    /// <summary>A call of the server: execute, or submit_job if it has a JobId. Main thread only.</summary>
    public sealed class Call
    {
        public readonly string RequestId;
        /// <summary>null unless the call is a job.</summary>
        public readonly string JobId;
        public readonly string Tool;
        public readonly JsonValue Arguments;
        public readonly long TimeoutMs;
        /// <summary>When the server stops waiting, in time of the Clock.</summary>
        public readonly long DeadlineMs;
        /// <summary>The connection whose server waits for the answer; 0: unknown after a domain
        /// reload.</summary>
        public int Epoch;

        public Call(string requestId, string jobId, string tool, JsonValue arguments, long timeoutMs, long deadlineMs)
        {
            RequestId = requestId;
            JobId = jobId;
            Tool = tool;
            Arguments = arguments;
            TimeoutMs = timeoutMs;
            DeadlineMs = deadlineMs;
        }

        /// <summary>Parse an execute or submit_job message. Return null if a required member is
        /// missing.</summary>
        public static Call FromMessage(JsonValue message, bool isJob, long receivedMs)
        {
            string requestId = message.GetString("request_id", ""), tool = message.GetString("tool_name", "");
            string jobId = isJob ? message.GetString("job_id", "") : null;
            if (requestId.Length == 0 || tool.Length == 0 || (isJob && jobId.Length == 0))
                return null;
            long timeoutMs = message.GetLong("timeout_ms", 0);
            long deadlineMs = timeoutMs > 0 ? receivedMs + timeoutMs : long.MaxValue;
            return new Call(requestId, jobId, tool, message.Get("params"), timeoutMs, deadlineMs);
        }

        public void Write(JsonWriter w, string memo)
        {
            w.BeginObject();
            w.Member("request_id", RequestId);
            if (JobId != null)
                w.Member("job_id", JobId);
            w.Member("tool", Tool);
            w.Key("arguments");
            w.Value(Arguments);
            w.Member("timeout", TimeoutMs);
            w.Member("deadline", DeadlineMs);
            w.Member("memo", memo);
            w.EndObject();
        }

        public static Call Read(JsonValue saved)
        {
            return new Call(saved.GetString("request_id", ""), saved.GetString("job_id", null),
                            saved.GetString("tool", ""), saved.Get("arguments"), saved.GetLong("timeout", 0),
                            saved.GetLong("deadline", long.MaxValue));
        }
    }
}
