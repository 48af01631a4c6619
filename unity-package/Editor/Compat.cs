using System;
using UnityEditor;

namespace Multiverse.Editor
{
    /// <summary>
    /// What differs between the versions of Unity, and the only file with #if for them. Each member is
    /// one question with the same answer everywhere; sorted by name.
    /// </summary>
    public static class Compat
    {
        /// <summary>A helper process of Unity that imports assets: it has the project open, too, and is
        /// no editor. Before 2021.1 all of them run in batch mode.</summary>
        public static bool IsImportWorker()
        {
#if UNITY_2021_1_OR_NEWER
            return AssetDatabase.IsAssetImportWorkerProcess();
#else
            return false;
#endif
        }

        /// <summary>Main thread, once, before Wake: Unity's side of it may only begin there.</summary>
        public static void PrepareWake()
        {
#if UNITY_2022_2_OR_NEWER
            UnityEditor.Search.Dispatcher.Enqueue(Nothing);
#endif
        }

        /// <summary>
        /// From any thread: has the main thread call this soon, also in an editor without the focus,
        /// which updates rarely (Windows: next to never). Search.Dispatcher is the documented way for
        /// threads to do that; it is public from 2022.2 on. Before that only the editor's own updates
        /// come, some ten a second, and this does nothing.
        /// </summary>
        public static void Wake(Action onMainThread)
        {
#if UNITY_2022_2_OR_NEWER
            UnityEditor.Search.Dispatcher.Enqueue(onMainThread);
#endif
        }

#if UNITY_2022_2_OR_NEWER
        static void Nothing() { }
#endif
    }
}
