#if UNITY_2020_2_OR_NEWER
namespace UnityEditor.MPE
{
    public enum ProcessLevel
    {
#if UNITY_2021_1_OR_NEWER
        Main = 1,
        Secondary = 2
#else
        Master = 1,
        Slave = 2
#endif
    }

    /// <summary>Whether this is the editor or a helper process; always the editor.</summary>
    public static class ProcessService
    {
        public static ProcessLevel level { get { return (ProcessLevel)1; } }
    }
}
#endif
