using System.Collections.Generic;
using Standin;
using UnityEngine;
using UnityEngine.SceneManagement;
using Object = UnityEngine.Object;

namespace UnityEditor
{
    /// <summary>
    /// Prefab instances in open scenes, and prefab assets. Overrides are computed as the difference
    /// between an instance and its prefab, so there is nothing to record.
    /// </summary>
    public sealed partial class PrefabUtility
    {
        static PrefabInstance HandleOf(Object target)
        {
            return target == null ? null : target.m_PrefabInstance as PrefabInstance;
        }

        static GameObject OwnerOf(Object target)
        {
            var component = target as Component;
            return (object)component != null ? component.m_GameObject : target as GameObject;
        }

        static bool IsRootOfAsset(GameObject go)
        {
            return go != null && go.isPersistent && go.transform != null && (object)go.transform.m_Father == null;
        }

        static GameObject SourceOf(GameObject go) { return go.m_CorrespondingSourceObject as GameObject; }

        /* ---- kind of object */

        public static bool IsPartOfPrefabInstance(Object componentOrGameObject)
        {
            return (object)HandleOf(componentOrGameObject) != null;
        }

        public static bool IsPartOfNonAssetPrefabInstance(Object componentOrGameObject)
        {
            return IsPartOfPrefabInstance(componentOrGameObject) && !componentOrGameObject.isPersistent;
        }

        public static bool IsPartOfPrefabAsset(Object componentOrGameObject)
        {
            return componentOrGameObject != null && componentOrGameObject.isPersistent
                && (object)OwnerOf(componentOrGameObject) != null;
        }

        public static bool IsPartOfAnyPrefab(Object componentOrGameObject)
        {
            return IsPartOfPrefabInstance(componentOrGameObject) || IsPartOfPrefabAsset(componentOrGameObject);
        }

        public static bool IsPartOfModelPrefab(Object componentOrGameObject)
        {
            return GetPrefabAssetType(componentOrGameObject) == PrefabAssetType.Model;
        }

        public static bool IsPartOfRegularPrefab(Object componentOrGameObject)
        {
            PrefabAssetType type = GetPrefabAssetType(componentOrGameObject);
            return type == PrefabAssetType.Regular || type == PrefabAssetType.Variant;
        }

        public static bool IsPartOfVariantPrefab(Object componentOrGameObject)
        {
            return GetPrefabAssetType(componentOrGameObject) == PrefabAssetType.Variant;
        }

        public static bool IsPartOfImmutablePrefab(Object componentOrGameObject)
        {
            if (!IsPartOfAnyPrefab(componentOrGameObject))
                return false;
            string path = AssetPathOf(componentOrGameObject);
            return IsPartOfModelPrefab(componentOrGameObject) || !AssetDatabase.IsOpenForEdit(path);
        }

        public static bool IsPrefabAssetMissing(Object instanceComponentOrGameObject)
        {
            PrefabInstance handle = HandleOf(instanceComponentOrGameObject);
            return (object)handle != null && handle.isBroken;
        }

        public static bool IsDisconnectedFromPrefabAsset(Object componentOrGameObject) { return false; }

        public static PrefabInstanceStatus GetPrefabInstanceStatus(Object componentOrGameObject)
        {
            PrefabInstance handle = HandleOf(componentOrGameObject);
            if ((object)handle == null)
                return PrefabInstanceStatus.NotAPrefab;
            return handle.isBroken ? PrefabInstanceStatus.MissingAsset : PrefabInstanceStatus.Connected;
        }

        public static PrefabAssetType GetPrefabAssetType(Object componentOrGameObject)
        {
            PrefabInstance handle = HandleOf(componentOrGameObject);
            if ((object)handle != null && handle.isBroken)
                return PrefabAssetType.MissingAsset;
            if (!IsPartOfAnyPrefab(componentOrGameObject))
                return PrefabAssetType.NotAPrefab;
            string path = AssetPathOf(componentOrGameObject);
            if (!AssetKinds.IsPrefab(path))
                return PrefabAssetType.Model;
            var root = AssetDatabase.LoadMainAssetAtPath(path) as GameObject;
            return root != null && IsPartOfPrefabInstance(root) ? PrefabAssetType.Variant : PrefabAssetType.Regular;
        }

        /* For an instance, the asset of its outermost root. */
        static string AssetPathOf(Object target)
        {
            PrefabInstance handle = HandleOf(target);
            return target.isPersistent || (object)handle == null
                ? target.assetPath : AssetDatabase.GUIDToAssetPath(handle.sourceGuid);
        }

        /* ---- roots */

        public static bool IsAnyPrefabInstanceRoot(GameObject gameObject)
        {
            return gameObject != null && ((object)RootSource(gameObject) != null || (object)LooseHandle(gameObject) != null);
        }

        /* The root of the nearest asset of which this object is an instance. */
        static GameObject RootSource(GameObject gameObject)
        {
            for (GameObject at = gameObject; (object)at != null && (object)at.m_PrefabInstance != null; at = SourceOf(at))
            {
                GameObject source = SourceOf(at);
                if (IsRootOfAsset(source))
                    return source;
            }
            return null;
        }

        /* The nearest instance whose root is this object, nested ones included. Its source may
           be missing. */
        static PrefabInstance LooseHandle(GameObject gameObject)
        {
            PrefabInstance found = null;
            for (GameObject at = gameObject; (object)at != null; at = SourceOf(at))
                if (IsLooseRoot(at))
                    found = HandleOf(at);
            return found;
        }

        /* Whether it is the root of an instance in its own file. */
        static bool IsLooseRoot(GameObject gameObject)
        {
            PrefabInstance handle = HandleOf(gameObject);
            return (object)handle != null && ReferenceEquals(handle.root, gameObject);
        }

        public static bool IsOutermostPrefabInstanceRoot(GameObject gameObject) { return IsLooseRoot(gameObject); }

        public static GameObject GetOutermostPrefabInstanceRoot(Object componentOrGameObject)
        {
            PrefabInstance handle = HandleOf(componentOrGameObject);
            return (object)handle == null ? null : handle.root;
        }

        public static GameObject GetNearestPrefabInstanceRoot(Object componentOrGameObject)
        {
            if (!IsPartOfPrefabInstance(componentOrGameObject))
                return null;
            for (Transform at = OwnerOf(componentOrGameObject).transform; (object)at != null; at = at.m_Father)
                if (IsAnyPrefabInstanceRoot(at.m_GameObject))
                    return at.m_GameObject;
            return null;
        }

        public static string GetPrefabAssetPathOfNearestInstanceRoot(Object instanceComponentOrGameObject)
        {
            GameObject root = GetNearestPrefabInstanceRoot(instanceComponentOrGameObject);
            if (root == null)
                return "";
            GameObject source = RootSource(root);
            return (object)source != null ? source.assetPath : AssetDatabase.GUIDToAssetPath(LooseHandle(root).sourceGuid);
        }

        public static Object GetPrefabInstanceHandle(Object instanceComponentOrGameObject)
        {
            return HandleOf(instanceComponentOrGameObject);
        }

        /* ---- sources */

        public static TObject GetCorrespondingObjectFromSource<TObject>(TObject componentOrGameObject)
            where TObject : Object
        {
            Object source = componentOrGameObject == null ? null : componentOrGameObject.m_CorrespondingSourceObject;
            return source == null ? null : source as TObject;
        }

        public static TObject GetCorrespondingObjectFromOriginalSource<TObject>(TObject componentOrGameObject)
            where TObject : Object
        {
            TObject at = GetCorrespondingObjectFromSource(componentOrGameObject);
            for (TObject next = at; next != null; next = GetCorrespondingObjectFromSource(next))
                at = next;
            return at;
        }

        public static TObject GetCorrespondingObjectFromSourceAtPath<TObject>(TObject componentOrGameObject,
            string assetPath) where TObject : Object
        {
            for (TObject at = componentOrGameObject; at != null; at = GetCorrespondingObjectFromSource(at))
                if (at.isPersistent && at.assetPath == assetPath)
                    return at;
            return null;
        }

        /* ---- overrides */

        public static bool IsAddedComponentOverride(Object component) { return ProjectHooks.IsAdded(component); }

        public static bool IsAddedGameObjectOverride(GameObject gameObject)
        {
            if (gameObject == null || (object)gameObject.transform.m_Father == null)
                return false;
            Object above = gameObject.transform.m_Father.m_PrefabInstance;
            return (object)above != null && !ReferenceEquals(above, gameObject.m_PrefabInstance);
        }

        public static bool HasPrefabInstanceAnyOverrides(GameObject instanceRoot, bool includeDefaultOverrides)
        {
            PropertyModification[] changes = GetPropertyModifications(instanceRoot);
            return changes != null && changes.Length > 0;
        }

        public static PropertyModification[] GetPropertyModifications(Object targetPrefab)
        {
            PrefabInstance handle = HandleOf(targetPrefab);
            if ((object)handle == null)
                return null;
            var byId = new Dictionary<long, Object>();
            foreach (Object source in InstanceObjects.BySource(handle).Keys)
                byId[source.localFileId] = source;
            var found = new List<PropertyModification>();
            foreach (DataNode entry in new InstanceSaver(handle).Modifications().Items)
            {
                Object target;
                byId.TryGetValue(InstanceCloner.TargetOf(entry), out target);
                found.Add(new PropertyModification
                {
                    target = target, propertyPath = entry.Get("propertyPath").Text, value = entry.Get("value").Text,
                    objectReference = entry.Get("objectReference").Target
                });
            }
            return found.ToArray();
        }

        public static void RecordPrefabInstancePropertyModifications(Object targetObject) { }

        /* ---- new instances */

        public static Object InstantiatePrefab(Object assetComponentOrGameObject)
        {
            return InstantiatePrefab(assetComponentOrGameObject, SceneManager.GetActiveScene());
        }

        public static Object InstantiatePrefab(Object assetComponentOrGameObject, Scene destinationScene)
        {
            SceneData scene = destinationScene.Data ?? SceneData.ActiveOrNew();
            return PrefabPlacing.Place(assetComponentOrGameObject, scene);
        }

        public static Object InstantiatePrefab(Object assetComponentOrGameObject, Transform parent)
        {
            SceneData scene = parent == null ? SceneData.ActiveOrNew() : parent.m_GameObject.sceneData;
            Object created = PrefabPlacing.Place(assetComponentOrGameObject, scene);
            if (created != null && parent != null)
                OwnerOf(created).transform.SetParent(parent, false);
            return created;
        }
    }
}
