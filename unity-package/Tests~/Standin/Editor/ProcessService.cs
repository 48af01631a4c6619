#if UNITY_2021_1_OR_NEWER
namespace UnityEditor.MPE
{
    public enum ProcessLevel
    {
        Main = 1,
        Secondary = 2
    }

    /// <summary>Whether this is the editor or a process that the editor has started; always the editor.</summary>
    public static class ProcessService
    {
        public static ProcessLevel level { get { return ProcessLevel.Main; } }
    }
}
#endif
