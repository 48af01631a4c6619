using System;
using System.Collections.Generic;
using System.IO;
using UnityEditor;
using UnityEditor.PackageManager;
using UnityEngine;
using PackageInfo = UnityEditor.PackageManager.PackageInfo;

namespace Multiverse.Editor
{
    /// <summary>The scene files of the project, below Assets and in its packages.</summary>
    public static class SceneFiles
    {
        public const string Extension = ".unity";

        /// <summary>All scenes, sorted by path.</summary>
        public static List<string> All()
        {
            var paths = new List<string>();
            foreach (string guid in AssetDatabase.FindAssets("t:Scene"))
            {
                string path = AssetDatabase.GUIDToAssetPath(guid);
                if (path.EndsWith(Extension, StringComparison.OrdinalIgnoreCase))
                    paths.Add(path);
            }
            paths.Sort(StringComparer.Ordinal);
            for (int i = paths.Count - 1; i > 0; i--)
                if (paths[i] == paths[i - 1])
                    paths.RemoveAt(i);
            return paths;
        }

        /// <summary>Return "Main" for "Assets/Scenes/Main.unity".</summary>
        public static string NameOf(string path)
        {
            string name = path.Substring(path.LastIndexOf('/') + 1);
            return name.EndsWith(Extension, StringComparison.Ordinal)
                ? name.Substring(0, name.Length - Extension.Length) : name;
        }

        /// <summary>Whether a scene exists at exactly this path. A new file that Unity has not
        /// imported yet is imported.</summary>
        public static bool Exists(string path)
        {
            if (!IsPlain(path))
                return false;
            if (AssetDatabase.GetMainAssetTypeAtPath(path) == null && File.Exists(OnDisk(path)))
                AssetDatabase.ImportAsset(path);
            /* Unity finds paths case-insensitively. */
            return AssetDatabase.GetMainAssetTypeAtPath(path) == typeof(SceneAsset) &&
                   AssetDatabase.GUIDToAssetPath(AssetDatabase.AssetPathToGUID(path)) == path;
        }

        static bool IsPlain(string path)
        {
            if (path.Length == 0 || path.IndexOf('\0') >= 0 || path.IndexOf('\\') >= 0)
                return false;
            foreach (string part in path.Split('/'))
                if (part.Length == 0 || part == "." || part == "..")
                    return false;
            return true;
        }

        /// <summary>Return the file of an asset. Packages may be anywhere on the disk.</summary>
        public static string OnDisk(string path)
        {
            PackageInfo package = PackageOf(path);
            return package == null ? Path.Combine(ProjectFolder, path)
                : package.resolvedPath + path.Substring(package.assetPath.Length);
        }

        /// <summary>Unity neither opens nor saves scenes of packages in its cache.</summary>
        public static bool IsReadOnly(string path)
        {
            PackageInfo package = PackageOf(path);
            return package != null && package.source != PackageSource.Embedded &&
                   package.source != PackageSource.Local;
        }

        /// <summary>Local packages may be outside the project.</summary>
        public static bool IsOutside(string path)
        {
            PackageInfo package = PackageOf(path);
            if (package == null)
                return false;
            string folder = Path.GetFullPath(package.resolvedPath).Replace('\\', '/') + "/";
            string project = Path.GetFullPath(ProjectFolder).Replace('\\', '/') + "/";
            return !folder.StartsWith(project, StringComparison.Ordinal);
        }

        static string ProjectFolder { get { return Path.GetDirectoryName(Application.dataPath); } }

        static PackageInfo PackageOf(string path)
        {
            return path.StartsWith("Packages/", StringComparison.Ordinal) ? PackageInfo.FindForAssetPath(path) : null;
        }
    }
}
