using System;
using System.Collections.Generic;
using UnityEditor.TestTools.TestRunner.Api;

namespace Standin.Testing
{
    enum TestPhase { Begin, Edit, EnterPlay, Play, LeavePlay, End, CleanUp }

    /// <summary>The state of a run that is needed to continue it in another domain.</summary>
    sealed class TestRun
    {
        public string Id;
        public readonly List<Filter> Filters = new List<Filter>();
        public TestPhase Phase;
        public bool IsCancelled;
        /// <summary>The ids of the tests in order, and the number of finished ones.</summary>
        public List<string> Tests = new List<string>();
        public int Done;
        /// <summary>The ids of the suites that were reported as started but not as finished.</summary>
        public List<string> Open = new List<string>();
        public readonly Dictionary<string, TestOutcome> Outcomes = new Dictionary<string, TestOutcome>();
        /// <summary>The scenes that were open before.</summary>
        public List<string> Scenes = new List<string>();
        /// <summary>Not saved for a reload, because a synchronous run ends before one.</summary>
        public bool IsSynchronous;

        public TestRun() { }

        public TestRun(ExecutionSettings settings)
        {
            Id = Guid.NewGuid().ToString();
            Filters.AddRange(settings.filters ?? new Filter[0]);
            IsSynchronous = settings.runSynchronously;
        }

        public TestMode Modes
        {
            get
            {
                TestMode modes = 0;
                foreach (Filter filter in Filters)
                    modes |= filter.testMode;
                return modes;
            }
        }

        public Dictionary<string, object> Export()
        {
            var outcomes = new Dictionary<string, object>();
            foreach (KeyValuePair<string, TestOutcome> pair in Outcomes)
                outcomes[pair.Key] = pair.Value.Export();
            return new Dictionary<string, object>
            {
                { "id", Id }, { "phase", Phase.ToString() }, { "cancelled", IsCancelled }, { "tests", Tests },
                { "done", Done }, { "open", Open }, { "outcomes", outcomes }, { "scenes", Scenes },
                { "filters", Filters.ConvertAll(Export) }
            };
        }

        static object Export(Filter filter)
        {
            return new Dictionary<string, object>
            {
                { "mode", (int)filter.testMode }, { "names", filter.testNames }, { "groups", filter.groupNames },
                { "categories", filter.categoryNames }, { "assemblies", filter.assemblyNames }
            };
        }

        public static TestRun Import(Dictionary<string, object> value)
        {
            var run = new TestRun
            {
                Id = (string)value["id"], Phase = (TestPhase)Enum.Parse(typeof(TestPhase), (string)value["phase"]),
                IsCancelled = (bool)value["cancelled"], Tests = Texts(value["tests"]),
                Done = Convert.ToInt32(value["done"]), Open = Texts(value["open"]), Scenes = Texts(value["scenes"])
            };
            foreach (KeyValuePair<string, object> pair in (Dictionary<string, object>)value["outcomes"])
                run.Outcomes[pair.Key] = TestOutcome.Import((Dictionary<string, object>)pair.Value);
            foreach (Dictionary<string, object> filter in (List<object>)value["filters"])
                run.Filters.Add(new Filter
                {
                    testMode = (TestMode)Convert.ToInt32(filter["mode"]), testNames = Array(filter["names"]),
                    groupNames = Array(filter["groups"]), categoryNames = Array(filter["categories"]),
                    assemblyNames = Array(filter["assemblies"])
                });
            return run;
        }

        static List<string> Texts(object value) { return ((List<object>)value).ConvertAll(item => (string)item); }
        static string[] Array(object value) { return value == null ? null : Texts(value).ToArray(); }
    }
}
