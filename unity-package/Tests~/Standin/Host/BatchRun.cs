using System;
using System.Collections.Generic;
using System.IO;
using System.Reflection;
using Standin.Testing;
using UnityEditor.TestTools.TestRunner.Api;

namespace Standin.Host
{
    /// <summary>
    /// Executes the command line: -runTests (results in a file, progress as "[3/12] NAME" on
    /// standard output), -executeMethod, -quit. Unity's exit codes: 0 all passed, 2 tests failed, 3
    /// they could not be run; 1 a method threw.
    /// </summary>
    sealed class BatchRun : IErrorCallbacks
    {
        const int testsFailed = 2, runError = 3;

        readonly Options options;
        readonly TextWriter output;
        int total, done;

        public BatchRun(Options options, TextWriter output)
        {
            this.options = options;
            this.output = output;
        }

        public object Export() { return new List<object> { total, done }; }

        public void Import(object value)
        {
            var counts = (List<object>)value;
            total = Convert.ToInt32(counts[0]);
            done = Convert.ToInt32(counts[1]);
        }

        /// <summary>isReloaded: the run began in an earlier domain.</summary>
        public void Begin(bool isReloaded)
        {
            if (options.Has("-runTests"))
            {
                TestCallbacks.Add(this, 0);
                if (!isReloaded)
                    Execute();
            }
            else if (!isReloaded)
            {
                if (options.Get("-executeMethod") != null)
                    Invoke(options.Get("-executeMethod"));
                if (options.Has("-quit"))
                    EditorLoop.Exit(0);
            }
        }

        void Execute()
        {
            var filter = new Filter
            {
                testMode = IsPlayMode ? TestMode.PlayMode : TestMode.EditMode,
                groupNames = options.List("-testFilter"), categoryNames = options.List("-testCategory"),
                assemblyNames = options.List("-assemblyNames")
            };
            TestRuns.Add(new ExecutionSettings(filter));
        }

        bool IsPlayMode
        {
            get { return string.Equals(options.Get("-testPlatform"), "PlayMode", StringComparison.OrdinalIgnoreCase); }
        }

        static void Invoke(string name)
        {
            int dot = name.LastIndexOf('.');
            foreach (Type type in Startup.Types())
            {
                if (dot < 0 || type.FullName != name.Substring(0, dot))
                    continue;
                MethodInfo method = type.GetMethod(name.Substring(dot + 1), BindingFlags.Static | BindingFlags.Public |
                                                   BindingFlags.NonPublic, null, Type.EmptyTypes, null);
                if (method == null)
                    continue;
                method.Invoke(null, null);
                return;
            }
            throw new ArgumentException("executeMethod: no static method " + name);
        }

        public void RunStarted(ITestAdaptor testsToRun) { total = TestRuns.ActiveCount; }
        public void TestStarted(ITestAdaptor test) { }

        public void TestFinished(ITestResultAdaptor result)
        {
            if (!result.Test.IsSuite)
                output.WriteLine("[" + ++done + "/" + total + "] " + result.FullName);
        }

        public void RunFinished(ITestResultAdaptor result)
        {
            TestResultFile.Write(result, options.Get("-testResults") ?? "TestResults-" + DateTime.UtcNow.Ticks + ".xml");
            EditorLoop.Exit(result.FailCount + result.InconclusiveCount > 0 ? testsFailed : 0);
        }

        public void OnError(string message)
        {
            output.WriteLine(message);
            EditorLoop.Exit(runError);
        }
    }
}
