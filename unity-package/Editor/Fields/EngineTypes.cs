using System;
using System.Collections.Generic;
using System.Reflection;

namespace Multiverse.Editor
{
    /// <summary>Finds Unity's own types by full name, in any of its assemblies; null if this version
    /// of Unity does not have the type.</summary>
    static class EngineTypes
    {
        static readonly Dictionary<string, Type> known = new Dictionary<string, Type>(StringComparer.Ordinal);
        static List<Assembly> assemblies;

        public static Type Find(string fullName)
        {
            Type type;
            if (known.TryGetValue(fullName, out type))
                return type;
            foreach (Assembly assembly in ListAssemblies())
                if ((type = assembly.GetType(fullName, false)) != null)
                    break;
            known.Add(fullName, type);
            return type;
        }

        static List<Assembly> ListAssemblies()
        {
            if (assemblies != null)
                return assemblies;
            assemblies = new List<Assembly>();
            foreach (Assembly assembly in AppDomain.CurrentDomain.GetAssemblies())
            {
                string name = assembly.GetName().Name;
                if (name.StartsWith("UnityEngine", StringComparison.Ordinal) ||
                    name.StartsWith("UnityEditor", StringComparison.Ordinal))
                    assemblies.Add(assembly);
            }
            return assemblies;
        }
    }
}
