using System.Collections.Generic;
using NUnit.Framework;

namespace Multiverse.Editor.Tests
{
    /// <summary>Jobs and their saved state.</summary>
    public class JobStoreTests
    {
        readonly List<string> pushed = new List<string>();

        [SetUp]
        public void SetUp()
        {
            UnityEditor.SessionState.EraseString("Multiverse.Jobs"); /* left by other tests */
            JobStore.Load();
            pushed.Clear();
            JobStore.Push = job => pushed.Add(job.Id + " " + job.State + " " + job.Done);
        }

        [TearDown]
        public void TearDown() { JobStore.Push = null; }

        static Job Add(string id, long timeoutMs = 1000) { return JobStore.Add(id, "t_store", timeoutMs); }

        [Test]
        public void TheFinalStateNeverChanges()
        {
            Job job = Add("s1");
            job.Start();
            job.Succeed("{}");
            job.Fail("E", "m");
            job.Progress(5, 5, "x");
            job.Start();
            job.Cancelled();
            Assert.AreEqual(JobState.Succeeded, job.State);
            Assert.IsNull(job.ErrorCode);
            Assert.IsFalse(job.HasProgress);
            Assert.AreEqual("s1 Running 0;s1 Succeeded 0", string.Join(";", pushed.ToArray()));
        }

        [Test]
        public void ProgressIsSentRarelyAndTheEndAtOnce()
        {
            Job job = Add("s1");
            job.Start();
            for (int i = 1; i <= 100000; i++)
                job.Progress(i, 100000, "x");
            Assert.Less(pushed.Count, 50);
            job.Succeed("{}");
            Assert.AreEqual("s1 Succeeded 100000", pushed[pushed.Count - 1]);
        }

        [Test]
        public void TheLastProgressIsSent()
        {
            Job job = Add("s1");
            job.Start();
            job.Progress(1, 3, "a");
            job.Progress(2, 3, "b");
            long end = Clock.NowMs + 5000;
            while (pushed[pushed.Count - 1] != "s1 Running 2" && Clock.NowMs < end)
                JobStore.Update();
            Assert.AreEqual("s1 Running 2", pushed[pushed.Count - 1]);
        }

        [Test]
        public void AllFieldsOfAJobAreSaved()
        {
            Job job = Add("s1");
            job.Start();
            job.Memo = "m\u00fc\n";
            job.Progress(3, 9, "C");
            Add("s2").Fail("E", "words");
            Add("s3").Succeed("{\"a\":\"\\n\"}");
            JobStore.SaveWork();
            JobStore.Load();
            job = JobStore.Find("s1");
            Assert.AreEqual("m\u00fc\n Running 3 9 C",
                            job.Memo + " " + job.State + " " + job.Done + " " + job.Total + " " + job.Current);
            Assert.AreEqual("E words", JobStore.Find("s2").ErrorCode + " " + JobStore.Find("s2").ErrorMessage);
            Assert.AreEqual("{\"a\":\"\\n\"}", JobStore.Find("s3").ResultJson);
            Assert.IsTrue(JobStore.HasWork);
        }

        /* The state is saved even without a save before the reload. */
        [Test]
        public void AFinalStateIsSavedAtOnce()
        {
            Add("s1").Succeed("{}");
            JobStore.Load();
            Assert.AreEqual(JobState.Succeeded, JobStore.Find("s1").State);
        }

        [Test]
        public void TheOldestFinishedJobsAreDropped()
        {
            Job running = Add("s0");
            running.Start();
            for (int i = 1; i <= 100; i++)
                Add("s" + i).Succeed("{}");
            Assert.IsNotNull(JobStore.Find("s0"), "it has not ended");
            Assert.IsNull(JobStore.Find("s1"));
            Assert.IsNotNull(JobStore.Find("s100"));
            JobStore.Load();
            Assert.IsNull(JobStore.Find("s1"));
            Assert.IsNotNull(JobStore.Find("s0"));
        }

        [Test]
        public void LargeResultsDisplaceOldJobs()
        {
            string large = "{\"t\":\"" + new string('x', 3 << 20) + "\"}";
            Add("s1").Succeed(large);
            Add("s2").Succeed(large);
            Assert.IsNull(JobStore.Find("s1"));
            Assert.AreEqual(large, JobStore.Find("s2").ResultJson);
        }

        [Test]
        public void AJobWithoutItsToolFailsAfterAReload()
        {
            JobStore.Add("s1", "t_gone", 0).Start();
            JobStore.Load();
            JobStore.ContinueAll();
            Assert.AreEqual(JobState.Failed, JobStore.Find("s1").State);
            StringAssert.Contains("t_gone", JobStore.Find("s1").ErrorMessage);
        }

        [Test]
        public void AnOverdueJobIsStopped()
        {
            var tool = new FakeJobTool("t_store");
            Toolbox.Add(tool);
            Job job = Add("s1", 1000);
            job.Start();
            long end = Clock.NowMs + 3000;
            job.DeadlineMs = Clock.NowMs - 1;
            while (tool.Stopped.Count == 0 && Clock.NowMs < end)
                JobStore.Update();
            Assert.AreEqual(1, tool.Stopped.Count);
            for (int i = 0; i < 100; i++)
                JobStore.Update();
            Assert.AreEqual(1, tool.Stopped.Count, "once");
        }
    }
}
