using System.Collections.Generic;
using UnityEditor;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>Reports the changed leaves of an object to Undo.postprocessModifications.</summary>
    internal static class Modifications
    {
        public static void Report(Object target, DataNode before, DataNode after)
        {
            if (Undo.postprocessModifications == null)
                return;
            var found = new List<UndoPropertyModification>();
            foreach (string key in DataChange.Keys(before, after, TypeTree.Of(target.GetType()), true))
                Collect(target, key, before.Get(key), after.Get(key), found);
            Undo.postprocessModifications(found.ToArray());
        }

        static void Collect(Object target, string path, DataNode before, DataNode after,
                            List<UndoPropertyModification> found)
        {
            if (DataNode.Equal(before, after))
                return;
            if (before != null && after != null && before.Kind == after.Kind && before.Count == after.Count
                && after.Items != null)
            {
                for (int i = 0; i < after.Count; i++)
                    Collect(target, path + (after.Keys == null ? ".Array.data[" + i + "]" : "." + after.Keys[i]),
                            before[i], after[i], found);
                return;
            }
            bool isList = after != null && after.Kind == DataKind.List;
            found.Add(new UndoPropertyModification
            {
                previousValue = Value(target, isList ? path + ".Array.size" : path, before),
                currentValue = Value(target, isList ? path + ".Array.size" : path, after)
            });
        }

        static PropertyModification Value(Object target, string path, DataNode data)
        {
            var value = new PropertyModification { target = target, propertyPath = path, value = "" };
            if (data == null)
                return value;
            value.objectReference = data.Target;
            value.value = data.Kind == DataKind.Scalar ? data.Text
                : data.Kind == DataKind.List ? Scalars.From((long)data.Count) : "";
            return value;
        }
    }
}
