#if UNITY_2022_2_OR_NEWER
using System;
using Standin;

namespace UnityEditor.Search
{
    /// <summary>Runs actions of any thread on the main thread, and requests the next update at
    /// once.</summary>
    public static class Dispatcher
    {
        public static void Enqueue(Action action)
        {
            EditorLoop.Context.Post(state => ((Action)state)(), action);
            EditorLoop.Wake();
        }
    }
}
#endif
