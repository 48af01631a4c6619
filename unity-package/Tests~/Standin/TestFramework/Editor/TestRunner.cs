using System;
using System.Collections.Generic;
using UnityEditor;
using UnityEditor.TestTools.TestRunner.Api;
using UnityEngine;

namespace Standin.Testing
{
    /// <summary>
    /// Executes one run, a step in each update: EditMode tests first, then PlayMode tests in play
    /// mode. Reloads are delayed until the current test has ended.
    /// </summary>
    sealed class TestRunner
    {
        public readonly TestRun Run;
        TestNode root;
        Dictionary<string, TestNode> nodes;
        TestExecution execution;
        Fixture fixture;
        bool holdsReload;

        public bool IsOver { get; private set; }

        public TestRunner(TestRun run) { Run = run; }

        /// <summary>Return false if it is being cancelled already.</summary>
        public bool Cancel()
        {
            if (Run.IsCancelled)
                return false;
            Run.IsCancelled = true;
            return true;
        }

        public void Advance()
        {
            switch (Run.Phase)
            {
                case TestPhase.Begin: Begin(); break;
                case TestPhase.Edit: Step(); break;
                case TestPhase.EnterPlay: EnterPlay(); break;
                case TestPhase.Play: Play(); break;
                case TestPhase.LeavePlay: LeavePlay(); break;
                case TestPhase.End: End(); break;
                case TestPhase.CleanUp: CleanUp(); break;
            }
        }

        /* ---- the tests of this run */

        void Find()
        {
            if (root != null)
                return;
            root = ProjectTests.Tree(Run.Modes);
            nodes = new Dictionary<string, TestNode>();
            Index(root);
        }

        void Index(TestNode node)
        {
            nodes[node.Id] = node;
            foreach (TestNode child in node.Children)
                Index(child);
        }

        List<TestFilter> Filters() { return Run.Filters.ConvertAll(f => new TestFilter(f, Run.IsSynchronous)); }

        List<TestNode> Meant()
        {
            List<TestFilter> filters = Filters();
            var meant = new List<TestNode>();
            foreach (bool playMode in new[] { false, true })
                foreach (TestNode leaf in root.Leaves())
                    if (leaf.IsPlayMode == playMode && filters.Exists(f => f.Means(leaf)))
                        meant.Add(leaf);
            return meant;
        }

        void Begin()
        {
            if (EditorUtility.scriptCompilationFailed)
            {
                ReportError("Scripts have compile errors: no test is run.");
                return;
            }
            if (HostState.IsPlaying || HostState.WillChangePlayMode)
            {
                ReportError("Tests cannot be started in play mode.");
                return;
            }
            Find();
            List<TestNode> meant;
            try
            {
                meant = Meant();
            }
            catch (ArgumentException e)
            {
                ReportError("The filter is no regular expression: " + e.Message);
                return;
            }
            if (!Run.IsSynchronous && !TestScenes.Leave(Run.Scenes))
            {
                ReportError("The open scenes have unsaved changes and nobody answered what to do with them.");
                return;
            }
            Run.Tests = meant.ConvertAll(test => test.Id);
            Run.Phase = TestPhase.Edit;
            ITestAdaptor reported = ReportedTree(meant);
            TestCallbacks.Call(c => c.RunStarted(reported));
        }

        /* Before version 1.4 callbacks get the whole tree, since then only the selected tests.
           */
        ITestAdaptor ReportedTree(List<TestNode> meant)
        {
#if UNITY_2022_3_OR_NEWER
            return TestAdaptor.Of(root, meant.Contains);
#else
            return TestAdaptor.Of(root, null);
#endif
        }

        void ReportError(string error)
        {
            IsOver = true;
            TestCallbacks.Error(error);
        }

        /* ---- tests */

        TestNode Next()
        {
            while (Run.Done < Run.Tests.Count)
            {
                TestNode test;
                if (nodes.TryGetValue(Run.Tests[Run.Done], out test))
                    return test;
                /* The test no longer exists after the reload. */
                Run.Done++;
            }
            return null;
        }

        void Step()
        {
            Find();
            TestNode test = Run.IsCancelled && execution == null ? null : Next();
            if (test == null || test.IsPlayMode != (Run.Phase == TestPhase.Play))
            {
                LeaveFixture();
                Run.Phase = test != null ? TestPhase.EnterPlay
                    : Run.Phase == TestPhase.Play ? TestPhase.LeavePlay : TestPhase.End;
                return;
            }
            if (execution == null)
                Start(test);
            TestOutcome outcome = Outcome(test);
            if (outcome == null)
                HoldReload(true);
            else
                Finish(test, outcome);
        }

        void Start(TestNode test)
        {
            Enter(test);
            ITestAdaptor reported = TestAdaptor.Of(test, null);
            TestCallbacks.Call(c => c.TestStarted(reported));
            if (fixture != null && !fixture.Holds(test))
                LeaveFixture();
            fixture = fixture ?? new Fixture(test);
        }

        /* Return null if the test continues in the next update. */
        TestOutcome Outcome(TestNode test)
        {
            if (Run.IsCancelled && execution != null)
                return execution.Cancel();
            string reason;
            TestRunState state = test.EffectiveState(out reason);
            if (state == TestRunState.Ignored)
                return TestOutcome.Of("Skipped", "Ignored", reason);
            if (state == TestRunState.NotRunnable)
                return TestOutcome.Of("Failed", "Invalid", reason);
            if (test.IsExplicit && !Filters().Exists(f => f.MeansByName(test)))
                return TestOutcome.Of("Skipped", "Explicit", reason);
            if (execution == null)
            {
                Trace.Add("test", test.FullName, Run.Id);
                execution = new TestExecution(test, fixture);
            }
            return execution.Step();
        }

        void Finish(TestNode test, TestOutcome outcome)
        {
            HoldReload(false);
            execution = null;
            Run.Outcomes[test.Id] = outcome;
            Run.Done++;
            ReportFinished(test);
            CloseSuites(Run.IsCancelled ? null : Next());
        }

        void HoldReload(bool hold)
        {
            if (hold != holdsReload)
                EditorLoop.ReloadLocks += hold ? 1 : -1;
            holdsReload = hold;
        }

        void LeaveFixture()
        {
            Exception thrown = fixture == null ? null : fixture.TearDownOnce();
            fixture = null;
            if (thrown != null)
                Debug.LogException(thrown);
        }

        /* ---- reporting suites when they are entered and left */

        static List<TestNode> Above(TestNode test)
        {
            var above = new List<TestNode>();
            for (TestNode node = test == null ? null : test.Parent; node != null; node = node.Parent)
                above.Insert(0, node);
            return above;
        }

        void Enter(TestNode test)
        {
            foreach (TestNode suite in Above(test))
            {
                if (Run.Open.Contains(suite.Id))
                    continue;
                Run.Open.Add(suite.Id);
                ITestAdaptor reported = TestAdaptor.Of(suite, null);
                TestCallbacks.Call(c => c.TestStarted(reported));
            }
        }

        void CloseSuites(TestNode next)
        {
            List<TestNode> staying = Above(next);
            for (int i = Run.Open.Count - 1; i >= 0; i--)
            {
                TestNode suite;
                nodes.TryGetValue(Run.Open[i], out suite);
                if (suite != null && staying.Contains(suite))
                    return;
                Run.Open.RemoveAt(i);
                if (suite != null)
                    ReportFinished(suite);
            }
        }

        void ReportFinished(TestNode node)
        {
            var result = new TestResultAdaptor(node, Run.Outcomes);
            TestCallbacks.Call(c => c.TestFinished(result));
        }

        /* ---- play mode and the end */

        void EnterPlay()
        {
            if (Run.IsCancelled)
                Run.Phase = TestPhase.End;
            else if (HostState.IsPlaying)
                Run.Phase = TestPhase.Play;
            else if (!HostState.WillChangePlayMode && !PlayModeSwitch.IsAsked)
                EditorApplication.isPlaying = true;
        }

        void Play()
        {
            if (HostState.IsPlaying)
            {
                Step();
                return;
            }
            /* The user left play mode: like Unity, drop the run without a notification. */
            HoldReload(false);
            Run.Phase = TestPhase.CleanUp;
        }

        void LeavePlay()
        {
            if (!HostState.IsPlaying)
                Run.Phase = TestPhase.End;
            else if (!PlayModeSwitch.IsAsked)
                EditorApplication.isPlaying = false;
        }

        /* Report the results first; the scenes are restored in a later update. */
        void End()
        {
            Find();
            CloseSuites(null);
            IsOver = Run.IsSynchronous;
            Run.Phase = TestPhase.CleanUp;
            var result = new TestResultAdaptor(root, Run.Outcomes);
            TestCallbacks.Call(c => c.RunFinished(result));
        }

        /* Not while the user is in play mode. */
        void CleanUp()
        {
            if (HostState.IsPlaying || HostState.WillChangePlayMode)
                return;
            IsOver = true;
            TestScenes.Return(Run.Scenes);
        }
    }
}
