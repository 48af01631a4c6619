using System;
using System.Collections.Generic;
using System.Threading;
using UnityEditor;

namespace Multiverse.Editor.Tests
{
    /// <summary>
    /// A session with its wire, and a fake server on another thread. Play updates the session on
    /// this thread until the server's part has ended. Reload does to both what a domain reload
    /// does.
    /// <code>
    ///     harness.Play(c => { c.Welcome(); c.Send(...); c.Read("result"); harness.OnMain(harness.Reload); });
    /// </code>
    /// </summary>
    public sealed class SessionHarness : IDisposable
    {
        public readonly FakeServer Server = new FakeServer();
        public Session Session;
        public Wire Wire;
        public readonly List<string> Refusals = new List<string>();

        readonly AutoResetEvent woken = new AutoResetEvent(false);
        readonly EditorWatch watch = new EditorWatch();
        volatile Action job;
        readonly AutoResetEvent jobIsDone = new AutoResetEvent(false);
        Exception jobFault;

        public SessionHarness()
        {
            SessionState.EraseString("Multiverse.Jobs"); /* left by other tests */
            JobStore.Load();
            Begin();
        }

        void Begin()
        {
            Session = new Session(watch, hello => { }, refusal => Refusals.Add(refusal.Reason));
            Wire = new Wire(new WireOptions
            {
                Port = Server.Port,
                Editor = new EditorIdentity("instance", "session", "/p", "2022.3.1f1"),
                Wake = () => woken.Set(),
            }, new Snapshot(EditorState.Reloading, null, false, false, false, 1, 0));
        }

        public void Start()
        {
            Session.Use(Wire);
            Wire.Start();
        }

        public void Reload()
        {
            Session.CloseForReload();
            JobStore.SaveWork();
            string saved = Session.Save();
            JobStore.Load();
            Begin();
            Session.Load(saved);
            Start();
        }

        /// <summary>Handle one connection of the server after the other.</summary>
        public void Play(params Action<FakeConnection>[] connections)
        {
            Exception error = null;
            var thread = new Thread(() =>
            {
                try
                {
                    foreach (Action<FakeConnection> script in connections)
                        using (FakeConnection c = Server.Accept())
                            script(c);
                }
                catch (Exception e)
                {
                    error = e;
                }
            });
            thread.Start();
            while (!thread.Join(0))
                Turn();
            if (error != null)
                throw new Exception("the server's part: " + error.Message, error);
        }

        /// <summary>Called on the server's thread: run the action between two updates and wait for
        /// it.</summary>
        public void OnMain(Action action)
        {
            job = action;
            woken.Set();
            jobIsDone.WaitOne();
            if (jobFault != null)
                throw jobFault;
        }

        public void Turn()
        {
            Session.Update();
            Action todo = job;
            if (todo != null)
            {
                job = null;
                try { todo(); }
                catch (Exception e) { jobFault = e; }
                jobIsDone.Set();
            }
            woken.WaitOne(1);
        }

        public void Dispose()
        {
            Session.Disconnect("the test is over");
            JobStore.Push = null;
            Server.Dispose();
        }

        public static string Execute(string id, string tool, string arguments = "{}", int timeoutMs = 30000)
        {
            return "{\"type\":\"execute\",\"protocol_version\":1,\"request_id\":\"" + id + "\",\"tool_name\":\"" +
                   tool + "\",\"params\":" + arguments + ",\"timeout_ms\":" + timeoutMs + "}";
        }

        public static string Submit(string id, string jobId, string tool, int timeoutMs = 30000)
        {
            return "{\"type\":\"submit_job\",\"protocol_version\":1,\"request_id\":\"" + id + "\",\"job_id\":\"" +
                   jobId + "\",\"tool_name\":\"" + tool + "\",\"params\":{},\"timeout_ms\":" + timeoutMs + "}";
        }

        public static string Resume(string requests, string jobs)
        {
            return "{\"type\":\"resume\",\"protocol_version\":1,\"request_ids\":[" + requests + "],\"job_ids\":[" +
                   jobs + "]}";
        }
    }

    /// <summary>A tool that runs a given function.</summary>
    public sealed class FakeTool : Tool
    {
        readonly string name;
        readonly Func<ToolCall, IEnumerator<Pause>> run, goOn;
        public int Runs;

        public FakeTool(string name, Func<ToolCall, IEnumerator<Pause>> run,
                        Func<ToolCall, IEnumerator<Pause>> goOn = null)
        {
            this.name = name;
            this.run = run;
            this.goOn = goOn;
        }

        public override string Name { get { return name; } }
        public override bool OutlivesReload { get { return goOn != null; } }

        public override IEnumerator<Pause> Run(ToolCall call)
        {
            Runs++;
            return run(call);
        }

        public override IEnumerator<Pause> Continue(ToolCall call) { return goOn(call); }

        /// <summary>Write the answer {"answer": text}.</summary>
        public static void Answer(ToolCall call, string text)
        {
            call.Out.BeginObject();
            call.Out.Member("answer", text);
            call.Out.EndObject();
        }
    }

    /// <summary>A job tool whose progress and end the test controls.</summary>
    public sealed class FakeJobTool : JobTool
    {
        readonly string name;
        public readonly List<Job> Begun = new List<Job>(), Continued = new List<Job>(), Stopped = new List<Job>();
        public Action<Job> OnBegin = job => job.Start();
        public bool CanStop = true;

        public FakeJobTool(string name) { this.name = name; }

        public override string Name { get { return name; } }

        public override void Begin(Job job, JsonValue arguments)
        {
            Begun.Add(job);
            OnBegin(job);
        }

        public override bool Cancel(Job job)
        {
            Stopped.Add(job);
            return CanStop;
        }

        public override void Continue(Job job) { Continued.Add(job); }
    }
}
