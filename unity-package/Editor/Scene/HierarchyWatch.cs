using UnityEditor;

namespace Multiverse.Editor
{
    /// <summary>Counts the Editor's hierarchy changes since the first use, so that paused work can
    /// check whether its data are still valid.</summary>
    static class HierarchyWatch
    {
        static HierarchyWatch() { EditorApplication.hierarchyChanged += Count; }

        public static int Changes { get; private set; }

        static void Count() { Changes++; }
    }
}
