using System;
using System.Collections.Generic;
using System.Threading;

namespace Standin
{
    /// <summary>
    /// The SynchronizationContext of the main thread, as Unity's: what is posted runs in the next
    /// update; what is posted by that runs in the one after it. Send from the main thread runs at once.
    /// </summary>
    internal sealed class MainThreadContext : SynchronizationContext
    {
        struct Work
        {
            public SendOrPostCallback Callback;
            public object State;
            public ManualResetEvent Done;
        }

        readonly object gate = new object();
        List<Work> coming = new List<Work>();
        List<Work> running = new List<Work>();

        public override void Post(SendOrPostCallback d, object state) { Add(d, state, null); }

        public override void Send(SendOrPostCallback d, object state)
        {
            if (HostState.OnMainThread)
            {
                d(state);
                return;
            }
            using (var done = new ManualResetEvent(false))
            {
                Add(d, state, done);
                done.WaitOne();
            }
        }

        public override SynchronizationContext CreateCopy() { return this; }

        void Add(SendOrPostCallback callback, object state, ManualResetEvent done)
        {
            lock (gate)
                coming.Add(new Work { Callback = callback, State = state, Done = done });
        }

        /// <summary>Everything that was posted so far; an exception of one does not stop the others.</summary>
        public void Run()
        {
            lock (gate)
            {
                if (coming.Count == 0)
                    return;
                List<Work> due = coming;
                coming = running;
                running = due;
            }
            for (int i = 0; i < running.Count; i++)
                Run(running[i]);
            running.Clear();
        }

        static void Run(Work work)
        {
            try
            {
                work.Callback(work.State);
            }
            catch (Exception e)
            {
                UnityEngine.Debug.LogException(e);
            }
            finally
            {
                if (work.Done != null)
                    work.Done.Set();
            }
        }
    }
}
