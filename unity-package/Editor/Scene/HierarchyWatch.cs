using UnityEditor;

namespace Multiverse.Editor
{
    /// <summary>Counts the changes of the hierarchy that the Editor tells of, from the first question on:
    /// work that pauses sees by it whether what it has gathered still holds.</summary>
    static class HierarchyWatch
    {
        static HierarchyWatch() { EditorApplication.hierarchyChanged += Count; }

        public static int Changes { get; private set; }

        static void Count() { Changes++; }
    }
}
