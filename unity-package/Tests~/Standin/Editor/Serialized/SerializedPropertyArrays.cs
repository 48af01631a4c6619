using System;
using Standin;
using UnityEngine;

namespace UnityEditor
{
    /// <summary>Arrays and lists; a string counts as an array of characters.</summary>
    public partial class SerializedProperty
    {
        /// <summary>As in Unity, also true for "Array" below an array.</summary>
        public bool isArray { get { return Verified().IsArray || place.Kind == PlaceKind.Array; } }

        public bool isFixedBuffer { get { return false; } }
        public int fixedBufferSize { get { return 0; } }

        public string arrayElementType
        {
            get
            {
                if (!isArray)
                    return "";
                return place.Type.Kind == FieldKind.String ? "char" : place.Type.Element.TypeName;
            }
        }

        public int arraySize
        {
            get
            {
                if (!RequireArray())
                    return 0;
                DataNode data = DataOf(0);
                return data.Kind == DataKind.Scalar ? data.Text.Length : data.Count;
            }
            set
            {
                if (RequireArray())
                    Resize(value);
            }
        }

#if UNITY_2022_1_OR_NEWER
        /// <summary>The smallest size among the objects.</summary>
        public int minArraySize
        {
            get
            {
                int least = arraySize;
                for (int i = 1; i < owner.Current.Length; i++)
                    least = Math.Min(least, DataOf(i).Count);
                return least;
            }
        }
#endif

        bool RequireArray()
        {
            if (isArray)
                return true;
            Debug.LogError("Retrieving array size, but no array was provided");
            return false;
        }

        /* New elements copy the last one; in an empty array they are zero. */
        void Resize(int size)
        {
            foreach (DataNode root in owner.Current)
            {
                DataNode data = Verified().Data(root);
                if (data.Kind != DataKind.List || size < 0)
                    continue;
                if (size < data.Count)
                    data.Items.RemoveRange(size, data.Count - size);
                while (data.Count < size)
                    data.Add(data.Count > 0 ? data[data.Count - 1].Clone() : ZeroData.Of(place.Type.Element));
            }
        }

        public SerializedProperty GetArrayElementAtIndex(int index)
        {
            if (!RequireArray())
                return null;
            PropertyPlace list = place.Kind == PlaceKind.Array ? place : place.Child(RootData, 0);
            if (index >= 0 && index + 1 < list.ChildCount(RootData))
                return new SerializedProperty(owner, list.Child(RootData, index + 1));
            Debug.LogError("Retrieving array element that was out of bounds");
            return null;
        }

        /// <summary>Insert a copy of the element before it, or at index 0 of the first
        /// element.</summary>
        public void InsertArrayElementAtIndex(int index)
        {
            if (!RequireArray())
                return;
            foreach (DataNode root in owner.Current)
            {
                DataNode data = place.Data(root);
                if (data.Kind != DataKind.List)
                    continue;
                int at = Math.Max(0, Math.Min(index, data.Count));
                data.Items.Insert(at, data.Count == 0
                    ? ZeroData.Of(place.Type.Element) : data[Math.Max(0, at - 1)].Clone());
            }
        }

        public void DeleteArrayElementAtIndex(int index)
        {
            if (!RequireArray())
                return;
            foreach (DataNode root in owner.Current)
            {
                DataNode data = place.Data(root);
                if (data.Kind != DataKind.List || index < 0 || index >= data.Count)
                {
                    Debug.LogError("Retrieving array element that was out of bounds");
                    continue;
                }
#if !UNITY_2021_2_OR_NEWER
                /* In these versions the first call only sets a reference to null; the second
                   removes the element. */
                if (data[index].Kind == DataKind.Reference && !data[index].IsNullReference)
                {
                    data.Items[index] = DataNode.Reference(null);
                    continue;
                }
#endif
                data.Items.RemoveAt(index);
            }
        }

        public void ClearArray()
        {
            if (RequireArray())
                Resize(0);
        }

        public bool MoveArrayElement(int srcIndex, int dstIndex)
        {
            if (!RequireArray())
                return false;
            bool isDone = false;
            foreach (DataNode root in owner.Current)
            {
                DataNode data = place.Data(root);
                if (data.Kind != DataKind.List || srcIndex < 0 || srcIndex >= data.Count || dstIndex < 0
                    || dstIndex >= data.Count)
                    continue;
                DataNode moved = data[srcIndex];
                data.Items.RemoveAt(srcIndex);
                data.Items.Insert(dstIndex, moved);
                isDone = true;
            }
            return isDone;
        }

        public bool DuplicateCommand()
        {
            if (Verified().Kind != PlaceKind.Element)
                return false;
            new SerializedProperty(owner, place.Parent).InsertArrayElementAtIndex(place.Index + 1);
            return true;
        }

        public bool DeleteCommand()
        {
            if (Verified().Kind != PlaceKind.Element)
                return false;
            new SerializedProperty(owner, place.Parent).DeleteArrayElementAtIndex(place.Index);
            return true;
        }
    }
}
