using System;
using System.Runtime.Serialization;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>Creates values of a type, even if it has no usable constructor.</summary>
    internal static class Instances
    {
        public static object New(Type type)
        {
            if (type == typeof(string))
                return "";
            if (type.IsArray)
                return Array.CreateInstance(type.GetElementType(), 0);
            try
            {
                return Activator.CreateInstance(type, true);
            }
            catch (Exception)
            {
                return FormatterServices.GetUninitializedObject(type);
            }
        }

        /// <summary>
        /// Create a placeholder for a missing object: equal to null, and written as the requested
        /// address. Return null if no class fits the type.
        /// </summary>
        public static Object Missing(Type type, DataNode address)
        {
            Type concrete = Concrete(type);
            if (concrete == null)
                return null;
            var placeholder = (Object)FormatterServices.GetUninitializedObject(concrete);
            placeholder.isDestroyed = true;
            placeholder.missingAddress = address.Clone();
            placeholder.instanceId = ObjectTable.MissingId(address);
            return placeholder;
        }

        static Type Concrete(Type type)
        {
            if (!type.IsAbstract)
                return type;
            foreach (var assembly in Hooks.Assemblies())
                foreach (Type candidate in ObjectTable.TypesOf(assembly))
                    if (!candidate.IsAbstract && !candidate.ContainsGenericParameters
                        && type.IsAssignableFrom(candidate) && typeof(Object).IsAssignableFrom(candidate))
                        return candidate;
            return null;
        }
    }
}
