using UnityEditor;

namespace Multiverse.Editor
{
    /// <summary>
    /// What differs between the versions of Unity, and the only file with #if for them. Each member is
    /// one question with the same answer everywhere; sorted by name.
    /// </summary>
    public static class Compat
    {
        /// <summary>Of the asset that a broken reference pointed to, or of the scene if it was an object in
        /// it; null: nobody knows.</summary>
        public static string GuidOfBrokenReference(SerializedProperty reference)
        {
            string guid;
            long id;
#if UNITY_6000_4_OR_NEWER
            var target = reference.objectReferenceEntityIdValue;
#else
            int target = reference.objectReferenceInstanceIDValue;
#endif
            return AssetDatabase.TryGetGUIDAndLocalFileIdentifier(target, out guid, out id) ? guid : null;
        }

        /// <summary>The digits of a Hash128; null: it is none.</summary>
        public static string HashText(SerializedProperty property)
        {
#if UNITY_2021_1_OR_NEWER
            if (property.propertyType == SerializedPropertyType.Hash128)
                return property.hash128Value.ToString();
#endif
            return null;
        }

        /// <summary>Whether a reference whose value is null points to something that is not there.</summary>
        public static bool IsReferenceBroken(SerializedProperty reference)
        {
#if UNITY_6000_4_OR_NEWER
            return !reference.objectReferenceEntityIdValue.Equals(default(UnityEngine.EntityId));
#else
            return reference.objectReferenceInstanceIDValue != 0;
#endif
        }

        /// <summary>Asset path of the prefab that is open for editing; null: none is.</summary>
        public static string OpenPrefabPath()
        {
#if UNITY_2021_2_OR_NEWER
            var stage = UnityEditor.SceneManagement.PrefabStageUtility.GetCurrentPrefabStage();
            return stage == null ? null : stage.assetPath;
#elif UNITY_2020_1_OR_NEWER
            var stage = UnityEditor.Experimental.SceneManagement.PrefabStageUtility.GetCurrentPrefabStage();
            return stage == null ? null : stage.assetPath;
#else
            var stage = UnityEditor.Experimental.SceneManagement.PrefabStageUtility.GetCurrentPrefabStage();
            return stage == null ? null : stage.prefabAssetPath;
#endif
        }
    }
}
