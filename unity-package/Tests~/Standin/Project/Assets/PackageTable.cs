using System;
using System.Collections.Generic;
using System.IO;

namespace Standin
{
    /// <summary>A package of the project on this disk.</summary>
    internal sealed class PackageFolder
    {
        public string Name;
        /// <summary>An absolute path.</summary>
        public string Folder;
        public string Version = "";
        /// <summary>0 embedded in Packages, 1 "file:" in the manifest, 2 in
        /// Library/PackageCache.</summary>
        public int Rank;
    }

    /// <summary>
    /// The packages of a project. Of several with the same name Unity's choice is used: embedded,
    /// then local, then cached; among cached ones that in packages-lock.json, otherwise the newest.
    /// </summary>
    internal static class PackageTable
    {
        public static List<PackageFolder> Read(string root)
        {
            var found = new Dictionary<string, PackageFolder>(StringComparer.Ordinal);
            Dictionary<string, object> manifest = ReadJson(root + "/Packages/manifest.json");
            Dictionary<string, object> locked = Member(ReadJson(root + "/Packages/packages-lock.json"), "dependencies");
            foreach (string folder in Folders(root + "/Packages"))
                Offer(found, locked, Describe(folder, 0));
            foreach (KeyValuePair<string, object> entry in Member(manifest, "dependencies"))
            {
                var url = entry.Value as string;
                if (url != null && url.StartsWith("file:", StringComparison.Ordinal))
                    Offer(found, locked, Describe(LocalFolder(root, url), 1));
            }
            foreach (string folder in Folders(root + "/Library/PackageCache"))
                Offer(found, locked, Describe(folder, 2));
            var packages = new List<PackageFolder>(found.Values);
            packages.Sort((a, b) => a.Rank != b.Rank ? a.Rank - b.Rank : string.CompareOrdinal(a.Name, b.Name));
            return packages;
        }

        /// <summary>Read a JSON file with one object; empty if it is missing or invalid.</summary>
        public static Dictionary<string, object> ReadJson(string path)
        {
            try
            {
                if (File.Exists(path))
                    return Json.Read(File.ReadAllText(path)) as Dictionary<string, object>
                        ?? new Dictionary<string, object>();
            }
            catch (FormatException e)
            {
                UnityEngine.Debug.LogWarning(path + ": " + e.Message);
            }
            catch (IOException e)
            {
                UnityEngine.Debug.LogWarning(path + ": " + e.Message);
            }
            return new Dictionary<string, object>();
        }

        static Dictionary<string, object> Member(Dictionary<string, object> from, string key)
        {
            object value;
            return from.TryGetValue(key, out value) && value is Dictionary<string, object>
                ? (Dictionary<string, object>)value : new Dictionary<string, object>();
        }

        static string[] Folders(string path)
        {
            if (!Directory.Exists(path))
                return new string[0];
            string[] folders = Directory.GetDirectories(path);
            Array.Sort(folders, string.CompareOrdinal);
            return folders;
        }

        static string LocalFolder(string root, string url)
        {
            string path = url.Substring("file:".Length);
            if (path.StartsWith("///", StringComparison.Ordinal))
                path = path.Substring(2);
            return Path.GetFullPath(Path.IsPathRooted(path) ? path : Path.Combine(root + "/Packages", path));
        }

        static PackageFolder Describe(string folder, int rank)
        {
            Dictionary<string, object> about = ReadJson(folder + "/package.json");
            object name;
            object version;
            if (!about.TryGetValue("name", out name) || !(name is string))
                return null;
            about.TryGetValue("version", out version);
            return new PackageFolder
            {
                Name = (string)name, Folder = folder, Version = version as string ?? "", Rank = rank
            };
        }

        static void Offer(Dictionary<string, PackageFolder> found, Dictionary<string, object> locked,
            PackageFolder package)
        {
            PackageFolder known;
            if (package == null)
                return;
            if (found.TryGetValue(package.Name, out known) && !IsBetter(package, known, locked))
                return;
            found[package.Name] = package;
        }

        static bool IsBetter(PackageFolder package, PackageFolder known, Dictionary<string, object> locked)
        {
            if (package.Rank != known.Rank)
                return package.Rank < known.Rank;
            object wanted;
            if (Member(locked, package.Name).TryGetValue("version", out wanted))
                return package.Version == wanted as string;
            return CompareVersions(package.Version, known.Version) > 0;
        }

        static int CompareVersions(string a, string b)
        {
            string[] left = a.Split('.', '-');
            string[] right = b.Split('.', '-');
            for (int i = 0; i < Math.Min(left.Length, right.Length); i++)
            {
                long x;
                long y;
                int order = long.TryParse(left[i], out x) && long.TryParse(right[i], out y)
                    ? x.CompareTo(y) : string.CompareOrdinal(left[i], right[i]);
                if (order != 0)
                    return order;
            }
            return left.Length - right.Length;
        }
    }
}
