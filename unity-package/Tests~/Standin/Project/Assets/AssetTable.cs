using System;
using System.Collections.Generic;
using System.IO;

namespace Standin
{
    /// <summary>A file or folder below Assets or Packages with a .meta.</summary>
    internal sealed class AssetEntry
    {
        /// <summary>Unity's path: "Assets/Crate.prefab",
        /// "Packages/com.unity.ugui/Runtime/Image.cs".</summary>
        public string Path;
        public string Guid;
        /// <summary>The absolute path on disk.</summary>
        public string Disk;
        public bool IsFolder;
    }

    /// <summary>
    /// The GUIDs and paths of the project, from the .meta files. A duplicate GUID belongs to the
    /// first root (Assets, then packages), then to the first path.
    /// </summary>
    internal sealed class AssetTable
    {
        const int MaxEntries = 1000000;
        /// <summary>The package under test.</summary>
        public const string OwnPackage = "com.multiverse.editor";
        const int MaxMetaBytes = 64 << 20;

        readonly Dictionary<string, AssetEntry> byPath = new Dictionary<string, AssetEntry>(StringComparer.Ordinal);
        readonly Dictionary<string, AssetEntry> byGuid = new Dictionary<string, AssetEntry>(StringComparer.Ordinal);
        readonly List<AssetEntry> all = new List<AssetEntry>();
        readonly List<KeyValuePair<string, string>> roots = new List<KeyValuePair<string, string>>();
        public readonly List<PackageFolder> Packages;

        /// <summary>Sorted by root, then path.</summary>
        public IList<AssetEntry> All { get { return all; } }

        public AssetTable(string project)
        {
            Packages = PackageTable.Read(project);
            roots.Add(new KeyValuePair<string, string>("Assets", project + "/Assets"));
            if (HostState.PackagePath.Length > 0 && !Packages.Exists(package => package.Name == OwnPackage))
                Packages.Add(new PackageFolder { Name = OwnPackage, Folder = HostState.PackagePath, Rank = 1 });
            foreach (PackageFolder package in Packages)
                roots.Add(new KeyValuePair<string, string>("Packages/" + package.Name, package.Folder));
            foreach (KeyValuePair<string, string> root in roots)
                Scan(root.Key, root.Value, 0);
        }

        public AssetEntry ByPath(string path)
        {
            AssetEntry entry;
            return path != null && byPath.TryGetValue(path, out entry) ? entry : null;
        }

        public AssetEntry ByGuid(string guid)
        {
            AssetEntry entry;
            return guid != null && byGuid.TryGetValue(guid, out entry) ? entry : null;
        }

        /// <summary>Return the path on disk, also of a file that does not exist; null: below no
        /// root.</summary>
        public string DiskPath(string path)
        {
            foreach (KeyValuePair<string, string> root in roots)
                if (path == root.Key || path.StartsWith(root.Key + "/", StringComparison.Ordinal))
                    return root.Value + path.Substring(root.Key.Length);
            return null;
        }

        /// <summary>Whether Unity ignores a file with this name.</summary>
        public static bool IsIgnored(string name)
        {
            return name.Length == 0 || name[0] == '.' || name[name.Length - 1] == '~'
                || string.Equals(name, "cvs", StringComparison.OrdinalIgnoreCase)
                || name.EndsWith(".tmp", StringComparison.OrdinalIgnoreCase);
        }

        void Scan(string shown, string disk, int depth)
        {
            if (depth > 100 || !Directory.Exists(disk))
                return;
            string[] names = Array.ConvertAll(Directory.GetFileSystemEntries(disk), Path.GetFileName);
            Array.Sort(names, string.CompareOrdinal);
            foreach (string name in names)
            {
                if (IsIgnored(name) || name.EndsWith(".meta", StringComparison.Ordinal))
                    continue;
                bool isFolder = Directory.Exists(disk + "/" + name);
                Add(shown + "/" + name, disk + "/" + name, isFolder);
                if (isFolder)
                    Scan(shown + "/" + name, disk + "/" + name, depth + 1);
            }
        }

        void Add(string shown, string disk, bool isFolder)
        {
            string guid = GuidOf(disk + ".meta");
            if (guid == null || all.Count >= MaxEntries || byPath.ContainsKey(shown))
                return;
            var entry = new AssetEntry { Path = shown, Disk = disk, Guid = guid, IsFolder = isFolder };
            byPath.Add(shown, entry);
            all.Add(entry);
            if (byGuid.ContainsKey(guid))
                UnityEngine.Debug.LogWarning("GUID [" + guid + "] for asset '" + shown + "' conflicts with: '"
                    + byGuid[guid].Path + "' (current owner)");
            else
                byGuid.Add(guid, entry);
        }

        /// <summary>Return the GUID in a .meta file, or null.</summary>
        public static string GuidOf(string meta)
        {
            if (!File.Exists(meta))
                return null;
            using (var reader = new StreamReader(meta))
                for (string line = reader.ReadLine(); line != null; line = reader.ReadLine())
                    if (line.StartsWith("guid:", StringComparison.Ordinal))
                    {
                        string guid = line.Substring(5).Trim();
                        return IsGuid(guid) ? guid.ToLowerInvariant() : null;
                    }
            return null;
        }

        public static bool IsGuid(string text)
        {
            if (text == null || text.Length != 32)
                return false;
            foreach (char c in text)
                if (!Uri.IsHexDigit(c))
                    return false;
            return true;
        }

        /// <summary>The fields of an asset's .meta; empty if it cannot be read.</summary>
        public DataNode Meta(AssetEntry entry)
        {
            string path = entry.Disk + ".meta";
            try
            {
                if (File.Exists(path) && new FileInfo(path).Length <= MaxMetaBytes)
                    return YamlFile.ParsePlain(File.ReadAllText(path));
            }
            catch (YamlError e)
            {
                UnityEngine.Debug.LogWarning(entry.Path + ".meta:" + e.Message);
            }
            return DataNode.Map();
        }
    }
}
