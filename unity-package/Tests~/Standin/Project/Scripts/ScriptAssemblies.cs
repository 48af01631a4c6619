using System;
using System.Collections.Generic;

namespace Standin
{
    /// <summary>
    /// Assigns scripts to assemblies by Unity's rules: the nearest .asmdef (or .asmref) above the
    /// script, otherwise Assembly-CSharp, with -Editor below a folder named Editor, and -firstpass
    /// below Assets/Plugins and the Standard Assets.
    /// </summary>
    internal static class ScriptAssemblies
    {
        static readonly object gate = new object();
        static AssetTable readFrom;
        static Dictionary<string, ScriptAssembly> byFolder;
        static Dictionary<string, ScriptAssembly> byName;

        /// <summary>All assemblies with scripts, in compilation order.</summary>
        public static List<ScriptAssembly> All()
        {
            Read();
            var all = new List<ScriptAssembly>();
            var done = new HashSet<ScriptAssembly>();
            var names = new List<string>(byName.Keys);
            names.Sort(string.CompareOrdinal);
            foreach (string name in names)
                if (!byName[name].IsPredefined)
                    Visit(byName[name], all, done);
            foreach (string name in new[] { "Assembly-CSharp-firstpass", "Assembly-CSharp-Editor-firstpass",
                "Assembly-CSharp", "Assembly-CSharp-Editor" })
                if (byName.ContainsKey(name))
                    all.Add(byName[name]);
            return all.FindAll(assembly => assembly.Sources.Count > 0 && assembly.IsForEditor);
        }

        static void Visit(ScriptAssembly assembly, List<ScriptAssembly> all, HashSet<ScriptAssembly> done)
        {
            if (!done.Add(assembly))
                return;
            foreach (string reference in assembly.References)
            {
                ScriptAssembly other = Find(reference);
                if (other != null)
                    Visit(other, all, done);
            }
            all.Add(assembly);
        }

        /// <summary>Find an assembly by name or "GUID:..."; null: not of the project.</summary>
        public static ScriptAssembly Find(string reference)
        {
            Read();
            ScriptAssembly found;
            if (!reference.StartsWith("GUID:", StringComparison.OrdinalIgnoreCase))
                return byName.TryGetValue(reference, out found) ? found : null;
            string guid = reference.Substring(5).ToLowerInvariant();
            foreach (ScriptAssembly assembly in byName.Values)
                if (assembly.Guid == guid)
                    return assembly;
            return null;
        }

        /// <summary>The assembly of a script; empty: it is not compiled.</summary>
        public static string NameFor(string path)
        {
            Read();
            ScriptAssembly found = Nearest(path);
            return found == null ? PredefinedFor(path) : found.Name;
        }

        static ScriptAssembly Nearest(string path)
        {
            for (int slash = path.LastIndexOf('/'); slash > 0; slash = path.LastIndexOf('/', slash - 1))
            {
                ScriptAssembly found;
                if (byFolder.TryGetValue(path.Substring(0, slash), out found))
                    return found;
            }
            return null;
        }

        static string PredefinedFor(string path)
        {
            if (!path.StartsWith("Assets/", StringComparison.Ordinal))
                return "";
            bool isEditor = path.IndexOf("/Editor/", StringComparison.OrdinalIgnoreCase) >= 0;
            bool isFirst = path.StartsWith("Assets/Plugins/", StringComparison.OrdinalIgnoreCase)
                || path.StartsWith("Assets/Standard Assets/", StringComparison.OrdinalIgnoreCase)
                || path.StartsWith("Assets/Pro Standard Assets/", StringComparison.OrdinalIgnoreCase);
            return "Assembly-CSharp" + (isEditor ? "-Editor" : "") + (isFirst ? "-firstpass" : "");
        }

        /* ---- reading */

        static void Read()
        {
            AssetTable assets = ProjectFolder.Assets;
            lock (gate)
                if (!ReferenceEquals(readFrom, assets))
                    Read(assets);
        }

        static void Read(AssetTable assets)
        {
            readFrom = assets;
            byFolder = new Dictionary<string, ScriptAssembly>(StringComparer.Ordinal);
            byName = new Dictionary<string, ScriptAssembly>(StringComparer.Ordinal);
            foreach (AssetEntry entry in assets.All)
                if (!entry.IsFolder && ProjectFolder.Extension(entry.Path) == ".asmdef")
                    ReadDefinition(entry);
            foreach (AssetEntry entry in assets.All)
                if (!entry.IsFolder && ProjectFolder.Extension(entry.Path) == ".asmref")
                    ReadReference(entry);
            foreach (AssetEntry entry in assets.All)
                if (!entry.IsFolder && ProjectFolder.Extension(entry.Path) == ".cs")
                    AddSource(entry);
        }

        static string FolderOf(string path) { return path.Substring(0, path.LastIndexOf('/')); }

        static void ReadDefinition(AssetEntry entry)
        {
            Dictionary<string, object> about = PackageTable.ReadJson(entry.Disk);
            string name = Text(about, "name");
            if (name.Length == 0 || byName.ContainsKey(name) || byFolder.ContainsKey(FolderOf(entry.Path)))
                return;
            var created = new ScriptAssembly
            {
                Name = name, Path = entry.Path, Guid = entry.Guid, Folder = FolderOf(entry.Path),
                RootNamespace = Text(about, "rootNamespace"), IsAutoReferenced = Truth(about, "autoReferenced", true),
                AllowsUnsafe = Truth(about, "allowUnsafeCode", false),
                NoEngineReferences = Truth(about, "noEngineReferences", false),
                IsPrebuilt = entry.Path.StartsWith("Packages/" + AssetTable.OwnPackage + "/", StringComparison.Ordinal)
            };
            AddTexts(about, "references", created.References);
            AddTexts(about, "includePlatforms", created.IncludePlatforms);
            AddTexts(about, "excludePlatforms", created.ExcludePlatforms);
            AddTexts(about, "defineConstraints", created.DefineConstraints);
            AddTexts(about, "optionalUnityReferences", created.OptionalReferences);
            AddTexts(about, "precompiledReferences", created.PrecompiledReferences);
            byName.Add(name, created);
            byFolder.Add(created.Folder, created);
        }

        static void ReadReference(AssetEntry entry)
        {
            string reference = Text(PackageTable.ReadJson(entry.Disk), "reference");
            ScriptAssembly found = null;
            foreach (ScriptAssembly assembly in byName.Values)
                if (assembly.Name == reference || "GUID:" + assembly.Guid == reference)
                    found = assembly;
            if (found != null && !byFolder.ContainsKey(FolderOf(entry.Path)))
                byFolder.Add(FolderOf(entry.Path), found);
        }

        static void AddSource(AssetEntry entry)
        {
            ScriptAssembly assembly = Nearest(entry.Path);
            string name = assembly == null ? PredefinedFor(entry.Path) : assembly.Name;
            if (name.Length == 0)
                return;
            if (assembly == null && !byName.TryGetValue(name, out assembly))
                byName.Add(name, assembly = new ScriptAssembly { Name = name, IsPredefined = true });
            assembly.Sources.Add(entry);
        }

        static string Text(Dictionary<string, object> from, string key)
        {
            object value;
            return from.TryGetValue(key, out value) ? value as string ?? "" : "";
        }

        static bool Truth(Dictionary<string, object> from, string key, bool otherwise)
        {
            object value;
            return from.TryGetValue(key, out value) && value is bool ? (bool)value : otherwise;
        }

        static void AddTexts(Dictionary<string, object> from, string key, List<string> to)
        {
            object value;
            if (from.TryGetValue(key, out value) && value is List<object>)
                foreach (object item in (List<object>)value)
                    if (item is string)
                        to.Add((string)item);
        }
    }
}
