using System;
using System.Collections.Generic;
using UnityEditor.TestTools.TestRunner.Api;

namespace Multiverse.Editor
{
    /// <summary>
    /// The sum of test runs: the result of run_tests. Passed tests are only counted; at most
    /// MaxFailures failures are kept, with texts of MaxText bytes and together less than MaxBytes,
    /// because the result is one message.
    /// <code>
    ///     var sum = new TestResults();
    ///     sum.Add(editModeResult); sum.Add(playModeResult);
    ///     sum.Write(w);                  // {"summary": {...}, "failed_tests": [...], ...}
    ///     TestResults.Of(JsonReader.Read(w.ToString()))      // the same again
    /// </code>
    /// </summary>
    internal sealed class TestResults
    {
        public const int MaxFailures = 1000, MaxSkipped = 50, MaxText = 16 << 10, MaxBytes = 768 << 10;

        long passed, failed, skipped, inconclusive;
        double durationMs;
        bool truncated;
        readonly List<string> failures = new List<string>(); /* JSON objects */
        readonly List<string> skippedNames = new List<string>();
        int bytes;

        public long Total { get { return passed + failed + skipped + inconclusive; } }

        public void Add(ITestResultAdaptor run)
        {
            double sum = AddCases(run);
            durationMs += (run.Duration > 0 ? run.Duration : sum) * 1000;
        }

        /* Return the sum of the cases' seconds. */
        double AddCases(ITestResultAdaptor result)
        {
            double seconds = 0;
            if (result.HasChildren)
                foreach (ITestResultAdaptor child in result.Children)
                    seconds += AddCases(child);
            if (result.HasChildren || result.Test != null && result.Test.IsSuite)
                return seconds;
            AddCase(result);
            return result.Duration;
        }

        void AddCase(ITestResultAdaptor result)
        {
            switch (result.TestStatus)
            {
                case TestStatus.Passed:
                    passed++;
                    break;
                case TestStatus.Failed:
                    failed++;
                    AddFailure(result);
                    break;
                case TestStatus.Skipped:
                    skipped++;
                    if (skippedNames.Count < MaxSkipped)
                        skippedNames.Add(Truncate(result.FullName));
                    break;
                default:
                    inconclusive++;
                    break;
            }
        }

        void AddFailure(ITestResultAdaptor result)
        {
            if (failures.Count >= MaxFailures || bytes >= MaxBytes)
            {
                truncated = true;
                return;
            }
            var w = new JsonWriter();
            w.BeginObject();
            w.Member("name", Truncate(result.FullName));
            w.Member("message", Truncate(result.Message));
            w.Member("stack_trace", Truncate(result.StackTrace));
            w.Member("duration_ms", Rounded(result.Duration * 1000));
            w.EndObject();
            string failure = w.ToString();
            bytes += Utf8.Count(failure) + 1;
            if (bytes < MaxBytes)
                failures.Add(failure);
            truncated |= bytes >= MaxBytes;
        }

        string Truncate(string text)
        {
            string trimmed = (text ?? "").Trim(), head = Utf8.Head(trimmed, MaxText);
            truncated |= head.Length < trimmed.Length;
            return head;
        }

        /* Round to microseconds, because products of binary fractions have long ends. */
        static double Rounded(double ms) { return Math.Round(Math.Max(ms, 0), 3); }

        public void Write(JsonWriter w)
        {
            w.BeginObject();
            w.Key("summary");
            w.BeginObject();
            w.Member("total", Total);
            w.Member("passed", passed);
            w.Member("failed", failed);
            w.Member("skipped", skipped);
            w.Member("inconclusive", inconclusive);
            w.Member("duration_ms", Rounded(durationMs));
            w.EndObject();
            w.Key("failed_tests");
            w.BeginArray();
            foreach (string failure in failures)
                w.Raw(failure);
            w.EndArray();
            w.Key("skipped_tests");
            w.BeginArray();
            foreach (string name in skippedNames)
                w.Value(name);
            w.EndArray();
            w.Member("truncated", truncated);
            w.EndObject();
        }

        public static TestResults Of(JsonValue written)
        {
            JsonValue summary = written.Get("summary");
            var results = new TestResults
            {
                passed = summary.GetLong("passed", 0),
                failed = summary.GetLong("failed", 0),
                skipped = summary.GetLong("skipped", 0),
                inconclusive = summary.GetLong("inconclusive", 0),
                durationMs = summary.Get("duration_ms").AsDouble,
                truncated = written.GetBool("truncated", false)
            };
            foreach (JsonValue failure in written.Get("failed_tests").Items)
            {
                var w = new JsonWriter();
                w.Value(failure);
                results.failures.Add(w.ToString());
                results.bytes += Utf8.Count(w.ToString()) + 1;
            }
            foreach (JsonValue name in written.Get("skipped_tests").Items)
                results.skippedNames.Add(name.AsString);
            return results;
        }
    }
}
