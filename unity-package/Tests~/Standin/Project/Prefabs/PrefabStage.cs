using UnityEngine;
using UnityEngine.SceneManagement;

#if UNITY_2021_2_OR_NEWER
namespace UnityEditor.SceneManagement
#else
namespace UnityEditor.Experimental.SceneManagement
#endif
{
    /// <summary>A prefab open in Prefab Mode. The stand-in never opens one.</summary>
    public sealed class PrefabStage
    {
        PrefabStage() { }

        public Scene scene { get { return new Scene(); } }
        public GameObject prefabContentsRoot { get { return null; } }
#if UNITY_2020_1_OR_NEWER
        public string assetPath { get { return ""; } }
#else
        public string prefabAssetPath { get { return ""; } }
#endif
        public void ClearDirtiness() { }
    }

    public static class PrefabStageUtility
    {
        public static PrefabStage GetCurrentPrefabStage() { return null; }
        public static PrefabStage GetPrefabStage(GameObject gameObject) { return null; }
    }
}
