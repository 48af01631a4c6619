using System;
using System.Collections.Generic;
using System.Threading;

namespace Standin
{
    /// <summary>
    /// The main thread's SynchronizationContext, like Unity's: posted work runs in the next update,
    /// and work posted by it in the update after that. Send from the main thread runs at once.
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

        /// <summary>Run everything posted so far; an exception does not stop the others.</summary>
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
