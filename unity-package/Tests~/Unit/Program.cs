using System;
using System.Text.RegularExpressions;
using Standin.Testing;

namespace Multiverse.Editor.Unit
{
    /// <summary>
    /// Runs the tests of this assembly without an editor. Prints TAP; the exit code is 1 if a test
    /// failed or none was found. [InitializeOnLoadMethod]s run first, as in an editor; classes with
    /// [InitializeOnLoad] (the connection) are left to the tests that need them.
    /// <code>
    ///     mono unit.exe [REGEX]       // only tests whose full name fits
    /// </code>
    /// </summary>
    static class Program
    {
        static int Main(string[] args)
        {
            var wanted = new Regex(args.Length > 0 ? args[0] : "");
            TestNode root = new TestTree("unit").Add(typeof(Program).Assembly, false).Root;
            LogScope.Install();
            Standin.Startup.Assemblies.Add(typeof(Program).Assembly);
            Standin.Startup.Call<UnityEditor.InitializeOnLoadMethodAttribute>();
            int run = 0, failed = 0;
            Fixture fixture = null;
            foreach (TestNode test in root.Leaves())
            {
                if (!wanted.IsMatch(test.FullName))
                    continue;
                if (fixture == null || !fixture.Holds(test))
                {
                    failed += Leave(fixture);
                    fixture = new Fixture(test);
                }
                failed += Run(test, fixture, ++run);
            }
            failed += Leave(fixture);
            Console.WriteLine("1.." + run);
            Console.WriteLine("# " + run + " tests, " + failed + " failed");
            return failed > 0 || run == 0 ? 1 : 0;
        }

        static int Run(TestNode test, Fixture fixture, int number)
        {
            TestOutcome outcome = Outcome(test, fixture);
            bool isGood = outcome.Status == "Passed" || outcome.Status == "Skipped";
            Console.WriteLine((isGood ? "ok " : "not ok ") + number + " - " + test.FullName +
                              (outcome.Status == "Skipped" ? " # SKIP " + outcome.Message : ""));
            if (!isGood)
                Console.WriteLine("# " + (outcome.Message + "\n" + outcome.StackTrace).Replace("\n", "\n# "));
            return isGood ? 0 : 1;
        }

        static TestOutcome Outcome(TestNode test, Fixture fixture)
        {
            string reason;
            TestRunState state = test.EffectiveState(out reason);
            if (state == TestRunState.Ignored || test.IsExplicit)
                return TestOutcome.Of("Skipped", "", reason);
            if (state == TestRunState.NotRunnable)
                return TestOutcome.Of("Failed", "", reason);
            var execution = new TestExecution(test, fixture);
            TestOutcome outcome;
            do
                outcome = execution.Step();
            while (outcome == null);
            return outcome;
        }

        static int Leave(Fixture fixture)
        {
            Exception thrown = fixture == null ? null : fixture.TearDownOnce();
            if (thrown != null)
                Console.WriteLine("# OneTimeTearDown: " + thrown);
            return thrown == null ? 0 : 1;
        }
    }
}
