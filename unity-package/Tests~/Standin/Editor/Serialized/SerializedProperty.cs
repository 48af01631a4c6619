using System;
using System.Collections;
using Standin;
using UnityEngine;
using Object = UnityEngine.Object;

namespace UnityEditor
{
    /// <summary>
    /// A field of a <see cref="SerializedObject"/>, or an iterator over all of them. This part has
    /// position and type; values and arrays are in the other parts.
    /// </summary>
    public partial class SerializedProperty : IDisposable
    {
        readonly SerializedObject owner;
        /* null: after the last property. */
        PropertyPlace place;
        bool isDisposed;

        internal SerializedProperty(SerializedObject owner, PropertyPlace place)
        {
            this.owner = owner;
            this.place = place;
        }

        public SerializedObject serializedObject { get { return owner; } }
        internal PropertyPlace Place { get { return Verified(); } }

        DataNode RootData { get { return owner.Current[0]; } }

        /// <summary>The data of one of the objects; null: it no longer exists.</summary>
        internal DataNode DataOf(int target) { return Verified().Data(owner.Current[target]); }

        PropertyPlace Verified()
        {
            if (isDisposed || owner.IsDisposed)
                throw new NullReferenceException("SerializedObject of SerializedProperty has been Disposed.");
            if (place == null)
                throw new InvalidOperationException(
                    "The operation is not possible when moved past all properties (Next returned false)");
            return place;
        }

        public void Dispose() { isDisposed = true; }

        public SerializedProperty Copy() { return new SerializedProperty(owner, place); }
        public void Reset() { place = owner.Root; }

        public string name { get { return Verified().Name; } }
        public string propertyPath { get { return place == null ? "" : place.Path; } }
        public int depth { get { return Verified().Depth; } }
        public string displayName
        {
            get
            {
                PropertyPlace at = Verified();
                return at.Kind == PlaceKind.Element ? ElementTitle(at) : ObjectNames.NicifyVariableName(at.Name);
            }
        }

        /* A struct is displayed with its first field if that is a string. */
        string ElementTitle(PropertyPlace at)
        {
            if (at.Type.Kind == FieldKind.Struct && at.ChildCount(RootData) > 0)
            {
                PropertyPlace first = at.Child(RootData, 0);
                DataNode data = first.Data(RootData);
                if (first.Type.Kind == FieldKind.String && data != null && data.Text.Length > 0)
                    return data.Text;
            }
            return "Element " + at.Index;
        }

        public string type
        {
            get
            {
                PropertyPlace at = Verified();
                switch (at.Kind)
                {
                    case PlaceKind.Array: case PlaceKind.Letters: return "Array";
                    case PlaceKind.Size: return "ArraySize";
                    case PlaceKind.Letter: return "char";
                    case PlaceKind.FileId: return "int";
                    case PlaceKind.PathId: return "long";
                    default: return at.IsManaged ? "managedReference<" + ManagedClass() + ">" : at.Type.TypeName;
                }
            }
        }

        string ManagedClass()
        {
            DataNode data = DataOf(0);
            string full = data == null ? "" : data.TypeName;
            return full.Substring(full.LastIndexOfAny(new[] { ' ', '.', '/' }) + 1);
        }

        public string tooltip
        {
            get
            {
                TypeNode at = Verified().Type;
                var found = at.Field == null
                    ? null : (TooltipAttribute)Attribute.GetCustomAttribute(at.Field, typeof(TooltipAttribute));
                return found == null ? "" : found.tooltip;
            }
        }

        public SerializedPropertyType propertyType
        {
            get
            {
                PropertyPlace at = Verified();
                switch (at.Kind)
                {
                    case PlaceKind.Size: return SerializedPropertyType.ArraySize;
                    case PlaceKind.Letter: return SerializedPropertyType.Character;
                    case PlaceKind.FileId: case PlaceKind.PathId: return SerializedPropertyType.Integer;
                    case PlaceKind.Root: case PlaceKind.Array: case PlaceKind.Letters:
                        return SerializedPropertyType.Generic;
                    default: return PropertyTypes.Of(at.Type.Kind);
                }
            }
        }

        public bool hasChildren { get { return Verified().ChildCount(RootData) > 0; } }
        public bool hasVisibleChildren
        {
            get
            {
                PropertyPlace at = Verified();
                return at.ChildCount(RootData) > 0 && !at.Child(RootData, 0).IsHidden;
            }
        }
        public bool editable
        {
            get
            {
                Verified();
                return (owner.targetObject.m_ObjectHideFlags & HideFlags.NotEditable) == 0;
            }
        }
        public bool isAnimated { get { return false; } }
        public bool isExpanded
        {
            get { return Expansion.Get(owner.targetObject, propertyPath); }
            set { Expansion.Set(owner.targetObject, propertyPath, value); }
        }
        public bool isInstantiatedPrefab { get { return Hooks.IsPartOfPrefabInstance(owner.targetObject); } }
        public bool prefabOverride
        {
            get { return Hooks.IsOverridden(owner.targetObject, Verified().Path); }
            set
            {
                if (!value && Hooks.IsOverridden(owner.targetObject, Verified().Path))
                    Hooks.RevertOverride(owner.targetObject, place.Path);
            }
        }
        public bool isDefaultOverride { get { return false; } }
        public bool hasMultipleDifferentValues
        {
            get
            {
                for (int i = 1; i < owner.Current.Length; i++)
                    if (!DataNode.Equal(DataOf(0), DataOf(i)))
                        return true;
                return false;
            }
        }

        /// <summary>Move to the next property, into children first if enterChildren. Return false at
        /// the end.</summary>
        public bool Next(bool enterChildren)
        {
            place = Following(Verified(), enterChildren);
            return place != null;
        }

        PropertyPlace Following(PropertyPlace at, bool enterChildren)
        {
            if (enterChildren && at.ChildCount(RootData) > 0)
                return at.Child(RootData, 0);
            for (; at != null; at = at.Parent)
            {
                PropertyPlace next = at.NextSibling(RootData);
                if (next != null)
                    return next;
            }
            return null;
        }

        public bool NextVisible(bool enterChildren)
        {
            PropertyPlace at = Following(Verified(), enterChildren);
            while (at != null && (at.IsHidden || at.IsTransparent))
                at = Following(at, !at.IsHidden);
            place = at;
            return place != null;
        }

        public int CountRemaining()
        {
            int count = 0;
            for (SerializedProperty p = Copy(); p.NextVisible(true);)
                count++;
            return count;
        }

        /// <summary>The number of visible properties, itself included.</summary>
        public int CountInProperty()
        {
            int count = 1;
            SerializedProperty p = Copy(), end = GetEndProperty();
            while (p.NextVisible(true) && !EqualContents(p, end))
                count++;
            return count;
        }

        public SerializedProperty GetEndProperty() { return GetEndProperty(false); }

        public SerializedProperty GetEndProperty(bool includeInvisible)
        {
            SerializedProperty end = Copy();
            if (includeInvisible)
                end.Next(false);
            else
                end.NextVisible(false);
            return end;
        }

        public SerializedProperty FindPropertyRelative(string relativePropertyPath)
        {
            PropertyPlace found = Verified().Find(RootData, relativePropertyPath);
            return found == null ? null : new SerializedProperty(owner, found);
        }

        public IEnumerator GetEnumerator()
        {
            if (isArray)
            {
                for (int i = 0; i < arraySize; i++)
                    yield return GetArrayElementAtIndex(i);
                yield break;
            }
            SerializedProperty end = GetEndProperty();
            while (NextVisible(true) && !EqualContents(this, end))
                yield return this;
        }

        /// <summary>Whether both are the same property of the same objects.</summary>
        public static bool EqualContents(SerializedProperty x, SerializedProperty y)
        {
            if (x == null || y == null)
                return (x == null || x.isDisposed) && (y == null || y.isDisposed);
            return ReferenceEquals(x.owner.targetObject, y.owner.targetObject)
                && (x.place == null) == (y.place == null) && x.propertyPath == y.propertyPath;
        }

        /// <summary>Whether both have the same value.</summary>
        public static bool DataEquals(SerializedProperty x, SerializedProperty y)
        {
            if (x == null || y == null)
                return (x == null || x.isDisposed) && (y == null || y.isDisposed);
            return DataNode.Equal(x.DataOf(0), y.DataOf(0));
        }
    }
}
