using System;
using System.Collections.Generic;

namespace Multiverse.Editor
{
    /// <summary>
    /// Calls that were received and have not begun, in order. A call begins only while the server that
    /// waits for it is connected: one from an earlier connection waits until that server has said in
    /// its resume that it still wants it, and is dropped if it does not. So nothing is done that
    /// nobody waits for any more. Main thread only.
    /// </summary>
    public sealed class CallQueue
    {
        /// <summary>Servers send one call at a time; this is for one that does not.</summary>
        public const int Most = 64;

        readonly List<Call> calls = new List<Call>();

        public int Count { get { return calls.Count; } }

        public void Add(Call call) { calls.Add(call); }

        public bool HasNext(int epoch) { return epoch != 0 && calls.Count > 0 && calls[0].Epoch == epoch; }

        /// <summary>null: there is none to begin now.</summary>
        public Call Next(int epoch)
        {
            if (!HasNext(epoch))
                return null;
            Call next = calls[0];
            calls.RemoveAt(0);
            return next;
        }

        /// <summary>null: there is none of that id.</summary>
        public Call Find(string requestId)
        {
            foreach (Call call in calls)
                if (string.Equals(call.RequestId, requestId, StringComparison.Ordinal))
                    return call;
            return null;
        }

        /// <summary>null: there is none of that job.</summary>
        public Call FindJob(string jobId)
        {
            foreach (Call call in calls)
                if (string.Equals(call.JobId, jobId, StringComparison.Ordinal))
                    return call;
            return null;
        }

        public void Remove(Call call) { calls.Remove(call); }

        /// <summary>The server of this connection has said what it waits for.</summary>
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
