using System;
using Standin;

namespace UnityEngine
{
    /// <summary>
    /// An object with an instance id. A destroyed object equals null. Loaders and savers keep here
    /// whether it is an asset (persistent), and its file, scene and id in the file.
    /// </summary>
    [NativeClass(0, "Object", Abstract = true)]
    public class Object
    {
        [NativeHidden, NativeType("unsigned int")] internal HideFlags m_ObjectHideFlags;
        [NativeHidden(Link = true), NativeType("PPtr<EditorExtension>")] internal Object m_CorrespondingSourceObject;
        [NativeHidden(Link = true), NativeType("PPtr<PrefabInstance>")] internal Object m_PrefabInstance;
        [NativeHidden(Link = true), NativeType("PPtr<Prefab>")] internal Object m_PrefabAsset;

        /// <summary>Never 0; constant across domains if ObjectTable.SetId is called.</summary>
        [NonSerialized] internal int instanceId;
        [NonSerialized] internal bool isDestroyed;
        /// <summary>Whether it is an asset or part of one.</summary>
        [NonSerialized] internal bool isPersistent;
        /// <summary>The asset's file, relative to the project.</summary>
        [NonSerialized] internal string assetPath = "";
        /// <summary>The id in its file; 0: none yet.</summary>
        [NonSerialized] internal long localFileId;
        /// <summary>The number of unsaved changes of an asset.</summary>
        [NonSerialized] internal int dirtyCount;
        /// <summary>The requested address, in a placeholder for a missing object.</summary>
        [NonSerialized] internal DataNode missingAddress;
        /// <summary>Additional data of the loader.</summary>
        [NonSerialized] internal object document;
        [NonSerialized] string ownName = "";

        public Object() { ObjectTable.Add(this); }

        public string name
        {
            get
            {
                Check();
                return StoredName ?? "";
            }
            set
            {
                Check();
                StoredName = value ?? "";
            }
        }

        public HideFlags hideFlags
        {
            get { return m_ObjectHideFlags; }
            set { m_ObjectHideFlags = value; }
        }

        /// <summary>The storage of the name.</summary>
        internal virtual string StoredName { get { return ownName; } set { ownName = value; } }

        /// <summary>Called after undo, a SerializedObject or a file has changed the fields.</summary>
        internal virtual void AfterRead() { }

        /// <summary>Throw Unity's exception if a destroyed object is used.</summary>
        internal void Check()
        {
            if (!isDestroyed)
                return;
            if (missingAddress != null)
                throw new MissingReferenceException(
                    "The variable refers to an object of type '" + GetType().Name + "' that is missing.");
            throw new MissingReferenceException("The object of type '" + GetType().Name
                + "' has been destroyed but you are still trying to access it.\nYour script should either check if "
                + "it is null or you should not destroy the object.");
        }

#if UNITY_6000_5_OR_NEWER
        [Obsolete("GetInstanceID is deprecated. Use GetEntityId instead.", true)]
#elif UNITY_6000_4_OR_NEWER
        [Obsolete("GetInstanceID is deprecated. Use GetEntityId instead.")]
#endif
        public int GetInstanceID() { return instanceId; }

#if UNITY_6000_3_OR_NEWER
        public EntityId GetEntityId() { return EntityId.Of(instanceId); }
#endif

        public static bool operator ==(Object x, Object y)
        {
            bool isX = (object)x != null && !x.isDestroyed, isY = (object)y != null && !y.isDestroyed;
            if (isX || isY)
                return ReferenceEquals(x, y);
            /* A destroyed object equals null, but two destroyed objects are not equal. */
            return (object)x == null || (object)y == null || x.instanceId == y.instanceId;
        }

        public static bool operator !=(Object x, Object y) { return !(x == y); }
        public static implicit operator bool(Object exists) { return exists != null; }

        public override bool Equals(object other)
        {
            var target = other as Object;
            return ((object)target != null || other == null) && this == target;
        }

        public override int GetHashCode() { return instanceId; }

        public override string ToString()
        {
            return isDestroyed ? "null" : (StoredName ?? "") + " (" + GetType().FullName + ")";
        }

        public static void DestroyImmediate(Object obj) { DestroyImmediate(obj, false); }

        public static void DestroyImmediate(Object obj, bool allowDestroyingAssets)
        {
            if (obj == null)
                return;
            if (obj.isPersistent && !allowDestroyingAssets)
            {
                Debug.LogError("Destroying assets is not permitted to avoid data loss.\nIf you really want to remove "
                    + "an asset use DestroyImmediate (theObject, true);");
                return;
            }
            Destruction.Destroy(obj);
        }

        public static void Destroy(Object obj) { Destroy(obj, 0); }

        /// <summary>Destroy at the end of the frame. Refused in edit mode, as in Unity.</summary>
        public static void Destroy(Object obj, float t)
        {
            if (obj == null)
                return;
            if (!Hooks.IsPlaying())
            {
                Debug.LogError("Destroy may not be called from edit mode! Use DestroyImmediate instead.\nDestroying "
                    + "an object in edit mode destroys it permanently.");
                return;
            }
            Destruction.Later(obj, t);
        }

        public static void DontDestroyOnLoad(Object target) { }

        public static T Instantiate<T>(T original) where T : Object { return (T)Copying.Instantiate(original, null); }

        public static T Instantiate<T>(T original, Transform parent) where T : Object
        {
            return Instantiate(original, parent, false);
        }

        public static T Instantiate<T>(T original, Transform parent, bool worldPositionStays) where T : Object
        {
            return (T)Copying.Instantiate(original, parent, worldPositionStays);
        }

        public static T Instantiate<T>(T original, Vector3 position, Quaternion rotation) where T : Object
        {
            return Instantiate(original, position, rotation, null);
        }

        public static T Instantiate<T>(T original, Vector3 position, Quaternion rotation, Transform parent)
            where T : Object
        {
            T copy = Instantiate(original, parent);
            Transform at = Copying.TransformOf(copy);
            if (at != null)
                at.SetPositionAndRotation(position, rotation);
            return copy;
        }

        public static Object Instantiate(Object original) { return Copying.Instantiate(original, null); }

        public static T FindObjectOfType<T>() where T : Object { return (T)FindObjectOfType(typeof(T)); }

        public static Object FindObjectOfType(Type type)
        {
            Object[] found = FindObjectsOfType(type);
            return found.Length > 0 ? found[0] : null;
        }

        public static Object[] FindObjectsOfType(Type type) { return FindObjectsOfType(type, false); }

        public static Object[] FindObjectsOfType(Type type, bool includeInactive)
        {
            return SceneSearch.All(type, includeInactive).ToArray();
        }

        public static T[] FindObjectsOfType<T>() where T : Object { return FindObjectsOfType<T>(false); }

        public static T[] FindObjectsOfType<T>(bool includeInactive) where T : Object
        {
            return Array.ConvertAll(FindObjectsOfType(typeof(T), includeInactive), found => (T)found);
        }

#if UNITY_2022_2_OR_NEWER || UNITY_2021_3_OR_NEWER
        public static T FindFirstObjectByType<T>() where T : Object { return FindObjectOfType<T>(); }
        public static T FindAnyObjectByType<T>() where T : Object { return FindObjectOfType<T>(); }

        public static T[] FindObjectsByType<T>(FindObjectsSortMode sortMode) where T : Object
        {
            return FindObjectsByType<T>(FindObjectsInactive.Exclude, sortMode);
        }

        public static T[] FindObjectsByType<T>(FindObjectsInactive findObjectsInactive, FindObjectsSortMode sortMode)
            where T : Object
        {
            T[] found = FindObjectsOfType<T>(findObjectsInactive == FindObjectsInactive.Include);
            if (sortMode == FindObjectsSortMode.InstanceID)
                Array.Sort(found, (a, b) => a.instanceId.CompareTo(b.instanceId));
            return found;
        }
#endif
    }
}
