using System;
using System.Collections.Generic;
using System.IO;
using System.Reflection;
using UnityEditor;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>
    /// Maps scripts to classes and back: a .cs file of the project has the class with its name; for
    /// packages the tables have the GUIDs.
    /// </summary>
    internal static class ScriptTable
    {
        public const long ScriptFileId = 11500000;
        const int Columns = 4;

        static Dictionary<string, Type> packageTypes;
        static Dictionary<Type, string[]> packageRows;
        static readonly Dictionary<string, Type> files = new Dictionary<string, Type>();
        static readonly Dictionary<Type, string> guids = new Dictionary<Type, string>();
        static readonly Dictionary<Type, MonoScript> loose = new Dictionary<Type, MonoScript>();

        /// <summary>The class that a script reference means; null: missing.</summary>
        public static Type TypeOf(DataNode script)
        {
            if (script == null || script.Guid.Length == 0)
                return null;
            AssetEntry entry = ProjectFolder.Assets.ByGuid(script.Guid);
            Type type = entry != null && script.FileId == ScriptFileId ? ClassOfFile(entry) : null;
            if (type != null)
                return type;
            ReadPackages();
            return packageTypes.TryGetValue(script.Guid + "/" + Scalars.From(script.FileId), out type) ? type : null;
        }

        /// <summary>The class in a .cs file that can be a component or asset, or null.</summary>
        public static Type ClassOfFile(AssetEntry entry)
        {
            Type type;
            if (files.TryGetValue(entry.Guid, out type))
                return type;
            if (ProjectFolder.Extension(entry.Path) == ".cs" && File.Exists(entry.Disk))
                type = FindClass(entry);
            files.Add(entry.Guid, type);
            if (type != null && !guids.ContainsKey(type))
                guids.Add(type, entry.Guid);
            return type;
        }

        static Type FindClass(AssetEntry entry)
        {
            string stem = ProjectFolder.Stem(entry.Path);
            string assembly = ScriptAssemblies.NameFor(entry.Path);
            foreach (string full in SourceClasses.Named(File.ReadAllText(entry.Disk), stem))
                foreach (Assembly loaded in AppDomain.CurrentDomain.GetAssemblies())
                {
                    if (loaded.GetName().Name != assembly)
                        continue;
                    Type type = loaded.GetType(full);
                    if (type != null && (typeof(MonoBehaviour).IsAssignableFrom(type)
                        || typeof(ScriptableObject).IsAssignableFrom(type)))
                        return type;
                }
            return null;
        }

        static void ReadPackages()
        {
            if (packageTypes != null)
                return;
            packageTypes = new Dictionary<string, Type>(StringComparer.Ordinal);
            packageRows = new Dictionary<Type, string[]>();
            string[] rows = PackageScripts.Rows;
            for (int i = 0; i < rows.Length; i += Columns)
            {
                Type type = typeof(Object).Assembly.GetType(rows[i + 2]);
                if (type == null)
                    continue;
                packageTypes[rows[i] + "/" + rows[i + 1]] = type;
                string[] known;
                bool isSource = rows[i + 1] == "11500000";
                if (!packageRows.TryGetValue(type, out known) || (isSource && known[1] != "11500000"))
                    packageRows[type] = new[] { rows[i], rows[i + 1], rows[i + 2], rows[i + 3] };
            }
        }

        /// <summary>The script of a class; null if no file has its name.</summary>
        public static MonoScript ScriptOf(Type type)
        {
            string guid;
            MonoScript script;
            if (FindGuid(type, out guid))
                return AssetLoader.Find(guid, ScriptFileId, typeof(MonoScript)) as MonoScript;
            ReadPackages();
            string[] row;
            if (!packageRows.TryGetValue(type, out row))
                return null;
            if (loose.TryGetValue(type, out script))
                return script;
            script = new MonoScript { scriptClass = type, isPersistent = true, localFileId = Scalars.ToLong(row[1]) };
            script.name = type.Name;
            script.document = row[0];
            loose.Add(type, script);
            return script;
        }

        static bool FindGuid(Type type, out string guid)
        {
            if (guids.TryGetValue(type, out guid))
                return true;
            foreach (AssetEntry entry in ProjectFolder.Assets.All)
                if (entry.Path.EndsWith("/" + type.Name + ".cs", StringComparison.Ordinal) && ClassOfFile(entry) == type)
                {
                    guid = entry.Guid;
                    return true;
                }
            return false;
        }

        /// <summary>m_EditorClassIdentifier: "Assembly:Namespace:Class"; newer editors write two
        /// colons.</summary>
        public static string IdentifierOf(Type type)
        {
            return type.Assembly.GetName().Name + ":" + (type.Namespace ?? "") + ":" + type.Name;
        }

        /// <summary>The class of an m_EditorClassIdentifier, or null.</summary>
        public static Type Identified(DataNode identifier)
        {
            string[] parts = identifier == null ? new string[0] : identifier.Text.Split(':');
            if (parts.Length != 3)
                return null;
            string full = (parts[1].Length > 0 ? parts[1] + "." : "") + parts[2];
            foreach (Assembly loaded in AppDomain.CurrentDomain.GetAssemblies())
                if (loaded.GetName().Name == parts[0])
                    return loaded.GetType(full);
            return null;
        }

        /// <summary>Forget everything after scripts were compiled or moved.</summary>
        public static void Forget()
        {
            files.Clear();
            guids.Clear();
        }
    }
}
