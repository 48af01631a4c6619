using System;
using System.Collections.Generic;
using Standin;
using UnityEngine;
using Object = UnityEngine.Object;

namespace UnityEditor
{
    /// <summary>
    /// The fields of objects as data: read by Update, changed through properties, and written by
    /// ApplyModifiedProperties, which records undo, marks changed objects as dirty and calls
    /// OnValidate.
    /// </summary>
    public class SerializedObject : IDisposable
    {
        readonly Object[] targets;
        readonly Object contextObject;
        readonly PropertyPlace root;
        internal DataNode[] Current;
        DataNode[] original;

        public SerializedObject(Object obj) : this(new[] { obj }, null) { }
        public SerializedObject(Object obj, Object context) : this(new[] { obj }, context) { }
        public SerializedObject(Object[] objs) : this(objs, null) { }

        public SerializedObject(Object[] objs, Object context)
        {
            if (objs == null || objs.Length == 0)
                throw new ArgumentException("Object array is empty");
            for (int i = 0; i < objs.Length; i++)
                if (objs[i] == null)
                    throw new ArgumentException("Object at index " + i + " is null");
            targets = (Object[])objs.Clone();
            contextObject = context;
            root = new PropertyPlace(TypeTree.Of(CommonType(objs)));
            Update();
        }

        static Type CommonType(Object[] objs)
        {
            Type common = objs[0].GetType();
            foreach (Object obj in objs)
                while (!common.IsInstanceOfType(obj))
                    common = common.BaseType;
            return common;
        }

        internal PropertyPlace Root { get { return root; } }
        internal bool IsDisposed { get { return Current == null; } }

        public Object targetObject { get { return targets[0]; } }
        public Object[] targetObjects { get { return (Object[])targets.Clone(); } }
        public Object context { get { return contextObject; } }
        public bool isEditingMultipleObjects { get { return targets.Length > 1; } }
        public int maxArraySizeForMultiEditing { get; set; }
        public bool forceChildVisibility { get; set; }

        /// <summary>Read the objects' current fields; unapplied changes are lost.</summary>
        public void Update()
        {
            Current = Read();
            original = Array.ConvertAll(Current, data => data.Clone());
        }

        DataNode[] Read()
        {
            return Array.ConvertAll(targets, target =>
            {
                if (target == null)
                    throw new NullReferenceException("The target object of the SerializedObject has been destroyed.");
                return Serializer.Write(target);
            });
        }

        public bool UpdateIfRequiredOrScript()
        {
            if (targets[0] == null)
                return false;
            DataNode[] now = Read();
            bool isNew = false;
            for (int i = 0; i < now.Length; i++)
                isNew |= !DataNode.Equal(now[i], original[i]);
            if (isNew)
                Update();
            return isNew;
        }

        public void SetIsDifferentCacheDirty() { }

        public bool hasModifiedProperties
        {
            get
            {
                for (int i = 0; i < targets.Length; i++)
                    if (!DataNode.Equal(Current[i], original[i]))
                        return true;
                return false;
            }
        }

        /// <summary>Return the position before the first property; Next(true) moves to it.</summary>
        public SerializedProperty GetIterator() { return new SerializedProperty(this, root); }

        public SerializedProperty FindProperty(string propertyPath)
        {
            if (propertyPath == null)
                throw new ArgumentNullException("propertyPath");
            PropertyPlace place = root.Find(Current[0], propertyPath);
            return place == null ? null : new SerializedProperty(this, place);
        }

        public bool ApplyModifiedProperties() { return Apply(true); }
        public bool ApplyModifiedPropertiesWithoutUndo() { return Apply(false); }

        bool Apply(bool withUndo)
        {
            bool isNew = false;
            for (int i = 0; i < targets.Length; i++)
                if (targets[i] != null && !DataNode.Equal(Current[i], original[i]))
                    isNew |= Apply(targets[i], original[i], Current[i], withUndo);
            if (isNew)
                Update();
            return isNew;
        }

        static bool Apply(Object target, DataNode before, DataNode after, bool withUndo)
        {
            DataNode now = Serializer.Write(target);
            DataNode wanted = DataChange.Onto(now, before, after);
            TypeNode type = TypeTree.Of(target.GetType());
            List<string> keys = DataChange.Keys(now, wanted, type, true);
            if (keys.Count == 0)
                return false;
            /* Like Unity, write all fields: a null string becomes an empty one. */
            foreach (TypeNode field in type.Children)
                if (!field.IsLink && !keys.Contains(field.Name))
                    keys.Add(field.Name);
            if (withUndo)
                UndoHistory.BeginDirect(target, now);
            Serializer.Read(target, DataChange.Part(wanted, keys));
            target.AfterRead();
            Validation.Send(target);
            DataNode result = Serializer.Write(target);
            if (withUndo)
                UndoHistory.EndDirect(target, now, result, "Inspector");
            Dirtiness.Mark(target);
            Hooks.Changed(target, now, result);
            return true;
        }

        /// <summary>Copy a value from a property of another object with the same type.</summary>
        public void CopyFromSerializedProperty(SerializedProperty prop)
        {
            PropertyPlace place = root.Find(Current[0], prop.propertyPath);
            DataNode data = prop.DataOf(0);
            if (place == null || data == null || !place.IsOwn)
                return;
            foreach (DataNode current in Current)
                place.SetData(current, data.Clone());
        }

        public bool CopyFromSerializedPropertyIfDifferent(SerializedProperty prop)
        {
            PropertyPlace place = root.Find(Current[0], prop.propertyPath);
            if (place == null || DataNode.Equal(place.Data(Current[0]), prop.DataOf(0)))
                return false;
            CopyFromSerializedProperty(prop);
            return true;
        }

        public void Dispose() { Current = null; }
    }
}
