using UnityEditor.TestTools.TestRunner.Api;
using UnityEngine;

namespace Multiverse.Editor
{
    /// <summary>Unity's test runner, and the only file with #if for its versions.</summary>
    internal static class TestFramework
    {
        /// <summary>Register callbacks; Unity drops them at each domain reload.</summary>
        public static void Register(RunCallbacks callbacks)
        {
            var api = ScriptableObject.CreateInstance<TestRunnerApi>();
            api.RegisterCallbacks(callbacks);
            Object.DestroyImmediate(api);
        }

        /// <summary>Start a run in one of the next editor updates. Return its id, for Cancel.</summary>
        public static string Execute(Filter filter)
        {
            var api = ScriptableObject.CreateInstance<TestRunnerApi>();
            try
            {
#if MULTIVERSE_TEST_CANCEL
                return api.Execute(new ExecutionSettings(filter));
#else
                api.Execute(new ExecutionSettings(filter));
                return "";
#endif
            }
            finally
            {
                Object.DestroyImmediate(api);
            }
        }

        /// <summary>Ask a run to stop. Return false if it cannot be stopped; before version 1.4.0 no
        /// run can.</summary>
        public static bool Cancel(string id)
        {
#if MULTIVERSE_TEST_CANCEL
            return TestRunnerApi.CancelTestRun(id);
#else
            return false;
#endif
        }
    }
}
