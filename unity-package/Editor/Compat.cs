using System;
using UnityEditor;
using UnityEngine;
#if UNITY_2021_2_OR_NEWER
using UnityEditor.SceneManagement;
#else
using UnityEditor.Experimental.SceneManagement;
#endif

namespace Multiverse.Editor
{
    /// <summary>
    /// The differences between Unity's versions; the only file with #if for them. Each member
    /// behaves the same in every version. Sorted by name.
    /// </summary>
    public static class Compat
    {
        /// <summary>Discard the unsaved changes of the prefab that is open in Prefab Mode.</summary>
        public static void DiscardUnsavedPrefab()
        {
            PrefabStage stage = PrefabStageUtility.GetCurrentPrefabStage();
            if (stage != null && stage.scene.isDirty)
                stage.ClearDirtiness();
        }

        /// <summary>The GUID of the asset that a broken reference pointed to, or of the scene if the
        /// object was in it; null: unknown.</summary>
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

        /// <summary>The digits of a Hash128; null for another type.</summary>
        public static string HashText(SerializedProperty property)
        {
#if UNITY_2021_1_OR_NEWER
            if (property.propertyType == SerializedPropertyType.Hash128)
                return property.hash128Value.ToString();
#endif
            return null;
        }

        /// <summary>Whether a prefab instance stores the position of an added component.</summary>
        public static bool InstancesHavePlaces
        {
            get
            {
#if UNITY_2022_2_OR_NEWER
                return true;
#else
                return false;
#endif
            }
        }

        /// <summary>Whether this is a process that Unity started for imports or the profiler. It has
        /// the project open but is no editor. Before 2021.1, import processes run in batch
        /// mode.</summary>
        public static bool IsHelperProcess()
        {
#if UNITY_2021_1_OR_NEWER
            return AssetDatabase.IsAssetImportWorkerProcess() ||
                   UnityEditor.MPE.ProcessService.level == UnityEditor.MPE.ProcessLevel.Secondary;
#elif UNITY_2020_2_OR_NEWER
            return AssetDatabase.IsAssetImportWorkerProcess() ||
                   UnityEditor.MPE.ProcessService.level == UnityEditor.MPE.ProcessLevel.Slave;
#else
            return false;
#endif
        }

        /// <summary>Whether a reference whose value is null points to a missing object.</summary>
        public static bool IsReferenceBroken(SerializedProperty reference)
        {
#if UNITY_6000_4_OR_NEWER
            return !reference.objectReferenceEntityIdValue.Equals(default(UnityEngine.EntityId));
#else
            return reference.objectReferenceInstanceIDValue != 0;
#endif
        }

        /// <summary>Call the action once per group of undoable changes to scene objects, including
        /// their fields.</summary>
        public static void OnObjectsChanged(Action changed)
        {
            objectsChanged = changed;
#if UNITY_2020_2_OR_NEWER
            ObjectChangeEvents.changesPublished += ReportObjectChange;
#else
            /* Unity uses the last handler's return value, so ours, which changes nothing, is put
               first. */
            Undo.postprocessModifications = ReportObjectChange + Undo.postprocessModifications;
#endif
        }
        static Action objectsChanged;
#if UNITY_2020_2_OR_NEWER
        static void ReportObjectChange(ref ObjectChangeEventStream stream) { objectsChanged(); }
#else
        static readonly Undo.PostprocessModifications ReportObjectChange = modifications =>
        {
            objectsChanged();
            return modifications;
        };
#endif

        /// <summary>Call the action after every undo and redo with the name of the step, as far as
        /// Unity reports it, and whether it was a redo; null: unknown.</summary>
        public static void OnUndoRedo(Action<string, bool?> callback)
        {
            bool isFirst = undoRedoDone == null;
            undoRedoDone += callback;
            if (!isFirst)
                return;
#if UNITY_2022_2_OR_NEWER
            Undo.undoRedoEvent += ReportUndoRedo;
#else
            Undo.undoRedoPerformed += ReportUndoRedo;
#endif
        }
        static Action<string, bool?> undoRedoDone;
#if UNITY_2022_2_OR_NEWER
        static void ReportUndoRedo(in UndoRedoInfo info) { undoRedoDone(info.undoName, info.isRedo); }
#else
        static void ReportUndoRedo() { undoRedoDone(Undo.GetCurrentGroupName(), null); }
#endif

        /// <summary>The asset path of the prefab open in Prefab Mode, or null.</summary>
        public static string OpenPrefabPath()
        {
            PrefabStage stage = PrefabStageUtility.GetCurrentPrefabStage();
            return stage == null ? null : PathOf(stage);
        }

        static string PathOf(PrefabStage stage)
        {
#if UNITY_2020_1_OR_NEWER
            return stage.assetPath;
#else
            return stage.prefabAssetPath;
#endif
        }

        /// <summary>Call once on the main thread before Wake: Unity requires the first use
        /// there.</summary>
        public static void PrepareWake()
        {
#if UNITY_2022_2_OR_NEWER
            UnityEditor.Search.Dispatcher.Enqueue(Nothing);
#endif
        }

        public static void SetGradient(SerializedProperty property, Gradient gradient)
        {
#if UNITY_2022_1_OR_NEWER
            property.gradientValue = gradient;
#else
            GradientColorKey[] colors = gradient.colorKeys;
            GradientAlphaKey[] alphas = gradient.alphaKeys;
            for (int i = 0; i < 8; i++)
            {
                Color color = i < colors.Length ? colors[i].color : Color.clear;
                color.a = i < alphas.Length ? alphas[i].alpha : 0;
                property.FindPropertyRelative("key" + i).colorValue = color;
                property.FindPropertyRelative("ctime" + i).intValue =
                    i < colors.Length ? Mathf.RoundToInt(colors[i].time * 65535) : 0;
                property.FindPropertyRelative("atime" + i).intValue =
                    i < alphas.Length ? Mathf.RoundToInt(alphas[i].time * 65535) : 0;
            }
            property.FindPropertyRelative("m_Mode").intValue = (int)gradient.mode;
            property.FindPropertyRelative("m_NumColorKeys").intValue = colors.Length;
            property.FindPropertyRelative("m_NumAlphaKeys").intValue = alphas.Length;
#endif
        }

        /// <summary>Set how the tangents of a key are edited. Unity's newer APIs do not work on a key
        /// that is in no curve yet.</summary>
        public static void SetTangentMode(ref Keyframe key, int mode)
        {
#pragma warning disable 618
            key.tangentMode = mode;
#pragma warning restore 618
        }

        /// <summary>Set an unsigned 64-bit property.</summary>
        public static void SetULong(SerializedProperty property, ulong value)
        {
#if UNITY_2022_1_OR_NEWER
            property.ulongValue = value;
#else
            property.longValue = unchecked((long)value);
#endif
        }

        /// <summary>Get the id of the [SerializeReference] value in a property; two properties with
        /// the same object have the same id. False: not supported in this version.</summary>
        public static bool TryManagedId(SerializedProperty reference, out long id)
        {
#if UNITY_2021_2_OR_NEWER
            id = reference.managedReferenceId;
            return true;
#else
            id = 0;
            return false;
#endif
        }

        /// <summary>The asset path of the prefab open in Prefab Mode with unsaved changes, or
        /// null.</summary>
        public static string UnsavedPrefab()
        {
            PrefabStage stage = PrefabStageUtility.GetCurrentPrefabStage();
            return stage == null || !stage.scene.isDirty ? null : PathOf(stage);
        }

        /// <summary>
        /// Call the action on the main thread soon; callable on any thread. It works without the
        /// focus too, when the editor updates rarely (on Windows almost never). Search.Dispatcher
        /// is the documented way and public since 2022.2. Before that this does nothing, and only
        /// the editor's own updates run, about ten per second.
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
