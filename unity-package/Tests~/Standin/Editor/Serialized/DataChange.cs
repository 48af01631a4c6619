using System.Collections.Generic;

namespace Standin
{
    /// <summary>
    /// The difference between two states of an object, and its application to a third state.
    /// Applying a SerializedObject or undoing a recorded change leaves everything else unchanged.
    /// </summary>
    internal static class DataChange
    {
        /// <summary>
        /// Return now with the differences between before and after applied. The three must have
        /// the same type; a list whose length changes is replaced as a whole.
        /// </summary>
        public static DataNode Onto(DataNode now, DataNode before, DataNode after)
        {
            if (DataNode.Equal(before, after))
                return now;
            if (now == null || before == null || after == null || !IsMap(now, before, after))
            {
                if (after == null)
                    return now;
                return IsSameList(now, before, after) ? Elements(now, before, after) : after.Clone();
            }
            DataNode result = now.Clone();
            for (int i = 0; i < after.Count; i++)
            {
                string key = after.Keys[i];
                DataNode changed = Onto(now.Get(key), before.Get(key), after[i]);
                if (changed != null)
                    result.Set(key, changed);
            }
            return result;
        }

        static bool IsMap(DataNode now, DataNode before, DataNode after)
        {
            return now.Kind == DataKind.Map && before.Kind == DataKind.Map && after.Kind == DataKind.Map;
        }

        static bool IsSameList(DataNode now, DataNode before, DataNode after)
        {
            return now != null && before != null && now.Kind == DataKind.List && before.Kind == DataKind.List
                && after.Kind == DataKind.List && now.Count == before.Count && now.Count == after.Count;
        }

        static DataNode Elements(DataNode now, DataNode before, DataNode after)
        {
            DataNode result = DataNode.List();
            result.PackedBytes = after.PackedBytes;
            for (int i = 0; i < after.Count; i++)
                result.Add(Onto(now[i], before[i], after[i]).Clone());
            return result;
        }

        /// <summary>The keys of an object whose values differ, with or without links.</summary>
        public static List<string> Keys(DataNode before, DataNode after, TypeNode type, bool withLinks)
        {
            var keys = new List<string>();
            foreach (TypeNode field in type.Children)
                if ((withLinks || !field.IsLink) && !DataNode.Equal(before.Get(field.Name), after.Get(field.Name)))
                    keys.Add(field.Name);
            return keys;
        }

        /// <summary>The part of an object's data with these keys.</summary>
        public static DataNode Part(DataNode data, List<string> keys)
        {
            DataNode part = DataNode.Map();
            foreach (string key in keys)
                part.Add(key, data.Get(key));
            return part;
        }
    }
}
