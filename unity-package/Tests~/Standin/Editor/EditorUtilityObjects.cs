using System;
using Standin;
using UnityEngine;
using Object = UnityEngine.Object;

namespace UnityEditor
{
    /// <summary>The members of EditorUtility about objects.</summary>
    public partial class EditorUtility
    {
        /// <summary>Whether it is an asset or part of one.</summary>
        public static bool IsPersistent(Object target) { return target != null && target.isPersistent; }

        public static void SetDirty(Object target)
        {
            if (target != null)
                Dirtiness.Mark(target);
        }

        public static bool IsDirty(Object target) { return target != null && target.dirtyCount > 0; }
        public static int GetDirtyCount(Object target) { return target == null ? 0 : target.dirtyCount; }

        public static void ClearDirty(Object target)
        {
            if (target != null)
                target.dirtyCount = 0;
        }

#if UNITY_6000_5_OR_NEWER
        [Obsolete("InstanceIDToObject(int) is obsolete. Use EditorUtility.EntityIdToObject instead.", true)]
#elif UNITY_6000_4_OR_NEWER
        [Obsolete("InstanceIDToObject(int) is obsolete. Use EditorUtility.EntityIdToObject instead.")]
#endif
        public static Object InstanceIDToObject(int instanceID) { return Living(instanceID); }

#if UNITY_6000_3_OR_NEWER
        public static Object EntityIdToObject(EntityId entityId) { return Living(entityId.InstanceId); }
#endif

        static Object Living(int id)
        {
            Object found = ObjectTable.Find(id);
            return found == null || found is MissingScript ? null : found;
        }

        /// <summary>Create an object; with DontSave flags it is in no scene.</summary>
        public static GameObject CreateGameObjectWithHideFlags(string name, HideFlags flags, params Type[] components)
        {
            GameObject created = GameObject.Empty();
            created.m_Name = name ?? "";
            created.m_ObjectHideFlags = flags;
            ComponentAdding.Attach(created, (Transform)Instances.New(typeof(Transform)));
            if ((flags & HideFlags.DontSaveInEditor) == 0)
                SceneTree.AddRoot(SceneData.ActiveOrNew(), created.transform);
            foreach (Type type in components)
                created.AddComponent(type);
            return created;
        }

        /// <summary>Copy all fields except links to another object of the same class.</summary>
        public static void CopySerialized(Object source, Object dest)
        {
            if (source == null || dest == null || source.GetType() != dest.GetType())
                throw new ArgumentException("Source and destination types do not match.");
            DataNode data = DataNode.Map(), from = Serializer.Write(source);
            foreach (TypeNode field in TypeTree.Of(source.GetType()).Children)
                if (!field.IsLink)
                    data.Add(field.Name, from.Get(field.Name));
            Serializer.Read(dest, data);
            Dirtiness.Mark(dest);
        }
    }
}
