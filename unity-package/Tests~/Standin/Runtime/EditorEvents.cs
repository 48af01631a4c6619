namespace Standin
{
    /// <summary>
    /// What parts of the stand-in tell the update loop. Unity raises EditorApplication.hierarchyChanged
    /// and projectChanged once per update, whatever happened in it; so does the host, from these flags.
    /// </summary>
    public static class EditorEvents
    {
        internal static bool HierarchyIsNew;
        internal static bool ProjectIsNew;
        internal static bool ObjectsAreNew;
        internal static volatile bool UpdateIsAsked;
        /// <summary>Ends the host's wait for the next update. From any thread.</summary>
        internal static System.Action Waker = () => { };

        /// <summary>An object of a scene was created, destroyed, renamed or got another parent.</summary>
        public static void HierarchyChanged() { HierarchyIsNew = true; }

        /// <summary>Something was done to an object, with undo.</summary>
        public static void ObjectsChanged() { ObjectsAreNew = true; }

        /// <summary>An asset was created, moved, changed or deleted.</summary>
        public static void ProjectChanged() { ProjectIsNew = true; }

        /// <summary>Another update soon, even if the editor has no focus.</summary>
        public static void QueueUpdate()
        {
            UpdateIsAsked = true;
            Waker();
        }
    }
}
