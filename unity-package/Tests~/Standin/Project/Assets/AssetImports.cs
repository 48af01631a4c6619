using System;
using System.Collections.Generic;
using System.IO;

namespace Standin
{
    /// <summary>
    /// Creates the .meta files that Unity would create: below Assets and in embedded packages, when
    /// the project is opened and at every refresh.
    /// </summary>
    internal static class AssetImports
    {
        static readonly Dictionary<string, string> importers = new Dictionary<string, string>(StringComparer.Ordinal)
        {
            { ".asmdef", "AssemblyDefinitionImporter" }, { ".asmref", "AssemblyDefinitionReferenceImporter" },
            { ".cs", "MonoImporter" }, { ".prefab", "PrefabImporter" }, { ".dll", "PluginImporter" }
        };

        /// <summary>Create all missing .meta files; return whether there were any.</summary>
        public static bool EnsureAll()
        {
            bool isAny = EnsureBelow(ProjectFolder.Root + "/Assets", 0);
            string packages = ProjectFolder.Root + "/Packages";
            if (Directory.Exists(packages))
                foreach (string folder in Directory.GetDirectories(packages))
                    if (File.Exists(folder + "/package.json"))
                        isAny |= EnsureBelow(folder, 0);
            if (isAny)
                ProjectFolder.Refresh();
            return isAny;
        }

        static bool EnsureBelow(string folder, int depth)
        {
            bool isAny = false;
            if (depth > 100 || !Directory.Exists(folder))
                return false;
            string[] entries = Directory.GetFileSystemEntries(folder);
            Array.Sort(entries, string.CompareOrdinal);
            foreach (string entry in entries)
            {
                string name = Path.GetFileName(entry);
                if (AssetTable.IsIgnored(name) || name.EndsWith(".meta", StringComparison.Ordinal))
                    continue;
                isAny |= Ensure(entry);
                if (Directory.Exists(entry))
                    isAny |= EnsureBelow(entry, depth + 1);
            }
            return isAny;
        }

        static bool Ensure(string disk)
        {
            if (File.Exists(disk + ".meta"))
                return false;
            bool isFolder = Directory.Exists(disk);
            ProjectFolder.WriteText(disk + ".meta", "fileFormatVersion: 2\nguid: " + Guid.NewGuid().ToString("N") + "\n"
                + (isFolder ? "folderAsset: yes\n" : "") + ImporterOf(disk, isFolder)
                + ":\n  externalObjects: {}\n  userData: \n  assetBundleName: \n  assetBundleVariant: \n");
            return true;
        }

        static string ImporterOf(string path, bool isFolder)
        {
            string known;
            if (!isFolder && importers.TryGetValue(ProjectFolder.Extension(path), out known))
                return known;
            if (isFolder)
                return "DefaultImporter";
            if (AssetKinds.IsImage(path))
                return "TextureImporter";
            if (AssetKinds.IsModel(path))
                return "ModelImporter";
            AssetKind kind = AssetKinds.Of(path);
            if (kind != null && kind.FileType == 2)
                return "NativeFormatImporter";
            return kind != null && kind.Class == "UnityEngine.AudioClip" ? "AudioImporter"
                : kind != null && kind.Class == "UnityEngine.TextAsset" ? "TextScriptImporter" : "DefaultImporter";
        }
    }
}
