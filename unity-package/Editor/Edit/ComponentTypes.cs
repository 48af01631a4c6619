using System;
using System.Collections.Generic;
using System.Reflection;
using System.Text;
using UnityEditor;
using UnityEngine;

namespace Multiverse.Editor
{
    /// <summary>
    /// Finds the class for a name as people write it. Search order: the full name ("A.B.C"; dots
    /// may stand for the + of nested classes, and "UnityEngine." may be omitted); a component
    /// without a namespace; the simple name in Unity's common namespaces; any component with that
    /// simple name; any other class, struct or enum, so that the error can say why it does not fit.
    /// Several matches in one step are ERR_COMPONENT_TYPE_AMBIGUOUS with all of them. If two
    /// assemblies have classes with the same full name, "Full.Name, Assembly" selects one.
    /// <code>
    ///     Type type = ComponentTypes.Find("Rigidbody");      // throws ERR_COMPONENT_TYPE_NOT_FOUND
    /// </code>
    /// </summary>
    public static class ComponentTypes
    {
        const int MaxName = 512;
        const int MaxCandidates = 32;

        static readonly string[] usual =
        {
            "UnityEngine", "UnityEngine.UI", "UnityEngine.EventSystems", "UnityEngine.Animations",
            "UnityEngine.Rendering", "TMPro"
        };

        /* Reflection would parse these as array, pointer or generic types. */
        static readonly char[] notInNames = { '[', ']', '*', '&', '<', '>', '\\' };

        public static Type Find(string written)
        {
            string name = written.Trim();
            List<Type> found = All(name);
            if (found.Count == 0)
                throw NotFound(written);
            if (found.Count > 1)
                throw AmbiguousError(name, found);
            return found[0];
        }

        /// <summary>Return all classes that the name may mean.</summary>
        internal static List<Type> All(string name)
        {
            var found = new List<Type>();
            if (name.Length > 0 && name.Length <= MaxName && name.IndexOfAny(notInNames) < 0)
                FindByName(name, found);
            return found;
        }

        static void FindByName(string name, List<Type> found)
        {
            Assembly[] all = AppDomain.CurrentDomain.GetAssemblies();
            int comma = name.IndexOf(',');
            if (comma >= 0)
            {
                AddOfAssembly(found, all, name.Substring(0, comma), name.Substring(comma + 1).Trim());
                return;
            }
            bool isSimple = name.IndexOf('.') < 0;
            if (isSimple)
                AddComponents(found, name, true);
            else
                AddDotted(found, all, name);
            if (isSimple && found.Count == 0)
                AddUsual(found, all, name, true);
            if (isSimple && found.Count == 0)
                AddComponents(found, name, false);
            if (isSimple && found.Count == 0)
                AddUsual(found, all, name, false);
            if (isSimple && found.Count == 0)
                AddOthers(found, all, name);
        }

        static void AddUsual(List<Type> found, Assembly[] all, string simple, bool onlyComponents)
        {
            var some = new List<Type>();
            foreach (string space in usual)
                AddFull(some, all, space + "." + simple);
            foreach (Type type in some)
                if (!onlyComponents || IsComponent(type))
                    AddType(found, type);
        }

        static void AddDotted(List<Type> found, Assembly[] all, string name)
        {
            foreach (string prefix in new[] { "", "UnityEngine." })
            {
                char[] text = (prefix + name).ToCharArray();
                for (int i = text.Length; i >= prefix.Length && found.Count == 0; i--)
                {
                    if (i < text.Length && text[i] != '.')
                        continue;
                    if (i < text.Length)
                        text[i] = '+';
                    AddFull(found, all, new string(text));
                }
            }
        }

        /* Among classes with the same full name, components win. */
        static void AddFull(List<Type> found, Assembly[] all, string full)
        {
            var same = new List<Type>();
            bool anyComponent = false;
            foreach (Assembly assembly in all)
            {
                Type type = TypeIn(assembly, full);
                if (type == null || same.Contains(type) || (IsEditor(assembly) && !IsComponent(type)))
                    continue;
                same.Add(type);
                anyComponent |= IsComponent(type);
            }
            if (!anyComponent && same.Count > 1)
                same.RemoveRange(1, same.Count - 1);
            foreach (Type type in same)
                if (!anyComponent || IsComponent(type))
                    AddType(found, type);
        }

        /* An assembly name is accepted only where the full name is ambiguous. */
        static void AddOfAssembly(List<Type> found, Assembly[] all, string full, string assembly)
        {
            var same = new List<Type>();
            AddFull(same, all, full);
            foreach (Type type in same)
                if (same.Count > 1 && type.Assembly.GetName().Name == assembly)
                    AddType(found, type);
        }

        static Type TypeIn(Assembly assembly, string full)
        {
            try
            {
                return assembly.GetType(full, false);
            }
            catch (Exception)
            {
                return null; /* an invalid name or an unreadable assembly has no component */
            }
        }

        /* "Outer+Inner" counts as a simple name. */
        static void AddComponents(List<Type> found, string simple, bool isWhole)
        {
            foreach (Type type in TypeCache.GetTypesDerivedFrom<Component>())
                if (isWhole ? type.FullName == simple : type.Name == simple)
                    AddType(found, type);
        }

        /* Classes first, then structs, enums and interfaces; .NET's own types are excluded. */
        static void AddOthers(List<Type> found, Assembly[] all, string simple)
        {
            var others = new List<Type>();
            foreach (Assembly assembly in all)
            {
                if (assembly == typeof(object).Assembly || assembly.IsDynamic || IsSystem(assembly) ||
                    IsEditor(assembly))
                    continue;
                foreach (Type type in TypesIn(assembly))
                    if (type != null && type.Name == simple)
                        AddType(type.IsClass ? found : others, type);
            }
            if (found.Count == 0)
                found.AddRange(others);
        }

        static bool IsSystem(Assembly assembly)
        {
            string name = assembly.GetName().Name;
            return name == "System" || name.StartsWith("System.", StringComparison.Ordinal) ||
                   name.StartsWith("Mono.", StringComparison.Ordinal);
        }

        /* The editor's own classes cannot be added, like those of .NET. */
        static bool IsEditor(Assembly assembly)
        {
            return assembly.GetName().Name.StartsWith("UnityEditor", StringComparison.Ordinal);
        }

        static Type[] TypesIn(Assembly assembly)
        {
            try
            {
                return assembly.GetTypes();
            }
            catch (ReflectionTypeLoadException some)
            {
                return some.Types;
            }
        }

        static void AddType(List<Type> found, Type type)
        {
            if (type != null && !found.Contains(type))
                found.Add(type);
        }

        public static bool IsComponent(Type type) { return typeof(Component).IsAssignableFrom(type); }

        /// <summary>Whether the type is that class or derives from it. A name without a dot is a
        /// simple name.</summary>
        public static bool IsA(Type type, string name)
        {
            for (; type != null && type != typeof(object); type = type.BaseType)
                if (FieldTypes.NameOf(type) == name || (name.IndexOf('.') < 0 && type.Name == name))
                    return true;
            return false;
        }

        static ToolError NotFound(string name)
        {
            return new ToolError("ERR_COMPONENT_TYPE_NOT_FOUND",
                "there is no class " + name + " in Unity, in the packages or in the project's scripts");
        }

        static ToolError AmbiguousError(string name, List<Type> found)
        {
            var names = new StringBuilder();
            var details = new JsonWriter();
            details.BeginObject();
            details.Key("candidates");
            details.BeginArray();
            List<string> candidates = Candidates(found);
            for (int i = 0; i < candidates.Count && i < MaxCandidates; i++)
            {
                names.Append(i > 0 ? ", " : "").Append(candidates[i]);
                details.Value(candidates[i]);
            }
            details.EndArray();
            details.EndObject();
            return new ToolError("ERR_COMPONENT_TYPE_AMBIGUOUS",
                                 name + " is ambiguous (" + names + "): give the full name",
                                 details.ToString());
        }

        /// <summary>Return names that each find one of the types; sorted.</summary>
        internal static List<string> Candidates(List<Type> found)
        {
            var names = new List<string>();
            foreach (Type type in found)
            {
                bool isAlone = true;
                foreach (Type other in found)
                    isAlone &= other == type || other.FullName != type.FullName;
                string full = FieldTypes.NameOf(type);
                names.Add(isAlone ? full : type.FullName + ", " + type.Assembly.GetName().Name);
            }
            names.Sort(StringComparer.Ordinal);
            return names;
        }
    }
}
