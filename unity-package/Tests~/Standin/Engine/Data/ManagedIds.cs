using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>
    /// The ids of the values of [SerializeReference] fields: one each, the same as long as the value is
    /// held, and those that the file had.
    /// </summary>
    internal static class ManagedIds
    {
        sealed class Ids
        {
            public readonly Dictionary<object, long> ByValue = new Dictionary<object, long>(ByIdentity.Comparer);
            public readonly Dictionary<string, DataNode> Lost = new Dictionary<string, DataNode>();
        }

        static readonly ConditionalWeakTable<Object, Ids> owners = new ConditionalWeakTable<Object, Ids>();
        static readonly Random random = new Random();

        public static long Of(Object owner, object value)
        {
            Ids ids = owners.GetOrCreateValue(owner);
            long id;
            if (ids.ByValue.TryGetValue(value, out id))
                return id;
            do
                id = Fresh();
            while (ids.ByValue.ContainsValue(id));
            ids.ByValue.Add(value, id);
            return id;
        }

        /// <summary>The value that has this id already, if it is of this class; else null.</summary>
        public static object Held(Object owner, long id, Type type)
        {
            Ids ids;
            if (owners.TryGetValue(owner, out ids))
                foreach (KeyValuePair<object, long> pair in ids.ByValue)
                    if (pair.Value == id && pair.Key.GetType() == type)
                        return pair.Key;
            return null;
        }

        public static void Set(Object owner, object value, long id)
        {
            owners.GetOrCreateValue(owner).ByValue[value] = id;
        }

        /// <summary>
        /// Keeps, or forgets with null, what a field has whose class is not there: the field itself can
        /// only be null.
        /// </summary>
        public static void SetLost(Object owner, string path, DataNode data)
        {
            Ids ids;
            if (data != null)
                owners.GetOrCreateValue(owner).Lost[path] = data.Clone();
            else if (owners.TryGetValue(owner, out ids))
                ids.Lost.Remove(path);
        }

        /// <summary>What SetLost kept, or null.</summary>
        public static DataNode Lost(Object owner, string path)
        {
            Ids ids;
            DataNode data;
            return owners.TryGetValue(owner, out ids) && ids.Lost.TryGetValue(path, out data) ? data.Clone() : null;
        }

#if UNITY_2021_2_OR_NEWER
        static long Fresh() { return random.Next(1, int.MaxValue) * 0x100000000L + random.Next(); }
#else
        /* Ids were counted up from 0 then; who writes the file numbers them anew. */
        static long last = -1;

        static long Fresh() { return random == null ? 0 : ++last; }
#endif
    }
}
