using System;
using System.Globalization;
using UnityEditor;
using UnityEditor.TestTools.TestRunner.Api;
using UnityEngine;

namespace Multiverse.Editor
{
    /// <summary>
    /// run_tests: a job on Unity's test runner, one run for each mode. Unity's own runs go on after a
    /// domain reload by themselves; this one finds its state in SessionState and listens again. What
    /// would open a dialog, or run what is not meant, is refused before. A job ends when Unity has put
    /// its scenes back, some updates after it told the results: who asks then sees them.
    /// </summary>
    [InitializeOnLoad]
    internal sealed class RunTests : JobTool
    {
        const string RunKey = "Multiverse.RunTests.Run";
        const string ForeignKey = "Multiverse.RunTests.Foreign";
        /* Unity's runner does a step in each update, and has some left after its results. */
        const int SettleUpdates = 40;
        /* Time of an idle editor without a word of the runner after which a run is lost. A test that
           goes on after a reload has Unity's own limit of 180 s. */
        const double BeginLimit = 60, PlayLimit = 10, CancelLimit = 30, ReloadLimit = 200, AttachLimit = 60;
        /* A run of somebody else that says nothing for so long is over: Unity forgot to say it. */
        const double ForeignLimit = 600;

        TestJob run; /* null: none */
        Job job;     /* of the run; null: after a reload it is not here yet */
        double foreignSign = double.NegativeInfinity; /* of life, of a run that somebody else started */
        int updatesSinceRun = SettleUpdates;
        double quiet, lastUpdate;
        bool hasNews;

        static RunTests()
        {
            if (Application.isBatchMode || Compat.IsHelperProcess())
                return;
            var tool = new RunTests();
            tool.Load();
            TestFramework.Register(new RunCallbacks(tool));
            AssemblyReloadEvents.beforeAssemblyReload += tool.Save;
            Toolbox.Add(tool);
        }

        public override string Name { get { return "run_tests"; } }

        /* ---- from the server */

        public override void Begin(Job job, JsonValue arguments)
        {
            TestPlan plan = TestPlan.Of(arguments);
            if (run != null || EditorApplication.timeSinceStartup - foreignSign < ForeignLimit)
                throw new ToolError("ERR_BUSY", "tests are running already");
            ToolError refused = Refusal();
            if (refused != null)
                throw refused;
            this.job = job;
            Follow(new TestJob(job.Id, plan));
            job.Start();
        }

        /* null: Unity may be asked. */
        static ToolError Refusal()
        {
            if (EditorApplication.isPlayingOrWillChangePlaymode)
                return new ToolError("ERR_PLAY_MODE_ACTIVE", "tests are not started in play mode: " +
                                                             "control_play_mode stop first");
            if (EditorUtility.scriptCompilationFailed)
                return new ToolError("ERR_COMPILE_ERRORS", "the scripts have errors, so Unity would test what was " +
                                                           "there before" + ConsoleFeed.CompilerErrors());
            /* The runner opens scenes of its own, in either mode, and asks before. */
            return Unsaved.Error("");
        }

        public override bool Cancel(Job job)
        {
            if (run == null || run.JobId != job.Id)
                return false;
            if (run.Stage == TestStage.Waiting)
            {
                Leave();
                job.Cancelled();
                return true;
            }
            if (run.Stage != TestStage.Settling && !run.IsCancelling && !TestFramework.Cancel(run.RunId))
                return false;
            run.IsCancelling = true;
            quiet = 0;
            return true;
        }

        public override void Continue(Job job)
        {
            if (run == null || run.JobId != job.Id)
            {
                job.Fail("ERR_TEST_RUN_FAILED", "the tests were lost when Unity loaded the scripts anew");
                return;
            }
            this.job = job;
            hasNews = true;
        }

        /* ---- from Unity */

        public void OnRunStarted(ITestAdaptor tests)
        {
            Sign();
            if (run != null && run.Stage == TestStage.Asked)
                run.Total += run.Plan.Count(tests);
            Running();
        }

        public void OnTestStarted(ITestAdaptor test)
        {
            Sign();
            if (!Running() || test.IsSuite)
                return;
            run.Current = Utf8.Head(test.FullName, 400);
            hasNews = true;
        }

        public void OnTestFinished(ITestResultAdaptor result)
        {
            Sign();
            if (!Running() || result.HasChildren || result.Test.IsSuite)
                return;
            run.Done++;
            run.Current = Utf8.Head(result.FullName, 400);
            hasNews = true;
        }

        public void OnRunFinished(ITestResultAdaptor result)
        {
            if (Running() && result != null)
                run.Sum.Add(result);
            RunIsOver();
        }

        public void OnError(string message)
        {
            if (Running())
                run.Error = message ?? "";
            RunIsOver();
        }

        void Sign()
        {
            quiet = 0;
            if (run == null)
                foreignSign = EditorApplication.timeSinceStartup;
        }

        /* Whether it is ours, and at work. */
        bool Running()
        {
            if (run == null || run.Stage == TestStage.Waiting || run.Stage == TestStage.Settling)
                return false;
            run.Stage = TestStage.Running;
            return true;
        }

        void RunIsOver()
        {
            foreignSign = double.NegativeInfinity;
            updatesSinceRun = 0;
            if (Running())
                run.Stage = TestStage.Settling;
        }

        /* ---- while a run is there */

        void Follow(TestJob next)
        {
            run = next;
            quiet = 0;
            lastUpdate = EditorApplication.timeSinceStartup;
            hasNews = false;
            EditorApplication.update += Update;
        }

        void Leave()
        {
            run = null;
            job = null;
            EditorApplication.update -= Update;
        }

        void Update()
        {
            try
            {
                Step();
            }
            catch (Exception e)
            {
                End(j => j.Fail("ERR_TEST_RUN_FAILED", "the tests could not be run: " + e.Message));
            }
        }

        void Step()
        {
            double now = EditorApplication.timeSinceStartup;
            bool isBusy = EditorApplication.isPlayingOrWillChangePlaymode || EditorApplication.isCompiling ||
                          EditorApplication.isUpdating;
            /* A test that holds the editor up, or a reload, is no idle time. */
            quiet = isBusy ? 0 : quiet + Math.Min(now - lastUpdate, 1);
            lastUpdate = now;
            Report();
            if (job == null && quiet > AttachLimit)
                Leave();
            else if (run.Stage == TestStage.Waiting || run.Stage == TestStage.Settling)
                Rest(isBusy);
            else if (quiet > Limit())
                End(IsLost);
        }

        double Limit()
        {
            return run.IsCancelling ? CancelLimit
                : run.Stage == TestStage.Asked ? BeginLimit
                : run.IsPlay ? PlayLimit
                : run.WasReloaded ? ReloadLimit : double.PositiveInfinity;
        }

        void IsLost(Job job)
        {
            if (run.IsCancelling)
                job.Cancelled();
            else if (run.Stage == TestStage.Asked)
                job.Fail("ERR_TEST_RUN_FAILED", "Unity did not begin the " + run.ModeName + " tests; read_console " +
                                                "may say why");
            else
                job.Fail("ERR_TEST_RUN_FAILED", "the " + run.ModeName + " tests ended and there is no result: " +
                         (run.IsPlay ? "play mode was left before they were done"
                                     : "Unity did not take them up again after a domain reload"));
        }

        void Report()
        {
            if (!hasNews || job == null)
                return;
            hasNews = false;
            job.Progress(run.Done, Math.Max(run.Total, run.Done), run.Current);
        }

        /* Until Unity has put its things in order, then on. */
        void Rest(bool isBusy)
        {
            if (isBusy || job == null || updatesSinceRun++ < SettleUpdates)
                return;
            if (run.Stage == TestStage.Waiting)
                Execute();
            else if (!run.IsCancelling && run.Error == null && run.HasNext)
                Next();
            else
                End(HasEnded);
        }

        void Execute()
        {
            ToolError refused = Refusal();
            if (refused != null)
            {
                End(j => j.Fail(refused.Code, refused.Message));
                return;
            }
            run.Stage = TestStage.Asked;
            run.WasReloaded = false;
            quiet = 0;
            run.RunId = TestFramework.Execute(run.Plan.FilterFor(run.Mode)) ?? "";
        }

        void Next()
        {
            run.IsPlay = true;
            run.Stage = TestStage.Waiting;
        }

        void HasEnded(Job job)
        {
            var w = new JsonWriter();
            if (run.IsCancelling)
                job.Cancelled();
            else if (run.Error != null)
                job.Fail("ERR_TEST_RUN_FAILED", "the " + run.ModeName + " tests could not be run: " + run.Error);
            else if (run.Sum.Total == 0)
                job.Fail("ERR_NO_TESTS", "no test was found" +
                                         (run.Plan.Filter.Length > 0 ? " that fits " + run.Plan.Filter : ""));
            else
            {
                run.Sum.Write(w);
                job.Succeed(w.ToString());
            }
        }

        void End(Action<Job> end)
        {
            Job ended = job;
            if (run != null && ended != null)
            {
                Report();
                end(ended);
            }
            Leave();
        }

        /* ---- over a domain reload */

        void Save()
        {
            SessionState.SetString(RunKey, run == null ? "" : run.ToString());
            SessionState.SetString(ForeignKey, foreignSign.ToString("R", CultureInfo.InvariantCulture));
        }

        void Load()
        {
            string text = SessionState.GetString(RunKey, "");
            TestJob kept = text.Length == 0 ? null : TestJob.Of(text);
            if (!double.TryParse(SessionState.GetString(ForeignKey, ""), NumberStyles.Float,
                                 CultureInfo.InvariantCulture, out foreignSign))
                foreignSign = double.NegativeInfinity;
            if (kept != null)
                Follow(kept);
        }
    }
}
