using System;
using System.Globalization;
using UnityEditor;
using UnityEditor.TestTools.TestRunner.Api;
using UnityEngine;

namespace Multiverse.Editor
{
    /// <summary>
    /// run_tests: a job on Unity's test runner, one run for each mode. Unity continues its runs
    /// after a domain reload; this class restores its state from SessionState and registers its
    /// callbacks again. Cases in which Unity would open a dialog or test the wrong code are refused
    /// first. A job ends after Unity has restored its scenes, some updates after the results, so
    /// that the caller sees the restored scenes.
    /// </summary>
    [InitializeOnLoad]
    internal sealed class RunTests : JobTool
    {
        const string RunKey = "Multiverse.RunTests.Run";
        const string ForeignKey = "Multiverse.RunTests.Foreign";
        /* Unity's runner does one step per update and has some left after its results. */
        const int SettleUpdates = 40;
        /* The time of an idle editor without an event of the runner after which a run is lost. A
           test that continues after a reload has Unity's own limit of 180 s. */
        const double BeginLimit = 60, PlayLimit = 10, CancelLimit = 30, ReloadLimit = 200, AttachLimit = 60;
        /* A run of the user without an event for this long is over: Unity did not report its
           end. */
        const double ForeignLimit = 600;

        TestJob run; /* null: no run */
        Job job; /* the job of the run; null after a reload until Continue */
        double lastForeignEvent = double.NegativeInfinity; /* the last event of a run that the user started */
        int updatesSinceRun = SettleUpdates;
        double quiet, lastUpdate;
        bool hasProgress;

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

        /* ---- requests of the server */

        public override void Begin(Job job, JsonValue arguments)
        {
            TestPlan plan = TestPlan.Of(arguments);
            if (run != null || EditorApplication.timeSinceStartup - lastForeignEvent < ForeignLimit)
                throw new ToolError("ERR_BUSY", "a test run is already running: wait for its end or cancel it");
            ToolError refused = FindRefusal();
            if (refused != null)
                throw refused;
            this.job = job;
            Attach(new TestJob(job.Id, plan));
            job.Start();
        }

        /* Return the reason why tests cannot be started now, or null. */
        static ToolError FindRefusal()
        {
            if (EditorApplication.isPlayingOrWillChangePlaymode)
                return new ToolError("ERR_PLAY_MODE_ACTIVE", "tests are not started in play mode: " +
                                                             "control_play_mode stop first");
            if (EditorUtility.scriptCompilationFailed)
                return new ToolError("ERR_COMPILE_ERRORS", "the scripts have errors, so Unity would test what was " +
                                                           "there before" + ConsoleFeed.CompilerErrors());
            /* In both modes the runner opens its own scenes, and asks about unsaved changes. */
            return Unsaved.Error("");
        }

        public override bool Cancel(Job job)
        {
            if (run == null || run.JobId != job.Id)
                return false;
            if (run.Stage == TestStage.Waiting)
            {
                Detach();
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
                job.Fail("ERR_TEST_RUN_FAILED", "the tests were lost when Unity reloaded the scripts");
                return;
            }
            this.job = job;
            hasProgress = true;
        }

        /* ---- events of Unity */

        public void OnRunStarted(ITestAdaptor tests)
        {
            NoteEvent();
            if (run != null && run.Stage == TestStage.Asked)
                run.Total += run.Plan.Count(tests);
            IsRunning();
        }

        public void OnTestStarted(ITestAdaptor test)
        {
            NoteEvent();
            if (!IsRunning() || test.IsSuite)
                return;
            run.Current = Utf8.Head(test.FullName, 400);
            hasProgress = true;
        }

        public void OnTestFinished(ITestResultAdaptor result)
        {
            NoteEvent();
            if (!IsRunning() || result.HasChildren || result.Test.IsSuite)
                return;
            run.Done++;
            run.Current = Utf8.Head(result.FullName, 400);
            hasProgress = true;
        }

        public void OnRunFinished(ITestResultAdaptor result)
        {
            if (IsRunning() && result != null)
                run.Sum.Add(result);
            RunIsOver();
        }

        public void OnError(string message)
        {
            if (IsRunning())
                run.Error = message ?? "";
            RunIsOver();
        }

        void NoteEvent()
        {
            quiet = 0;
            if (run == null)
                lastForeignEvent = EditorApplication.timeSinceStartup;
        }

        /* Whether our run is in progress; moves it to IsRunning. */
        bool IsRunning()
        {
            if (run == null || run.Stage == TestStage.Waiting || run.Stage == TestStage.Settling)
                return false;
            run.Stage = TestStage.Running;
            return true;
        }

        void RunIsOver()
        {
            lastForeignEvent = double.NegativeInfinity;
            updatesSinceRun = 0;
            if (IsRunning())
                run.Stage = TestStage.Settling;
        }

        /* ---- updates during a run */

        void Attach(TestJob next)
        {
            run = next;
            quiet = 0;
            lastUpdate = EditorApplication.timeSinceStartup;
            hasProgress = false;
            EditorApplication.update += Update;
        }

        void Detach()
        {
            run = null;
            job = null;
            EditorApplication.update -= Update;
        }

        void Update()
        {
            try
            {
                CheckProgress();
            }
            catch (Exception e)
            {
                EndJob(j => j.Fail("ERR_TEST_RUN_FAILED", "the tests could not be run: " + e.Message));
            }
        }

        void CheckProgress()
        {
            double now = EditorApplication.timeSinceStartup;
            bool isBusy = EditorApplication.isPlayingOrWillChangePlaymode || EditorApplication.isCompiling ||
                          EditorApplication.isUpdating;
            /* Time that a test blocks the editor, or a reload takes, is not idle time. */
            quiet = isBusy ? 0 : quiet + Math.Min(now - lastUpdate, 1);
            lastUpdate = now;
            SendProgress();
            if (job == null && quiet > AttachLimit)
                Detach();
            else if (run.Stage == TestStage.Waiting || run.Stage == TestStage.Settling)
                ContinueWhenSettled(isBusy);
            else if (quiet > QuietLimit())
                EndJob(ReportLostRun);
        }

        double QuietLimit()
        {
            return run.IsCancelling ? CancelLimit
                : run.Stage == TestStage.Asked ? BeginLimit
                : run.IsPlay ? PlayLimit
                : run.WasReloaded ? ReloadLimit : double.PositiveInfinity;
        }

        void ReportLostRun(Job job)
        {
            if (run.IsCancelling)
                job.Cancelled();
            else if (run.Stage == TestStage.Asked)
                job.Fail("ERR_TEST_RUN_FAILED", "Unity did not begin the " + run.ModeName + " tests; read_console " +
                                                "may say why");
            else
                job.Fail("ERR_TEST_RUN_FAILED", "the " + run.ModeName + " tests ended without results: " +
                         (run.IsPlay ? "play mode was left before they were done"
                                     : "Unity did not take them up again after a domain reload"));
        }

        void SendProgress()
        {
            if (!hasProgress || job == null)
                return;
            hasProgress = false;
            job.Progress(run.Done, Math.Max(run.Total, run.Done), run.Current);
        }

        /* Wait until Unity has restored its state, then start the next run or end the job. */
        void ContinueWhenSettled(bool isBusy)
        {
            if (isBusy || job == null || updatesSinceRun++ < SettleUpdates)
                return;
            if (run.Stage == TestStage.Waiting)
                StartRun();
            else if (!run.IsCancelling && run.Error == null && run.HasNext)
                StartPlayMode();
            else
                EndJob(ReportResult);
        }

        void StartRun()
        {
            ToolError refused = FindRefusal();
            if (refused != null)
            {
                EndJob(j => j.Fail(refused.Code, refused.Message));
                return;
            }
            run.Stage = TestStage.Asked;
            run.WasReloaded = false;
            quiet = 0;
            run.RunId = TestFramework.Execute(run.Plan.FilterFor(run.Mode)) ?? "";
        }

        void StartPlayMode()
        {
            run.IsPlay = true;
            run.Stage = TestStage.Waiting;
        }

        void ReportResult(Job job)
        {
            var w = new JsonWriter();
            if (run.IsCancelling)
                job.Cancelled();
            else if (run.Error != null)
                job.Fail("ERR_TEST_RUN_FAILED", "the " + run.ModeName + " tests could not be run: " + run.Error);
            else if (run.Sum.Total == 0)
                job.Fail("ERR_NO_TESTS", "no test was found" +
                                         (run.Plan.Filter.Length > 0 ? " that matches " + run.Plan.Filter : ""));
            else
            {
                run.Sum.Write(w);
                job.Succeed(w.ToString());
            }
        }

        void EndJob(Action<Job> end)
        {
            Job ended = job;
            if (run != null && ended != null)
            {
                SendProgress();
                end(ended);
            }
            Detach();
        }

        /* ---- domain reloads */

        void Save()
        {
            SessionState.SetString(RunKey, run == null ? "" : run.ToString());
            SessionState.SetString(ForeignKey, lastForeignEvent.ToString("R", CultureInfo.InvariantCulture));
        }

        void Load()
        {
            string text = SessionState.GetString(RunKey, "");
            TestJob kept = text.Length == 0 ? null : TestJob.Of(text);
            if (!double.TryParse(SessionState.GetString(ForeignKey, ""), NumberStyles.Float,
                                 CultureInfo.InvariantCulture, out lastForeignEvent))
                lastForeignEvent = double.NegativeInfinity;
            if (kept != null)
                Attach(kept);
        }
    }
}
