namespace Standin
{
    /// <summary>
    /// Notifications of the stand-in's parts for the update loop. Like Unity, the host raises
    /// EditorApplication.hierarchyChanged and projectChanged at most once per update.
    /// </summary>
    public static class EditorEvents
    {
        internal static bool HierarchyIsNew;
        internal static bool ProjectIsNew;
        internal static bool ObjectsAreNew;
        internal static volatile bool UpdateIsAsked;
        /// <summary>Ends the host's wait for the next update. Callable on any thread.</summary>
        internal static System.Action Waker = () => { };

        /// <summary>An object of a scene was created, destroyed, renamed or moved.</summary>
        public static void HierarchyChanged() { HierarchyIsNew = true; }

        /// <summary>An object was changed with undo.</summary>
        public static void ObjectsChanged() { ObjectsAreNew = true; }

        /// <summary>An asset was created, moved, changed or deleted.</summary>
        public static void ProjectChanged() { ProjectIsNew = true; }

        /// <summary>Request an update soon, even without focus.</summary>
        public static void QueueUpdate()
        {
            UpdateIsAsked = true;
            Waker();
        }
    }
}
