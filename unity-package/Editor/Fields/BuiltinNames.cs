using System;
using System.Collections.Generic;
using System.Globalization;
using UnityEditor;

namespace Multiverse.Editor
{
    /// <summary>
    /// The names of Unity's built-in resources, as the tools show and accept them for $asset: "Cube
    /// mesh", "Default-Material material". A resource that is not in <see cref="BuiltinResources"/>
    /// has its own name.
    /// </summary>
    public static class BuiltinNames
    {
        public const string DefaultResources = "Library/unity default resources";
        public const string Extra = "Resources/unity_builtin_extra";

        static Dictionary<string, string> labels;

        public static bool IsBuiltin(string assetPath) { return assetPath == DefaultResources || assetPath == Extra; }

        /// <summary>Return the label of an object in one of the two files.</summary>
        public static string LabelOf(UnityEngine.Object resource)
        {
            string guid, label;
            long id;
            if (labels == null)
                labels = Read();
            if (!AssetDatabase.TryGetGUIDAndLocalFileIdentifier(resource, out guid, out id) || guid.Length != 32)
                return resource.name;
            string key = guid[16] + id.ToString(CultureInfo.InvariantCulture);
            return labels.TryGetValue(key, out label) ? label : resource.name;
        }

        static Dictionary<string, string> Read()
        {
            var read = new Dictionary<string, string>(StringComparer.Ordinal);
            foreach (string row in BuiltinResources.Rows)
            {
                int blank = row.IndexOf(' ');
                read.Add(row.Substring(0, blank), row.Substring(blank + 1));
            }
            return read;
        }
    }
}
