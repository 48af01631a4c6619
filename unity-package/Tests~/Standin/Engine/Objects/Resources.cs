using System;
using System.Collections.Generic;
using Standin;

namespace UnityEngine
{
    public sealed partial class Resources
    {
        /// <summary>Return every object of a type in memory: in scenes, hidden ones and
        /// assets.</summary>
        public static Object[] FindObjectsOfTypeAll(Type type)
        {
            var found = new List<Object>();
            foreach (Object candidate in ObjectTable.All)
                if (type.IsInstanceOfType(candidate) && !candidate.isDestroyed && !(candidate is MissingScript))
                    found.Add(candidate);
            return found.ToArray();
        }

        public static T[] FindObjectsOfTypeAll<T>() where T : Object
        {
            return Array.ConvertAll(FindObjectsOfTypeAll(typeof(T)), found => (T)found);
        }
    }
}
