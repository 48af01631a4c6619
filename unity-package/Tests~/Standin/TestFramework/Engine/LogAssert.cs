using System.Collections.Generic;
using System.Text.RegularExpressions;
using NUnit.Framework;
using Standin.Testing;

namespace UnityEngine.TestTools
{
    /// <summary>
    /// The log messages that a test expects. An unexpected error, assertion or exception fails the
    /// test, and so does a missing expected message.
    /// </summary>
    public static class LogAssert
    {
        public static bool ignoreFailingMessages
        {
            get { return LogScope.Current != null && LogScope.Current.Ignores; }
            set
            {
                if (LogScope.Current != null)
                    LogScope.Current.Ignores = value;
            }
        }

        public static void Expect(LogType type, string message)
        {
            LogScope.Current.Expect(type, message, text => text == message);
        }

        public static void Expect(LogType type, Regex message)
        {
            LogScope.Current.Expect(type, message.ToString(), message.IsMatch);
        }

        public static void NoUnexpectedReceived()
        {
            string unexpected = LogScope.Current.FirstUnexpected(false);
            if (unexpected != null)
                throw new AssertionException(unexpected);
        }
    }
}

namespace Standin.Testing
{
    using UnityEngine;

    /// <summary>The log messages of one test.</summary>
    sealed class LogScope
    {
        struct Line
        {
            public LogType Type;
            public string Message;
        }

        struct Expected
        {
            public LogType Type;
            public string Description;
            public System.Predicate<string> Fits;
        }

        public static LogScope Current;

        readonly List<Line> lines = new List<Line>();
        readonly List<Expected> expected = new List<Expected>();
        public bool Ignores;

        /// <summary>Make every test run inside a LogScope.</summary>
        public static void Install()
        {
            TestExecution.Before = test => Begin();
            TestExecution.After = test => End();
            TestExecution.IsWaiting = IsWaiting;
            TestExecution.YieldingSetUp = typeof(UnityEngine.TestTools.UnitySetUpAttribute);
            TestExecution.YieldingTearDown = typeof(UnityEngine.TestTools.UnityTearDownAttribute);
        }

        static bool IsWaiting(object yielded, double seconds)
        {
            var wait = yielded as WaitForSeconds;
            var routine = yielded as Coroutine;
            return wait != null ? seconds < wait.seconds : routine != null && !routine.IsOver;
        }

        static void Begin()
        {
            if (Current != null)
                Application.logMessageReceivedThreaded -= Current.OnLog;
            Current = new LogScope();
            Application.logMessageReceivedThreaded += Current.OnLog;
        }

        static string End()
        {
            LogScope ended = Current;
            Current = null;
            Application.logMessageReceivedThreaded -= ended.OnLog;
            return ended.FirstUnexpected(true);
        }

        void OnLog(string message, string stackTrace, LogType type)
        {
            lock (lines)
                lines.Add(new Line { Type = type, Message = message });
        }

        public void Expect(LogType type, string description, System.Predicate<string> fits)
        {
            expected.Add(new Expected { Type = type, Description = description, Fits = fits });
        }

        /// <summary>Return the first problem, or null. failing: ignore plain messages and
        /// warnings.</summary>
        public string FirstUnexpected(bool failing)
        {
            lock (lines)
            {
                foreach (Line line in lines)
                {
                    int at = expected.FindIndex(e => e.Type == line.Type && e.Fits(line.Message));
                    if (at >= 0)
                        expected.RemoveAt(at);
                    else if (!Ignores && (!failing || line.Type != LogType.Log && line.Type != LogType.Warning))
                        return "Unhandled log message: '[" + line.Type + "] " + line.Message +
                               "'. Use UnityEngine.TestTools.LogAssert.Expect";
                }
                lines.Clear();
            }
            return failing && expected.Count > 0
                ? "Expected log did not appear: [" + expected[0].Type + "] " + expected[0].Description : null;
        }
    }
}
