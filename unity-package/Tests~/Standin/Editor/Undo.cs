using System;
using Standin;
using UnityEngine;
using UnityEngine.SceneManagement;
using Object = UnityEngine.Object;

namespace UnityEditor
{
    public struct UndoPropertyModification
    {
        public PropertyModification previousValue;
        public PropertyModification currentValue;

        public bool keepPrefabOverride { get; set; }
    }

#if UNITY_2022_2_OR_NEWER
    public struct UndoRedoInfo
    {
        public string undoName;
        public int undoGroup;

        public bool isRedo { get; internal set; }
    }
#endif

    /// <summary>The editor's Undo class; <see cref="UndoHistory"/> is its stack.</summary>
    public class Undo
    {
        public delegate void UndoRedoCallback();
        public delegate void WillFlushUndoRecord();
        public delegate UndoPropertyModification[] PostprocessModifications(UndoPropertyModification[] modifications);

        public static UndoRedoCallback undoRedoPerformed;
        public static WillFlushUndoRecord willFlushUndoRecord;
        public static PostprocessModifications postprocessModifications;

#if UNITY_2022_2_OR_NEWER
        public delegate void UndoRedoEventCallback(in UndoRedoInfo undo);

        public static event UndoRedoEventCallback undoRedoEvent;
#endif

        public static bool isProcessing { get { return UndoHistory.IsProcessing; } }

        internal static void Raise(UndoGroup group, bool isRedo)
        {
            EditorEvents.HierarchyChanged();
            EditorEvents.ObjectsChanged();
            if (undoRedoPerformed != null)
                undoRedoPerformed();
#if UNITY_2022_2_OR_NEWER
            if (undoRedoEvent != null)
                undoRedoEvent(new UndoRedoInfo { undoName = group.Name, undoGroup = group.Id, isRedo = isRedo });
#endif
        }

        public static void RecordObject(Object objectToUndo, string name)
        {
            UndoHistory.RecordObject(objectToUndo, name);
        }

        public static void RecordObjects(Object[] objectsToUndo, string name)
        {
            foreach (Object target in objectsToUndo)
                RecordObject(target, name);
        }

        public static void RegisterCompleteObjectUndo(Object objectToUndo, string name)
        {
            if (objectToUndo == null)
                throw new ArgumentNullException("objectToUndo");
            UndoHistory.Settle(objectToUndo);
            UndoHistory.Add(ChangeStep.Complete(objectToUndo), name);
            Dirtiness.Mark(objectToUndo);
        }

        public static void RegisterCompleteObjectUndo(Object[] objectsToUndo, string name)
        {
            foreach (Object target in objectsToUndo)
                RegisterCompleteObjectUndo(target, name);
        }

        /// <summary>Record a GameObject with its components and children, or the GameObject of a
        /// component.</summary>
        public static void RegisterFullObjectHierarchyUndo(Object objectToUndo, string name)
        {
            Transform top = Copying.TransformOf(objectToUndo);
            if ((object)top == null)
            {
                RegisterCompleteObjectUndo(objectToUndo, name);
                return;
            }
            SceneTree.Visit(top, t =>
            {
                RegisterCompleteObjectUndo(t.m_GameObject, name);
                foreach (ComponentPair pair in t.m_GameObject.m_Component)
                    if (pair.component != null)
                        RegisterCompleteObjectUndo(pair.component, name);
                return true;
            });
        }

        public static void RegisterCreatedObjectUndo(Object objectToUndo, string name)
        {
            if (objectToUndo == null)
                throw new ArgumentNullException("objectToUndo");
            UndoHistory.Add(LifeStep.Created(objectToUndo), name);
            Dirtiness.Mark(objectToUndo);
        }

        /// <summary>Destroy an object; a required component stays, with an error in the
        /// console.</summary>
        public static void DestroyObjectImmediate(Object objectToUndo)
        {
            if (objectToUndo == null)
                throw new ArgumentNullException("objectToUndo");
            var component = objectToUndo as Component;
            if ((object)component != null && !Destruction.MayBeDestroyed(component))
                return;
            UndoHistory.Settle(objectToUndo);
            UndoHistory.Add(LifeStep.Destroy(objectToUndo), "Destroy Object");
        }

        public static T AddComponent<T>(GameObject gameObject) where T : Component
        {
            return AddComponent(gameObject, typeof(T)) as T;
        }

        /// <summary>Add a component with the ones it requires; null if Unity refuses.</summary>
        public static Component AddComponent(GameObject gameObject, Type type)
        {
            if (gameObject == null)
                throw new ArgumentNullException("gameObject");
            string name = "Add Component";
            Action<Component> added = component => UndoHistory.Add(LifeStep.Created(component), name);
            Action<Transform, Transform> replaced = (old, created) => UndoHistory.Add(new ReplaceStep(old, created), name);
            ComponentAdding.Added += added;
            ComponentAdding.Replaced += replaced;
            try
            {
                return gameObject.AddComponent(type);
            }
            finally
            {
                ComponentAdding.Added -= added;
                ComponentAdding.Replaced -= replaced;
                Dirtiness.Mark(gameObject);
            }
        }

        public static void SetTransformParent(Transform transform, Transform newParent, string name)
        {
            SetTransformParent(transform, newParent, true, name);
        }

#if UNITY_2020_2_OR_NEWER
        public
#else
        internal
#endif
        static void SetTransformParent(Transform transform, Transform newParent, bool worldPositionStays, string name)
        {
            ParentStep step = ParentStep.Of(transform);
            transform.SetParent(newParent, worldPositionStays);
            UndoHistory.Add(step.Moved(), name);
            Dirtiness.Mark(transform);
        }

        public static void MoveGameObjectToScene(GameObject go, Scene scene, string name)
        {
            ParentStep step = ParentStep.Of(go.transform);
            Dirtiness.Mark(go);
            SceneManager.MoveGameObjectToScene(go, scene);
            UndoHistory.Add(step.Moved(), name);
            Dirtiness.Mark(go);
        }

#if UNITY_2021_2_OR_NEWER
        public static void SetSiblingIndex(Transform transform, int siblingIndex, string name)
        {
            ParentStep step = ParentStep.Of(transform);
            transform.SetSiblingIndex(siblingIndex);
            UndoHistory.Add(step.Moved(), name);
            Dirtiness.Mark(transform);
        }
#endif

        public static void PerformUndo() { UndoHistory.PerformUndo(); }
        public static void PerformRedo() { UndoHistory.PerformRedo(); }
        public static void FlushUndoRecordObjects() { UndoHistory.Flush(); }
        public static void IncrementCurrentGroup() { UndoHistory.NextGroup(); }
        public static int GetCurrentGroup() { return UndoHistory.CurrentGroup; }
        public static string GetCurrentGroupName() { return UndoHistory.CurrentName; }
        public static void SetCurrentGroupName(string name) { UndoHistory.SetCurrentName(name); }
        public static void RevertAllInCurrentGroup() { UndoHistory.RevertDownTo(UndoHistory.CurrentGroup); }
        public static void RevertAllDownToGroup(int group) { UndoHistory.RevertDownTo(group); }
        public static void CollapseUndoOperations(int groupIndex) { UndoHistory.CollapseTo(groupIndex); }
        public static void ClearUndo(Object identifier) { UndoHistory.Clear(identifier); }
        public static void ClearAll() { UndoHistory.ClearAll(); }
    }
}
