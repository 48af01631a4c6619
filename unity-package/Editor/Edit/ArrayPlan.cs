using System;
using System.Collections.Generic;
using UnityEditor;

namespace Multiverse.Editor
{
    /// <summary>
    /// The elements that an array gets: those that it has, by their place, and new ones.
    /// <code>
    ///     var plan = new ArrayPlan(type, 3);
    ///     plan.Keep(0, 2, null);               // what stands at 2 now, as it is
    ///     plan.Keep(1, 2, setMembers);         // once more, with some of its members set
    ///     plan.Make(2, setValue);              // a new one
    ///     plan.Apply(property);
    /// </code>
    /// Elements are moved by Unity, so that nothing of them has to be understood. As many stay where they
    /// are as can: only those out of order are moved, each of them once out of the way and once to its
    /// place. A copy is what Unity makes when an array grows, the last element once more.
    /// </summary>
    sealed class ArrayPlan
    {
        const int New = -1;

        readonly FieldType type; /* of an element */
        readonly int[] kept;
        readonly Setter[] setters;
        int needed; /* so many it has, if those that are kept are there */

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

        /// <summary>setter: what is given beside it; null: nothing.</summary>
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
                Arrange(array);
                initial = initial ?? InitialValues.Zero(type); /* a new one is a copy of some other */
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

        void Arrange(SerializedProperty array)
        {
            List<int> order = SetAside(array); /* what stands where */
            var isPlaced = new bool[order.Count];
            for (int i = 0; i < kept.Length; i++)
            {
                int n = kept[i];
                if (n == New)
                    Grow(array, order, i, New);
                else if (isPlaced[n])
                    Copy(array, order, order.IndexOf(n), i);
                else
                    Move(array, order, order[i] == n ? i : order.IndexOf(n, i), i);
                if (n != New)
                    isPlaced[n] = true;
            }
            array.arraySize = kept.Length;
        }

        static void Move(SerializedProperty array, List<int> order, int from, int to)
        {
            if (from == to)
                return;
            array.MoveArrayElement(from, to);
            int n = order[from];
            order.RemoveAt(from);
            order.Insert(to, n);
        }

        /* The last one once more, at that place. */
        static void Grow(SerializedProperty array, List<int> order, int to, int n)
        {
            array.arraySize = order.Count + 1;
            order.Add(n);
            Move(array, order, order.Count - 1, to);
        }

        static void Copy(SerializedProperty array, List<int> order, int from, int to)
        {
            int n = order[from];
            Move(array, order, from, order.Count - 1);
            Grow(array, order, from, n);
            Move(array, order, order.Count - 1, to);
        }

        /* Moves what is not to stay behind what is. */
        List<int> SetAside(SerializedProperty array)
        {
            int count = Math.Max(array.arraySize, needed);
            array.arraySize = count; /* of another component it may be shorter */
            bool[] stays = Staying(count);
            var order = new List<int>(count + kept.Length);
            for (int n = 0; n < count; n++)
                order.Add(n);
            int last = Array.LastIndexOf(stays, true);
            for (int n = 0, moved = 0; n < last; n++)
                if (!stays[n])
                    Move(array, order, n - moved++, count - 1);
            return order;
        }

        /* The most elements that are in order already: the longest ascending row among those kept. */
        bool[] Staying(int count)
        {
            var stays = new bool[count];
            var isNamed = new bool[count];
            var before = new int[count]; /* in its row */
            var ends = new List<int>();  /* of rows of each length the smallest end */
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
