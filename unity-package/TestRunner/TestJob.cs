using System;
using UnityEditor.TestTools.TestRunner.Api;

namespace Multiverse.Editor
{
    internal enum TestStage
    {
        /// <summary>Waits until the editor is idle.</summary>
        Waiting,
        /// <summary>Unity was asked to run the tests of one mode.</summary>
        Asked,
        Running,
        /// <summary>Unity has reported the results and is restoring its scenes.</summary>
        Settling
    }

    /// <summary>
    /// One run of run_tests: a job, and one run of Unity's runner for each mode. It is kept across
    /// domain reloads as text.
    /// <code>
    ///     Waiting --Execute--> Asked --RunStarted--> Running --RunFinished, OnError--> Settling
    ///     Settling --(all: play mode tests are next)--> Waiting
    ///     Settling --> the job ends
    /// </code>
    /// </summary>
    internal sealed class TestJob
    {
        public readonly string JobId;
        public readonly TestPlan Plan;
        public readonly TestResults Sum;
        public TestStage Stage;
        /// <summary>The play mode tests are running.</summary>
        public bool IsPlay;
        public bool IsCancelling;
        /// <summary>Unity's id of the current run.</summary>
        public string RunId = "";
        /// <summary>Unity's error if the run could not be executed; otherwise null.</summary>
        public string Error;
        public int Done, Total;
        public string Current = "";
        /// <summary>The current run has continued after a domain reload.</summary>
        public bool WasReloaded;

        public TestJob(string jobId, TestPlan plan) : this(jobId, plan, new TestResults())
        {
            IsPlay = !plan.Edit;
        }

        TestJob(string jobId, TestPlan plan, TestResults sum)
        {
            JobId = jobId;
            Plan = plan;
            Sum = sum;
        }

        public TestMode Mode { get { return IsPlay ? TestMode.PlayMode : TestMode.EditMode; } }
        public string ModeName { get { return IsPlay ? "PlayMode" : "EditMode"; } }
        public bool HasNext { get { return Plan.Play && !IsPlay; } }

        public override string ToString()
        {
            var w = new JsonWriter();
            w.BeginObject();
            w.Member("job_id", JobId);
            w.Key("plan");
            Plan.Write(w);
            w.Member("stage", Stage.ToString());
            w.Member("play", IsPlay);
            w.Member("cancelling", IsCancelling);
            w.Member("run_id", RunId);
            w.Member("error", Error);
            w.Member("done", Done);
            w.Member("total", Total);
            w.Member("current", Current);
            w.Key("sum");
            Sum.Write(w);
            w.EndObject();
            return w.ToString();
        }

        /// <summary>Parse the text from before a domain reload; null if it is invalid.</summary>
        public static TestJob Of(string text)
        {
            try
            {
                JsonValue v = JsonReader.Read(text);
                return new TestJob(v.GetString("job_id", ""), TestPlan.Of(v.Get("plan")), TestResults.Of(v.Get("sum")))
                {
                    Stage = (TestStage)Enum.Parse(typeof(TestStage), v.GetString("stage", "")),
                    IsPlay = v.GetBool("play", false),
                    IsCancelling = v.GetBool("cancelling", false),
                    RunId = v.GetString("run_id", ""),
                    Error = v.GetString("error", null),
                    Done = (int)v.GetLong("done", 0),
                    Total = (int)v.GetLong("total", 0),
                    Current = v.GetString("current", ""),
                    WasReloaded = true
                };
            }
            catch (JsonException)
            {
                return null;
            }
            catch (ArgumentException)
            {
                return null;
            }
        }
    }
}
