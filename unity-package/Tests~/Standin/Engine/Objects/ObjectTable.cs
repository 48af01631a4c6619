using System;
using System.Collections.Generic;
using System.Reflection;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>All objects by instance id. Main thread only.</summary>
    internal static class ObjectTable
    {
        static readonly Dictionary<int, Object> objects = new Dictionary<int, Object>();
        static readonly Dictionary<string, int> missing = new Dictionary<string, int>();
        static readonly Dictionary<int, DataNode> missingAddresses = new Dictionary<int, DataNode>();
        static readonly Dictionary<Assembly, Type[]> types = new Dictionary<Assembly, Type[]>();
        static int lastId;

        public static IEnumerable<Object> All { get { return new List<Object>(objects.Values); } }

        public static void Add(Object target)
        {
            lastId -= 2;
            while (objects.ContainsKey(lastId))
                lastId -= 2;
            target.instanceId = lastId;
            objects.Add(lastId, target);
        }

        /// <summary>Restore an object's id from the previous domain; return false if it is
        /// taken.</summary>
        public static bool SetId(Object target, int id)
        {
            Object other;
            if (objects.TryGetValue(id, out other) && !ReferenceEquals(other, target))
                return false;
            objects.Remove(target.instanceId);
            target.instanceId = id;
            objects[id] = target;
            lastId = Math.Min(lastId, id);
            return true;
        }

        /// <summary>Never assign this id to a new object: its owner has not been restored
        /// yet.</summary>
        public static void Reserve(int id) { lastId = Math.Min(lastId, id); }

        public static Object Find(int id)
        {
            Object found;
            return objects.TryGetValue(id, out found) ? found : null;
        }

        public static void Remove(Object target)
        {
            Object other;
            if (objects.TryGetValue(target.instanceId, out other) && ReferenceEquals(other, target))
                objects.Remove(target.instanceId);
        }

        /// <summary>Restore an object after undo of its destruction.</summary>
        public static void Revive(Object target)
        {
            target.isDestroyed = false;
            objects[target.instanceId] = target;
        }

        /// <summary>Return the id of a missing object, one per address.</summary>
        public static int MissingId(DataNode address)
        {
            string key = address.Guid + "/" + Scalars.From(address.FileId);
            int id;
            if (!missing.TryGetValue(key, out id))
            {
                lastId -= 2;
                id = lastId;
                missing.Add(key, id);
                missingAddresses.Add(id, DataNode.Reference(address.FileId, address.Guid, address.FileType));
            }
            return id;
        }

        /// <summary>Return the address of a missing object by its id, or null.</summary>
        public static DataNode MissingAddress(int id)
        {
            DataNode address;
            return missingAddresses.TryGetValue(id, out address) ? address : null;
        }

        /// <summary>Return the loadable types of an assembly; empty if its references are
        /// missing.</summary>
        public static Type[] TypesOf(Assembly assembly)
        {
            Type[] found;
            if (types.TryGetValue(assembly, out found))
                return found;
            try
            {
                found = assembly.GetTypes();
            }
            catch (ReflectionTypeLoadException e)
            {
                found = Array.FindAll(e.Types, type => type != null);
            }
            types.Add(assembly, found);
            return found;
        }
    }
}
