using System;
using System.Collections.Generic;
using UnityEditor;

namespace Multiverse.Editor
{
    /// <summary>
    /// The new elements of an array: existing ones, by their old index, and new ones. Unity moves
    /// the elements, so their data need not be understood. The longest run already in order stays;
    /// every other element is moved aside once and then to its place. A copy is made by growing the
    /// array, which duplicates the last element.
    /// <code>
    ///     var plan = new ArrayPlan(type, 3);
    ///     plan.Keep(0, 2, null);               // what stands at 2 now, as it is
    ///     plan.Keep(1, 2, setMembers);         // once more, with some of its members set
    ///     plan.Make(2, setValue);              // a new one
    ///     plan.Apply(property);
    /// </code>
    /// </summary>
    sealed class ArrayPlan
    {
        const int New = -1;

        readonly FieldType type; /* of an element */
        readonly int[] kept;
        readonly Setter[] setters;
        int needed; /* elements that must exist for the kept ones */

        public ArrayPlan(FieldType type, int count)
        {
            this.type = type;
            kept = new int[count];
            setters = new Setter[count];
        }

        public void Make(int place, Setter setter)
        {
            kept[place] = New;
            setters[place] = setter;
        }

        /// <summary>setter: members that are set as well, or null.</summary>
        public void Keep(int place, int from, Setter setter)
        {
            kept[place] = from;
            setters[place] = setter;
            needed = Math.Max(needed, from + 1);
        }

        public void Apply(SerializedProperty array)
        {
            Setter initial = kept.Length > 0 ? InitialValues.Of(type) : null;
            if (needed > 0)
            {
                ArrangeElements(array);
                /* a new element starts as a copy of another one */
                initial = initial ?? InitialValues.Zero(type);
            }
            else
            {
                array.ClearArray();
                array.arraySize = kept.Length;
            }
            for (int i = 0; i < kept.Length; i++)
            {
                if (kept[i] != New && setters[i] == null)
                    continue;
                SerializedProperty element = array.GetArrayElementAtIndex(i);
                if (kept[i] == New && initial != null)
                    initial(element);
                setters[i](element);
            }
        }

        void ArrangeElements(SerializedProperty array)
        {
            List<int> order = SetAside(array); /* the old index of the element at each place */
            var isPlaced = new bool[order.Count];
            for (int i = 0; i < kept.Length; i++)
            {
                int n = kept[i];
                if (n == New)
                    AppendCopy(array, order, i, New);
                else if (isPlaced[n])
                    CopyElement(array, order, order.IndexOf(n), i);
                else
                    MoveElement(array, order, order[i] == n ? i : order.IndexOf(n, i), i);
                if (n != New)
                    isPlaced[n] = true;
            }
            array.arraySize = kept.Length;
        }

        static void MoveElement(SerializedProperty array, List<int> order, int from, int to)
        {
            if (from == to)
                return;
            array.MoveArrayElement(from, to);
            int n = order[from];
            order.RemoveAt(from);
            order.Insert(to, n);
        }

        /* Append a copy of the last element and move it. */
        static void AppendCopy(SerializedProperty array, List<int> order, int to, int n)
        {
            array.arraySize = order.Count + 1;
            order.Add(n);
            MoveElement(array, order, order.Count - 1, to);
        }

        static void CopyElement(SerializedProperty array, List<int> order, int from, int to)
        {
            int n = order[from];
            MoveElement(array, order, from, order.Count - 1);
            AppendCopy(array, order, from, n);
            MoveElement(array, order, order.Count - 1, to);
        }

        /* Move the elements that are not kept to the end. */
        List<int> SetAside(SerializedProperty array)
        {
            int count = Math.Max(array.arraySize, needed);
            array.arraySize = count; /* the array of another component may be shorter */
            bool[] stays = FindStaying(count);
            var order = new List<int>(count + kept.Length);
            for (int n = 0; n < count; n++)
                order.Add(n);
            int last = Array.LastIndexOf(stays, true);
            for (int n = 0, moved = 0; n < last; n++)
                if (!stays[n])
                    MoveElement(array, order, n - moved++, count - 1);
            return order;
        }

        /* The largest set of kept elements that are already in order (longest increasing
           subsequence). */
        bool[] FindStaying(int count)
        {
            var stays = new bool[count];
            var isNamed = new bool[count];
            var before = new int[count]; /* the previous element of its run */
            var ends = new List<int>(); /* the smallest end of the runs of each length */
            foreach (int n in kept)
            {
                if (n == New || isNamed[n])
                    continue;
                isNamed[n] = true;
                int at = ends.BinarySearch(n);
                at = at < 0 ? ~at : at;
                before[n] = at > 0 ? ends[at - 1] : New;
                if (at == ends.Count)
                    ends.Add(n);
                else
                    ends[at] = n;
            }
            for (int n = ends.Count > 0 ? ends[ends.Count - 1] : New; n != New; n = before[n])
                stays[n] = true;
            return stays;
        }
    }
}
