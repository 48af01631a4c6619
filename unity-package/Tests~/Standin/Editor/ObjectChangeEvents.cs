#if UNITY_2020_2_OR_NEWER
using Standin;

namespace UnityEditor
{
    /// <summary>What happened to objects since the last one. Here it only says that something did.</summary>
    public struct ObjectChangeEventStream
    {
        public int length { get { return 1; } }
        public bool isCreated { get { return true; } }
    }

    /// <summary>Tells once per update of everything that Undo has heard of.</summary>
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
