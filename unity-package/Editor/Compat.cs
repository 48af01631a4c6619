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

        /// <summary>Whether a prefab instance says at which place a component was added to it.</summary>
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

        /// <summary>A process that Unity has started beside its editor, to import assets or to show the
        /// profiler: it has the project open, too, and is no editor. Before 2021.1 those that import run in
        /// batch mode.</summary>
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

        /// <summary>Whether a reference whose value is null points to something that is not there.</summary>
        public static bool IsReferenceBroken(SerializedProperty reference)
        {
#if UNITY_6000_4_OR_NEWER
            return !reference.objectReferenceEntityIdValue.Equals(default(UnityEngine.EntityId));
#else
            return reference.objectReferenceInstanceIDValue != 0;
#endif
        }

        /// <summary>Calls it when objects of scenes may have changed in any way that can be undone: fields,
        /// too. Once for many.</summary>
        public static void OnObjectsChanged(Action changed)
        {
            objectsSeen = changed;
#if UNITY_2020_2_OR_NEWER
            ObjectChangeEvents.changesPublished += SeeObjects;
#else
            /* What the last one in the list answers counts: ours, which has nothing to say, is the first. */
            Undo.postprocessModifications = SeeObjects + Undo.postprocessModifications;
#endif
        }
        static Action objectsSeen;
#if UNITY_2020_2_OR_NEWER
        static void SeeObjects(ref ObjectChangeEventStream stream) { objectsSeen(); }
#else
        static readonly Undo.PostprocessModifications SeeObjects = modifications =>
        {
            objectsSeen();
            return modifications;
        };
#endif

        /// <summary>Calls it after every undo and redo with the name of what was undone or redone, as far as
        /// Unity says it, and whether it was a redo; null: that is not known.</summary>
        public static void OnUndoRedo(Action<string, bool?> walked)
        {
            bool isFirst = undoSeen == null;
            undoSeen += walked;
            if (!isFirst)
                return;
#if UNITY_2022_2_OR_NEWER
            Undo.undoRedoEvent += SeeUndo;
#else
            Undo.undoRedoPerformed += SeeUndo;
#endif
        }
        static Action<string, bool?> undoSeen;
#if UNITY_2022_2_OR_NEWER
        static void SeeUndo(in UndoRedoInfo info) { undoSeen(info.undoName, info.isRedo); }
#else
        static void SeeUndo() { undoSeen(Undo.GetCurrentGroupName(), null); }
#endif

        /// <summary>Asset path of the prefab that is open for editing; null: none is.</summary>
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

        /// <summary>Main thread, once, before Wake: Unity's side of it may only begin there.</summary>
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

        /// <summary>How the tangents of a key are edited. Unity has other ways for it, but none that works
        /// on a key that is in no curve yet.</summary>
        public static void SetTangentMode(ref Keyframe key, int mode)
        {
#pragma warning disable 618
            key.tangentMode = mode;
#pragma warning restore 618
        }

        /// <summary>Of a property of 64 bits without a sign.</summary>
        public static void SetULong(SerializedProperty property, ulong value)
        {
#if UNITY_2022_1_OR_NEWER
            property.ulongValue = value;
#else
            property.longValue = unchecked((long)value);
#endif
        }

        /// <summary>Which of its object's [SerializeReference] values a property holds: two that hold the same
        /// one have one id. False: this version does not say.</summary>
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

        /// <summary>Asset path of the prefab that is open in Prefab Mode with unsaved changes; null:
        /// there is none.</summary>
        public static string UnsavedPrefab()
        {
            PrefabStage stage = PrefabStageUtility.GetCurrentPrefabStage();
            return stage == null || !stage.scene.isDirty ? null : PathOf(stage);
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
