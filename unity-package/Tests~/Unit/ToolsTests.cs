using System;
using System.Diagnostics;
using NUnit.Framework;

namespace Multiverse.Editor.Tests
{
    /// <summary>Parts of the tools for console, scenes and tests.</summary>
    public class ToolsTests
    {
        static string FailWith(string pattern)
        {
            ToolError e = Assert.Throws<ToolError>(() => Pattern.Of("message_pattern", pattern));
            Assert.AreEqual("ERR_INVALID_PARAMS", e.Code);
            return e.Message;
        }

        [Test]
        public void APatternMatchesInAnyCase()
        {
            Assert.IsTrue(Pattern.Of("p", "null.*ref").Matches("a NullReferenceException"));
            Assert.IsTrue(Pattern.Of("p", "^\u00c4").Matches("\u00e4"));
            Assert.IsFalse(Pattern.Of("p", "^b").Matches("ab"));
            Assert.AreEqual(null, Pattern.Of("p", ""));
        }

        [Test]
        public void AnInvalidPatternErrorHasThePosition()
        {
            Assert.AreEqual("message_pattern is not a valid regular expression: at byte 2: Not enough )'s",
                            FailWith("a("));
            Assert.AreEqual("message_pattern is not a valid regular expression: at byte 5: Unterminated [] set",
                            FailWith("\u00e4\u00e4[a"));
            StringAssert.StartsWith("message_pattern is not a valid regular expression: at byte 1: ", FailWith("*"));
            StringAssert.StartsWith("message_pattern is not a valid regular expression: at byte 3: ", FailWith("a++"));
            StringAssert.Contains("POSIX", FailWith("[[:alpha:]]+"));
            Assert.AreEqual("message_pattern may have at most 1024 bytes, and has 1025", FailWith(new string('a', 1025)));
        }

        [Test]
        public void ASlowPatternIsStopped()
        {
            var watch = Stopwatch.StartNew();
            Pattern p = Pattern.Of("name_pattern", "(a+)+$");
            ToolError e = Assert.Throws<ToolError>(() => p.Matches(new string('a', 60) + "!"));
            Assert.AreEqual("name_pattern takes too long to match: simplify it (nested repetitions are the usual " +
                            "cause)", e.Message);
            Assert.IsTrue(watch.ElapsedMilliseconds < 5000);
        }

        [Test]
        public void ManyMatchesShareOneBudget()
        {
            Pattern p = Pattern.Of("name_pattern", "(x+x+)+y");
            Assert.Throws<ToolError>(() =>
            {
                for (int i = 0; i < 100000; i++)
                    p.Matches(new string('x', 18));
            });
        }

        [Test]
        public void NamesOfScenes()
        {
            Assert.AreEqual("Main", SceneFiles.NameOf("Assets/Scenes/Main.unity"));
            Assert.AreEqual("Main.txt", SceneFiles.NameOf("Main.txt"));
            Assert.AreEqual("", SceneFiles.NameOf("Assets/.unity"));
        }

        static string Groups(string filter)
        {
            TestPlan plan = TestPlan.Of(JsonReader.Read("{\"filter\":" + Quoted(filter) + "}"));
            string[] groups = plan.FilterFor(UnityEditor.TestTools.TestRunner.Api.TestMode.EditMode).groupNames;
            return groups == null ? null : string.Join(" | ", groups);
        }

        static string Quoted(string text)
        {
            var w = new JsonWriter();
            w.Value(text);
            return w.ToString();
        }

        [Test]
        public void AFilterIsANameABeginningOrAnExpression()
        {
            Assert.AreEqual(null, Groups(""));
            Assert.AreEqual("Game.Tests.Stops", Groups("Game.Tests.Stops"));
            Assert.AreEqual("Game.T(1) | ^Game\\.T\\(1\\)", Groups("Game.T(1)"));
            Assert.AreEqual("^Game\\.T\\(1", Groups("Game.T(1"));
            Assert.AreEqual("A | B | ^A;B", Groups("A;B"));
            Assert.AreEqual("!Slow", Groups("!Slow"));
            Assert.AreEqual("!^a\\(", Groups("!a("));
            Assert.AreEqual("A | ^A;", Groups("A;"));
            Assert.AreEqual(null, Groups(";"));
        }

        [Test]
        public void ASlowFilterIsRejected()
        {
            ToolError e = Assert.Throws<ToolError>(() => Groups("(n+)+$"));
            Assert.AreEqual("ERR_INVALID_PARAMS", e.Code);
            Assert.Throws<ToolError>(() => Groups("(.+)+\\d"));
            Groups("^Game\\.(Enemy|Player)\\..*Stops+$");
        }

        [Test]
        public void NamesOfAssembliesAreNames()
        {
            ToolError e = Assert.Throws<ToolError>(() => TestPlan.Of(JsonReader.Read("{\"assemblies\":[\"A;B\"]}")));
            Assert.AreEqual("a name in assemblies must not contain \";\"", e.Message);
            TestPlan plan = TestPlan.Of(JsonReader.Read(
                "{\"mode\":\"all\",\"assemblies\":[\"A\",\"\"],\"categories\":[]}"));
            Assert.AreEqual(new[] { "A" }, plan.Assemblies);
            Assert.IsTrue(plan.Edit && plan.Play);
            var filter = plan.FilterFor(UnityEditor.TestTools.TestRunner.Api.TestMode.PlayMode);
            Assert.AreEqual(null, filter.categoryNames);
            Assert.AreEqual(UnityEditor.TestTools.TestRunner.Api.TestMode.PlayMode, filter.testMode);
        }

        [Test]
        public void ARunIsRestoredAfterAReload()
        {
            var run = new TestJob("job-1", TestPlan.Of(JsonReader.Read(
                "{\"mode\":\"all\",\"filter\":\"A\\\"\",\"categories\":[\"c\"]}")))
            {
                Stage = TestStage.Running, IsPlay = true, RunId = "g", Done = 3, Total = 7, Current = "A.B"
            };
            TestJob next = TestJob.Of(run.ToString());
            Assert.AreEqual(run.ToString(), next.ToString());
            Assert.IsTrue(next.WasReloaded && next.IsPlay && next.Error == null);
            Assert.AreEqual(null, TestJob.Of("{"));
            Assert.AreEqual(null, TestJob.Of("{}"));
        }

        [Test]
        public void ResultsAreRestoredAfterAReload()
        {
            const string text =
                "{\"summary\":{\"total\":4,\"passed\":1,\"failed\":1,\"skipped\":1,\"inconclusive\":1," +
                "\"duration_ms\":12.5},\"failed_tests\":[{\"name\":\"A.B\",\"message\":\"m\"," +
                "\"stack_trace\":\"\",\"duration_ms\":1.0}],\"skipped_tests\":[\"A.C\"],\"truncated\":true}";
            var w = new JsonWriter();
            TestResults.Of(JsonReader.Read(text)).Write(w);
            Assert.AreEqual(text, w.ToString());
        }

        [Test]
        public void HeadsAreCountedInBytes()
        {
            Assert.AreEqual("aa", Utf8.Head("aaa", 2));
            Assert.AreEqual("\u00e4", Utf8.Head("\u00e4\u00e4", 3));
            Assert.AreEqual("", Utf8.Head("\u20ac", 2));
            Assert.AreEqual("\u20ac", Utf8.Head("\u20ac", 3));
            string face = char.ConvertFromUtf32(0x1f600);
            Assert.AreEqual("", Utf8.Head(face, 3));
            Assert.AreEqual(face, Utf8.Head(face, 4));
            /* an unpaired surrogate: three bytes of U+FFFD */
            Assert.AreEqual("\ud800", Utf8.Head("\ud800x", 3));
        }
    }
}
