using System;
using System.Collections.Generic;
using UnityEditor.TestTools.TestRunner.Api;

namespace Standin.Testing
{
    /// <summary>
    /// The result of a test or suite as passed to callbacks. A suite combines its tests in the run:
    /// failed if one failed, otherwise inconclusive, passed or skipped if one was.
    /// </summary>
    sealed class TestResultAdaptor : ITestResultAdaptor
    {
        readonly TestNode node;
        readonly Dictionary<string, TestOutcome> outcomes;
        readonly List<TestOutcome> within = new List<TestOutcome>();
        readonly TestOutcome own;

        public TestResultAdaptor(TestNode node, Dictionary<string, TestOutcome> outcomes)
        {
            this.node = node;
            this.outcomes = outcomes;
            foreach (TestNode leaf in node.Leaves())
            {
                TestOutcome outcome;
                if (outcomes.TryGetValue(leaf.Id, out outcome))
                    within.Add(outcome);
            }
            own = node.IsSuite ? null : within.Count > 0 ? within[0] : TestOutcome.Of("Skipped", "", "");
        }

        public ITestAdaptor Test { get { return TestAdaptor.Of(node, null); } }
        public string Name { get { return node.Name; } }
        public string FullName { get { return node.FullName; } }
        public string Output { get { return own == null ? "" : own.Output; } }
        public string StackTrace { get { return own == null ? null : NullIfEmpty(own.StackTrace); } }

        public string Message
        {
            get
            {
                if (own != null)
                    return NullIfEmpty(own.Message);
                return FailCount > 0 ? "One or more child tests had errors" : null;
            }
        }

        static string NullIfEmpty(string text) { return string.IsNullOrEmpty(text) ? null : text; }

        public TestStatus TestStatus { get { return (TestStatus)Enum.Parse(typeof(TestStatus), Status); } }

        string Status
        {
            get
            {
                if (own != null)
                    return own.Status;
                return FailCount > 0 ? "Failed" : InconclusiveCount > 0 ? "Inconclusive" : PassCount > 0 ? "Passed"
                    : SkipCount > 0 ? "Skipped" : "Inconclusive";
            }
        }

        public string Label { get { return own != null ? own.Label : FailCount > 0 ? "Child" : ""; } }

        public string ResultState
        {
            get { return Status + (Label.Length == 0 ? "" : own == null ? "(" + Label + ")" : ":" + Label); }
        }

        public double Duration { get { return Sum(o => o.Duration); } }
        public int AssertCount { get { return (int)Sum(o => o.Asserts); } }
        public int FailCount { get { return Count("Failed"); } }
        public int PassCount { get { return Count("Passed"); } }
        public int SkipCount { get { return Count("Skipped"); } }
        public int InconclusiveCount { get { return Count("Inconclusive"); } }
        public int RunCount { get { return within.Count; } }

        public DateTime StartTime
        {
            get
            {
                DateTime first = within.Count == 0 ? DateTime.UtcNow : DateTime.MaxValue;
                foreach (TestOutcome outcome in within)
                    first = outcome.Start < first ? outcome.Start : first;
                return first;
            }
        }

        public DateTime EndTime
        {
            get
            {
                DateTime last = within.Count == 0 ? DateTime.UtcNow : DateTime.MinValue;
                foreach (TestOutcome outcome in within)
                    last = outcome.End > last ? outcome.End : last;
                return last;
            }
        }

        public bool HasChildren { get { return node.IsSuite && within.Count > 0; } }

        public IEnumerable<ITestResultAdaptor> Children
        {
            get
            {
                foreach (TestNode child in node.Children)
                {
                    var result = new TestResultAdaptor(child, outcomes);
                    if (result.within.Count > 0)
                        yield return result;
                }
            }
        }

        double Sum(Func<TestOutcome, double> of)
        {
            double sum = 0;
            foreach (TestOutcome outcome in within)
                sum += of(outcome);
            return sum;
        }

        int Count(string status) { return within.FindAll(o => o.Status == status).Count; }
    }
}
