using System;
using System.Runtime.Serialization;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>New values of a type, also of types without a constructor that could be called.</summary>
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
        /// A placeholder for an object that is not there: equal to null, and written as the address that
        /// was asked for. null where the type has no class that could be one.
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
