using UnityEditor.TestTools.TestRunner.Api;

namespace Multiverse.Editor
{
    /// <summary>Forwards Unity's events of all test runs, its own and the user's, to <see
    /// cref="RunTests"/>.</summary>
    internal sealed class RunCallbacks : IErrorCallbacks
    {
        readonly RunTests tool;

        public RunCallbacks(RunTests tool) { this.tool = tool; }

        public void RunStarted(ITestAdaptor testsToRun) { tool.OnRunStarted(testsToRun); }
        public void RunFinished(ITestResultAdaptor result) { tool.OnRunFinished(result); }
        public void TestStarted(ITestAdaptor test) { tool.OnTestStarted(test); }
        public void TestFinished(ITestResultAdaptor result) { tool.OnTestFinished(result); }
        public void OnError(string message) { tool.OnError(message); }
    }
}
