using System;
using System.Collections.Generic;

namespace Multiverse.Editor
{
    /// <summary>
    /// Calls that were received and have not begun, in order. A call begins only while its server
    /// is connected. A call of an earlier connection waits for that server's resume and is dropped
    /// if the resume does not name it, so no call runs that nobody waits for. Main thread only.
    /// </summary>
    public sealed class CallQueue
    {
        /// <summary>A limit for servers that send more than one call at a time.</summary>
        public const int Most = 64;

        readonly List<Call> calls = new List<Call>();

        public int Count { get { return calls.Count; } }

        public void Add(Call call) { calls.Add(call); }

        public bool HasNext(int epoch) { return epoch != 0 && calls.Count > 0 && calls[0].Epoch == epoch; }

        /// <summary>Return the next call that may begin on this connection, or null.</summary>
        public Call Next(int epoch)
        {
            if (!HasNext(epoch))
                return null;
            Call next = calls[0];
            calls.RemoveAt(0);
            return next;
        }

        /// <summary>Return the call with this request id, or null.</summary>
        public Call Find(string requestId)
        {
            foreach (Call call in calls)
                if (string.Equals(call.RequestId, requestId, StringComparison.Ordinal))
                    return call;
            return null;
        }

        /// <summary>Return the call of this job, or null.</summary>
        public Call FindJob(string jobId)
        {
            foreach (Call call in calls)
                if (string.Equals(call.JobId, jobId, StringComparison.Ordinal))
                    return call;
            return null;
        }

        public void Remove(Call call) { calls.Remove(call); }

        /// <summary>Drop the calls of other connections, after the server's resume.</summary>
        public void DropOthers(int epoch) { calls.RemoveAll(call => call.Epoch != epoch); }

        public void Write(JsonWriter w)
        {
            w.BeginArray();
            foreach (Call call in calls)
                call.Write(w, "");
            w.EndArray();
        }

        public void Read(JsonValue saved)
        {
            foreach (JsonValue item in saved.Items)
                calls.Add(Call.Read(item));
        }
    }
}
