using System;
using System.Reflection;

namespace Standin
{
    /// <summary>Finds classes of managed references by name: "Assembly
    /// Namespace.Class/Nested".</summary>
    internal static class ManagedTypes
    {
        public static Type Find(string name)
        {
            int space = name.IndexOf(' ');
            string assembly = space < 0 ? "" : name.Substring(0, space);
            string type = name.Substring(space + 1).Replace('/', '+');
            foreach (Assembly candidate in Hooks.Assemblies())
            {
                if (assembly.Length > 0 && candidate.GetName().Name != assembly)
                    continue;
                Type found = candidate.GetType(type, false);
                if (found != null && !found.IsAbstract && !found.ContainsGenericParameters)
                    return found;
            }
            return null;
        }
    }
}
