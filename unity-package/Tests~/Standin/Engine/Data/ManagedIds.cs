using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>
    /// The ids of [SerializeReference] values: unique, constant while the value is held, and those
    /// of the file where it had any.
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

        /// <summary>Return the value with this id if it has this class; otherwise null.</summary>
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
        /// Keep the data of a field whose class is missing, or drop it with null. The field itself
        /// can only be null.
        /// </summary>
        public static void SetLost(Object owner, string path, DataNode data)
        {
            Ids ids;
            if (data != null)
                owners.GetOrCreateValue(owner).Lost[path] = data.Clone();
            else if (owners.TryGetValue(owner, out ids))
                ids.Lost.Remove(path);
        }

        /// <summary>Return the data kept by SetLost, or null.</summary>
        public static DataNode Lost(Object owner, string path)
        {
            Ids ids;
            DataNode data;
            return owners.TryGetValue(owner, out ids) && ids.Lost.TryGetValue(path, out data) ? data.Clone() : null;
        }

#if UNITY_2021_2_OR_NEWER
        static long Fresh() { return random.Next(1, int.MaxValue) * 0x100000000L + random.Next(); }
#else
        /* In those versions ids counted up from 0; the file's writer renumbers them. */
        static long last = -1;

        static long Fresh() { return random == null ? 0 : ++last; }
#endif
    }
}
