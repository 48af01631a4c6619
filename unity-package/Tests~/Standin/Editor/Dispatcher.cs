#if UNITY_2022_2_OR_NEWER
using System;
using Standin;

namespace UnityEditor.Search
{
    /// <summary>Runs on the main thread what any thread hands in; the next update comes at once.</summary>
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
