namespace UnityEditor
{
    public enum BuildTarget
    {
        StandaloneOSX = 2, StandaloneWindows = 5, iOS = 9, Android = 13, StandaloneWindows64 = 19, WebGL = 20,
        StandaloneLinux64 = 24, NoTarget = -2
    }

    public enum BuildTargetGroup { Unknown = 0, Standalone = 1, iOS = 4, Android = 7, WebGL = 13 }

    public partial class EditorUserBuildSettings
    {
        public static BuildTarget activeBuildTarget { get { return BuildTarget.StandaloneLinux64; } }
        public static BuildTargetGroup selectedBuildTargetGroup { get { return BuildTargetGroup.Standalone; } }
        public static bool development { get; set; }
    }
}
