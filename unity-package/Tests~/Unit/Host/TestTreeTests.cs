using System;
using System.Collections;
using System.Collections.Generic;
using NUnit.Framework;
using Standin.Testing;
using UnityEditor.TestTools.TestRunner.Api;
using UnityEngine;
using UnityEngine.TestTools;

namespace Standin.Unit.Inner
{
    /// <summary>Tests that are run by tests, not on their own.</summary>
    [Explicit("run by TestTreeTests"), Category("Sample")]
    public class SampleTests
    {
        public static readonly List<string> Log = new List<string>();

        [OneTimeSetUp] public void Once() { Log.Add("once"); }
        [SetUp] public void Before() { Log.Add("before"); }
        [TearDown] public void After() { Log.Add("after"); }
        [OneTimeTearDown] public void AtTheEnd() { Log.Add("end"); }

        [Test] public void Passes() { Log.Add("passes"); }
        [Test, Category("Bad")] public void Fails() { Assert.AreEqual(1, 2); }
        [Test] public void Throws() { throw new InvalidOperationException("oh"); }
        [Test, Ignore("not today")] public void Ignored() { }
        [Test] public void IsInconclusive() { Assert.Inconclusive("maybe"); }
        [Test] public void LogsAnError() { Debug.LogError("unexpected"); }
        [Test] public void ExpectsAnError()
        {
            LogAssert.Expect(LogType.Error, "expected");
            Debug.LogError("expected");
        }
        [Test] public void MissesAnError() { LogAssert.Expect(LogType.Error, "expected"); }
        [TestCase("a\"b"), TestCase(null)] public void Cases(string text) { }
        [Test] public void HasNoArguments(int a) { }

        [UnityTest]
        public IEnumerator Yields()
        {
            Log.Add("first");
            yield return null;
            yield return Nested();
            Log.Add("last");
        }

        static IEnumerator Nested()
        {
            yield return null;
            Log.Add("nested");
        }
    }
}

namespace Standin.Unit
{
    using Inner;

    public class TestTreeTests
    {
        const string prefix = "Standin.Unit.Inner.SampleTests.";
        readonly TestNode root = new TestTree("unit").Add(typeof(TestTreeTests).Assembly, false).Root;

        TestNode Find(string name)
        {
            foreach (TestNode leaf in root.Leaves())
                if (leaf.FullName == prefix + name)
                    return leaf;
            throw new ArgumentException("no test " + name);
        }

        static TestOutcome Run(TestNode test, out int steps)
        {
            LogScope outer = LogScope.Current;
            var execution = new TestExecution(test, new Fixture(test));
            TestOutcome outcome;
            steps = 0;
            do
            {
                outcome = execution.Step();
                steps++;
            } while (outcome == null);
            LogScope.Current = outer;
            return outcome;
        }

        TestOutcome Run(string name)
        {
            int steps;
            SampleTests.Log.Clear();
            /* Log messages of the inner test must not fail this one. */
            LogAssert.ignoreFailingMessages = true;
            return Run(Find(name), out steps);
        }

        [TestCase("Passes", "Passed", "", "")]
        [TestCase("Fails", "Failed", "", "  Expected: 1\n  But was:  2\n")]
        [TestCase("Throws", "Failed", "Error", "System.InvalidOperationException : oh")]
        [TestCase("IsInconclusive", "Inconclusive", "", "maybe")]
        [TestCase("LogsAnError", "Failed", "",
                  "Unhandled log message: '[Error] unexpected'. Use UnityEngine.TestTools.LogAssert.Expect")]
        [TestCase("ExpectsAnError", "Passed", "", "")]
        [TestCase("MissesAnError", "Failed", "", "Expected log did not appear: [Error] expected")]
        public void Outcomes(string name, string status, string label, string message)
        {
            TestOutcome outcome = Run(name);
            Assert.AreEqual(status, outcome.Status);
            Assert.AreEqual(label, outcome.Label);
            Assert.AreEqual(message, outcome.Message);
        }

        [Test]
        public void SetUpsAndTearDownsAreAroundIt()
        {
            Run("Passes");
            Assert.AreEqual(new[] { "once", "before", "passes", "after" }, SampleTests.Log);
        }

        [Test]
        public void EachYieldIsAnUpdate()
        {
            int steps;
            SampleTests.Log.Clear();
            Run(Find("Yields"), out steps);
            Assert.AreEqual(3, steps);
            Assert.AreEqual(new[] { "once", "before", "first", "nested", "last", "after" }, SampleTests.Log);
        }

        [Test]
        public void StatesAndNames()
        {
            string reason;
            Assert.AreEqual(TestRunState.Ignored, Find("Ignored").EffectiveState(out reason));
            Assert.AreEqual("not today", reason);
            Assert.AreEqual(TestRunState.Explicit, Find("Passes").EffectiveState(out reason));
            Assert.AreEqual(TestRunState.NotRunnable, Find("HasNoArguments").EffectiveState(out reason));
            Assert.AreEqual("Cases(null)", Find("Cases(null)").Name);
            Assert.AreEqual(prefix + "Cases", Find("Cases(\"a\\\"b\")").Parent.FullName);
        }

        static Filter Filtered(string[] names, string[] groups, string[] categories)
        {
            return new Filter
            {
                testMode = TestMode.EditMode, testNames = names, groupNames = groups, categoryNames = categories
            };
        }

        [Test]
        public void FiltersSelectTests()
        {
            TestNode passes = Find("Passes"), fails = Find("Fails");
            var named = new TestFilter(Filtered(new[] { prefix + "Passes" }, null, null), false);
            Assert.IsTrue(named.Means(passes));
            Assert.IsFalse(named.Means(fails));
            var fixture = new TestFilter(Filtered(new[] { prefix.TrimEnd('.') }, null, null), false);
            Assert.IsTrue(fixture.Means(fails), "a fixture by its name");
            var group = new TestFilter(Filtered(null, new[] { "Inner", "!Fails$" }, null), false);
            Assert.IsTrue(group.Means(passes));
            Assert.IsFalse(group.Means(fails));
            var bad = new TestFilter(Filtered(null, new[] { "Inner" }, new[] { "Bad" }), false);
            Assert.IsTrue(bad.Means(fails));
            Assert.IsFalse(bad.Means(passes));
            var notBad = new TestFilter(Filtered(null, new[] { "Inner" }, new[] { "Sample", "!Bad" }), false);
            Assert.IsTrue(notBad.Means(passes));
            Assert.IsFalse(notBad.Means(fails));
            var all = new TestFilter(Filtered(null, null, null), false);
            Assert.IsTrue(all.Means(passes) && !all.MeansByName(passes), "an explicit test runs by its name only");
            Assert.IsTrue(group.MeansByName(passes) && named.MeansByName(passes));
            var now = new TestFilter(Filtered(null, new[] { "Inner" }, null), true);
            Assert.IsFalse(now.Means(Find("Yields")), "a test that yields cannot run at once");
        }

        [Test]
        public void ARunSurvivesAsText()
        {
            var run = new TestRun(new ExecutionSettings(Filtered(new[] { "a" }, null, new[] { "b" })))
            {
                Phase = TestPhase.Play, Done = 2
            };
            run.Tests.AddRange(new[] { "x", "y" });
            run.Outcomes["x"] = TestOutcome.Of("Failed", "Error", "m\u0001\n\"");
            string text = Standin.Json.Write(run.Export());
            TestRun again = TestRun.Import(Standin.Json.ReadObject(text));
            Assert.AreEqual(text, Standin.Json.Write(again.Export()));
            Assert.AreEqual("m\u0001\n\"", again.Outcomes["x"].Message);
            Assert.AreEqual(new[] { "b" }, again.Filters[0].categoryNames);
        }
    }
}
