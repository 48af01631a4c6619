#if UNITY_2020_2_OR_NEWER
using Standin;

namespace UnityEditor
{
    /// <summary>The changes of objects since the last event. Here it only shows that there was
    /// one.</summary>
    public struct ObjectChangeEventStream
    {
        public int length { get { return 1; } }
        public bool isCreated { get { return true; } }
    }

    /// <summary>Raised once per update after undoable changes.</summary>
    public static class ObjectChangeEvents
    {
        public delegate void ObjectChangeEventsHandler(ref ObjectChangeEventStream stream);

        public static event ObjectChangeEventsHandler changesPublished;

        internal static void Publish()
        {
            if (changesPublished == null)
                return;
            EditorLoop.Guarded(() =>
            {
                var stream = new ObjectChangeEventStream();
                changesPublished(ref stream);
            });
        }
    }
}
#endif
