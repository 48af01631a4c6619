using System;
using Standin.Testing;
using UnityEngine;

namespace UnityEditor.TestTools.TestRunner.Api
{
    public interface ICallbacks
    {
        void RunStarted(ITestAdaptor testsToRun);
        void RunFinished(ITestResultAdaptor result);
        void TestStarted(ITestAdaptor test);
        void TestFinished(ITestResultAdaptor result);
    }

    public interface IErrorCallbacks : ICallbacks
    {
        void OnError(string message);
    }

    /// <summary>
    /// Runs the project's tests, one per update. The members are those of test framework 1.1, or of
    /// 1.4 with Unity 2022.3 and later.
    /// </summary>
    public class TestRunnerApi : ScriptableObject
    {
        /// <summary>Return the id of the run, which begins in the next update.</summary>
        public string Execute(ExecutionSettings executionSettings)
        {
            if (executionSettings == null)
                throw new ArgumentNullException("executionSettings");
            return TestRuns.Add(executionSettings);
        }

        public void RegisterCallbacks<T>(T testCallbacks, int priority = 0) where T : ICallbacks
        {
            TestCallbacks.Add(testCallbacks, priority);
        }

        public void UnregisterCallbacks<T>(T testCallbacks) where T : ICallbacks
        {
            TestCallbacks.Remove(testCallbacks);
        }

        public void RetrieveTestList(TestMode testMode, Action<ITestAdaptor> callback)
        {
            if (callback == null)
                throw new ArgumentNullException("callback");
            EditorApplication.delayCall += () => callback(TestAdaptor.Of(ProjectTests.Tree(testMode), null));
        }

#if UNITY_2022_3_OR_NEWER
        public static void RegisterTestCallback<T>(T testCallbacks, int priority = 0) where T : ICallbacks
        {
            TestCallbacks.Add(testCallbacks, priority);
        }

        public static void UnregisterTestCallback<T>(T testCallbacks) where T : ICallbacks
        {
            TestCallbacks.Remove(testCallbacks);
        }

        public static void SaveResultToFile(ITestResultAdaptor results, string xmlFilePath)
        {
            TestResultFile.Write(results, xmlFilePath);
        }

        /// <summary>Return false if there is no such run, or it is being cancelled already.</summary>
        public static bool CancelTestRun(string guid) { return TestRuns.Cancel(guid); }
#endif
    }
}
