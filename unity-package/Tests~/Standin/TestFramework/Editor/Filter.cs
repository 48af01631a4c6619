using System;

namespace UnityEditor.TestTools.TestRunner.Api
{
    [Flags]
    public enum TestMode { EditMode = 1 << 0, PlayMode = 1 << 1 }

    public enum RunState { NotRunnable, Runnable, Explicit, Skipped, Ignored }

    public enum TestStatus { Inconclusive, Skipped, Passed, Failed }

    /// <summary>Selects tests: those that match every non-empty list.</summary>
    [Serializable]
    public class Filter
    {
        public TestMode testMode;
        public string[] testNames;
        public string[] groupNames;
        public string[] categoryNames;
        public string[] assemblyNames;
        public BuildTarget? targetPlatform;
    }

    [Serializable]
    public class ExecutionSettings
    {
        public Filter[] filters;
        public bool runSynchronously;
        public int playerHeartbeatTimeout = 60 * 10;

        public ExecutionSettings(params Filter[] filtersToExecute) { filters = filtersToExecute; }
    }
}
