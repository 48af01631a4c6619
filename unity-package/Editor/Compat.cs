using System;
#if UNITY_2021_2_OR_NEWER
using UnityEditor.SceneManagement;
#else
using UnityEditor.Experimental.SceneManagement;
#endif

namespace Multiverse.Editor
{
    /// <summary>
    /// What differs between the versions of Unity, and the only file with #if for them. Each member is
    /// one question with the same answer everywhere; sorted by name.
    /// </summary>
    public static class Compat
    {
        /// <summary>Forgets the unsaved changes of a prefab that is open in Prefab Mode.</summary>
        public static void DiscardUnsavedPrefab()
        {
            PrefabStage stage = PrefabStageUtility.GetCurrentPrefabStage();
            if (stage != null && stage.scene.isDirty)
                stage.ClearDirtiness();
        }

        /// <summary>Asset path of the prefab that is open in Prefab Mode with unsaved changes; null:
        /// there is none.</summary>
        public static string UnsavedPrefab()
        {
            PrefabStage stage = PrefabStageUtility.GetCurrentPrefabStage();
            if (stage == null || !stage.scene.isDirty)
                return null;
#if UNITY_2020_1_OR_NEWER
            return stage.assetPath;
#else
            return stage.prefabAssetPath;
#endif
        }
    }
}
