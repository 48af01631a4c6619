using System;
using System.Collections.Generic;
using UnityEditor;
using UnityEngine;

namespace Multiverse.Editor
{
    /// <summary>
    /// find_component_types: the classes that can be added to a GameObject or, with a base, those
    /// that a reference of that class accepts; sorted by name.
    /// </summary>
    public sealed class FindComponentTypes : Tool
    {
        const int TypesPerStep = 20;
        const string Advice = "leave base out, and search the names with query";

        public override string Name { get { return "find_component_types"; } }

        sealed class Entry
        {
            public Type Type;
            public string FullName;
            public string Script;
            public bool CanAdd;
        }

        public override IEnumerator<Pause> Run(ToolCall call)
        {
            string query = call.Arguments.GetString("query", ""), named = call.Arguments.GetString("base", "");
            Type wanted = named.Length > 0 ? TypeNames.Find(named, Advice) : null;
            var files = new ScriptFiles();
            var entries = new List<Entry>();
            int seen = 0;
            foreach (Type type in TypeCache.GetTypesDerivedFrom<Component>())
            {
                Entry entry = CreateEntry(type, wanted, query, files);
                if (entry != null)
                    entries.Add(entry);
                if (++seen % TypesPerStep == 0)
                    yield return Pause.Step;
            }
            entries.Sort(Compare);
            NameTwins(entries);
            WriteAnswer(call, entries);
        }

        /* Return null if the type does not match. The most expensive check comes last. */
        static Entry CreateEntry(Type type, Type wanted, string query, ScriptFiles files)
        {
            string full = FieldTypes.NameOf(type);
            if (full.IndexOf(query, StringComparison.OrdinalIgnoreCase) < 0 ||
                (wanted != null && !wanted.IsAssignableFrom(type)) || AddRules.IsAbstract(type))
                return null;
            bool canAdd = !typeof(Transform).IsAssignableFrom(type);
            if ((wanted == null && !canAdd) || files.IsEditorOnly(type))
                return null;
            string script = files.PathOf(type);
            if (script == null && files.IsScript(type))
                return null;
            return new Entry { Type = type, FullName = full, Script = script, CanAdd = canAdd };
        }

        static int Compare(Entry a, Entry b)
        {
            int order = string.CompareOrdinal(a.Type.Name, b.Type.Name);
            if (order == 0)
                order = string.CompareOrdinal(a.FullName, b.FullName);
            return order != 0 ? order
                : string.CompareOrdinal(a.Type.Assembly.GetName().Name, b.Type.Assembly.GetName().Name);
        }

        /* If two assemblies have classes with the same full name, manage_component accepts the
           name with the assembly. */
        static void NameTwins(List<Entry> entries)
        {
            var twins = new List<Entry>();
            for (int i = 0; i < entries.Count; i++)
                if ((i > 0 && entries[i - 1].Type.FullName == entries[i].Type.FullName) ||
                    (i + 1 < entries.Count && entries[i + 1].Type.FullName == entries[i].Type.FullName))
                    twins.Add(entries[i]);
            foreach (Entry twin in twins)
                twin.FullName = twin.Type.FullName + ", " + twin.Type.Assembly.GetName().Name;
        }

        static void WriteAnswer(ToolCall call, List<Entry> entries)
        {
            JsonWriter w = call.Out;
            var page = new ToolPage(call.Arguments, call.Arguments.GetLong("max_results", 100), entries.Count);
            w.BeginObject();
            w.Key("types");
            w.BeginArray();
            for (int i = page.From; i < page.To; i++)
            {
                Entry entry = entries[i];
                w.BeginObject();
                w.Member("type", entry.FullName);
                w.Member("name", entry.Type.Name);
                w.Member("namespace", entry.Type.Namespace ?? "");
                w.Key("script");
                if (entry.Script != null)
                    w.Value(entry.Script);
                else
                    w.Null();
                w.Member("can_add", entry.CanAdd);
                w.EndObject();
            }
            w.EndArray();
            page.Write(w);
            w.EndObject();
        }
    }
}
