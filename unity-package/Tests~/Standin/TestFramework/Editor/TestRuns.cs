using System;
using System.Collections.Generic;
using UnityEditor.TestTools.TestRunner.Api;
using UnityEngine;

namespace Standin.Testing
{
    /// <summary>
    /// The requested runs: one at a time, in order, a step in each update. They survive a domain
    /// reload: the run continues with the next test and notifies the callbacks registered then.
    /// </summary>
    static class TestRuns
    {
        static readonly List<TestRun> waiting = new List<TestRun>();
        static TestRunner runner;

        /// <summary>The number of tests in the active run.</summary>
        public static int ActiveCount { get { return runner == null ? 0 : runner.Run.Tests.Count; } }

        /// <summary>Called by the host before any state is restored.</summary>
        public static void Install()
        {
            LogScope.Install();
            Survivors.Add("tests", Export, Import);
            EditorLoop.AfterUpdate += Advance;
        }

        public static string Add(ExecutionSettings settings)
        {
            var run = new TestRun(settings);
            if (settings.runSynchronously)
                RunNow(run);
            else
                waiting.Add(run);
            return run.Id;
        }

        static void RunNow(TestRun run)
        {
            var now = new TestRunner(run);
            while (!now.IsOver)
                now.Advance();
        }

        public static bool Cancel(string id)
        {
            if (runner != null && runner.Run.Id == id)
                return runner.Cancel();
            return waiting.RemoveAll(run => run.Id == id) > 0;
        }

        static void Advance()
        {
            if (runner == null && waiting.Count > 0)
            {
                runner = new TestRunner(waiting[0]);
                waiting.RemoveAt(0);
            }
            if (runner == null)
                return;
            TestRunner at = runner;
            try
            {
                at.Advance();
            }
            catch (Exception e)
            {
                /* As in Unity, the run is lost and the editor continues. */
                runner = null;
                Debug.LogException(e);
            }
            if (at.IsOver)
                runner = null;
        }

        static object Export()
        {
            return new Dictionary<string, object>
            {
                { "active", runner == null ? null : runner.Run.Export() },
                { "waiting", waiting.ConvertAll(run => (object)run.Export()) }
            };
        }

        static void Import(object value)
        {
            var state = (Dictionary<string, object>)value;
            var active = state["active"] as Dictionary<string, object>;
            if (active != null)
                runner = new TestRunner(TestRun.Import(active));
            foreach (Dictionary<string, object> run in (List<object>)state["waiting"])
                waiting.Add(TestRun.Import(run));
        }
    }
}
