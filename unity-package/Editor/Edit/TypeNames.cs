using System;
using System.Collections.Generic;
using System.Text;
using UnityEditor;
using Object = UnityEngine.Object;

namespace Multiverse.Editor
{
    /// <summary>
    /// Finds the class that a caller of a search tool named: any class, struct or interface that
    /// <see cref="ComponentTypes"/> finds, or any of Unity's object classes, including the
    /// editor's.
    /// <code>
    ///     Type type = TypeNames.Find("Collider", "leave base out");      // throws ERR_TYPE_NOT_FOUND
    /// </code>
    /// </summary>
    public static class TypeNames
    {
        const int MaxCandidates = 32;

        public static Type Find(string written, string advice)
        {
            string name = written.Trim();
            List<Type> found = ComponentTypes.All(name);
            if (found.Count == 0)
                AddObjects(found, name);
            if (found.Count > 1)
                throw AmbiguousError(name, found);
            if (found.Count == 0)
                throw new ToolError("ERR_TYPE_NOT_FOUND", "there is no class " + name +
                    " in Unity, in the packages or in the project's scripts: " + advice);
            return found[0];
        }

        static void AddObjects(List<Type> found, string name)
        {
            foreach (Type type in TypeCache.GetTypesDerivedFrom<Object>())
                if ((type.FullName == name || type.Name == name) && !found.Contains(type))
                    found.Add(type);
        }

        static ToolError AmbiguousError(string name, List<Type> found)
        {
            var names = new StringBuilder();
            var details = new JsonWriter();
            details.BeginObject();
            details.Key("candidates");
            details.BeginArray();
            List<string> candidates = ComponentTypes.Candidates(found);
            for (int i = 0; i < candidates.Count && i < MaxCandidates; i++)
            {
                names.Append(i > 0 ? ", " : "").Append(candidates[i]);
                details.Value(candidates[i]);
            }
            details.EndArray();
            details.EndObject();
            return new ToolError("ERR_TYPE_AMBIGUOUS", name + " is ambiguous (" + names + "): give the full name",
                                 details.ToString());
        }
    }
}
