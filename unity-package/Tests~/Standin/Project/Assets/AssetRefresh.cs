using System;
using System.Collections.Generic;
using System.IO;

namespace Standin
{
    /// <summary>
    /// What AssetDatabase.Refresh does: files that changed on disk are seen. Objects of a changed asset
    /// stay the same objects and get the new fields; prefab sources are read anew, and instances in open
    /// scenes follow when the scene is next opened.
    /// </summary>
    internal static class AssetRefresh
    {
        static readonly Dictionary<string, DateTime> times = new Dictionary<string, DateTime>(StringComparer.Ordinal);

        public static void Run()
        {
            foreach (LoadedAsset asset in AssetLoader.Loaded)
                Note(asset);
            ProjectFolder.Refresh();
            FlatFiles.Forget();
            foreach (AssetEntry entry in ProjectFolder.Assets.All)
                if (HasChanged(entry))
                    AssetLoader.Forget(entry.Guid);
            EditorEvents.ProjectChanged();
        }

        static void Note(LoadedAsset asset)
        {
            AssetEntry entry = ProjectFolder.Assets.ByGuid(asset.Guid);
            if (entry != null && !times.ContainsKey(asset.Guid))
                times.Add(asset.Guid, File.GetLastWriteTimeUtc(entry.Disk));
        }

        static bool HasChanged(AssetEntry entry)
        {
            DateTime known;
            if (!times.TryGetValue(entry.Guid, out known))
                return false;
            DateTime now = File.GetLastWriteTimeUtc(entry.Disk);
            times[entry.Guid] = now;
            return now != known;
        }
    }
}
