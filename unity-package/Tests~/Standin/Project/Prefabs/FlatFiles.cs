using System.Collections.Generic;
using System.IO;

namespace Standin
{
    /// <summary>
    /// Opens scenes and the sources of prefab instances. Sources are read once and shared; a
    /// recursive prefab has no content inside itself.
    /// </summary>
    internal static class FlatFiles
    {
        static readonly Dictionary<string, FlatFile> sources = new Dictionary<string, FlatFile>();
        static readonly HashSet<string> opening = new HashSet<string>();

        /// <summary>Parse a text. Throws <see cref="YamlError"/>.</summary>
        public static FlatFile Load(string path, string guid, string text)
        {
            var file = new FlatFile { Path = path, Guid = guid, File = YamlFile.Parse(text) };
            new FlatBuilder(file).Build();
            return file;
        }

        /// <summary>Return the source of an instance, or null if it is missing or unreadable.</summary>
        public static FlatFile Source(string guid)
        {
            FlatFile file;
            if (sources.TryGetValue(guid, out file))
                return file;
            AssetEntry entry = ProjectFolder.Assets.ByGuid(guid);
            if (entry == null || entry.IsFolder || !opening.Add(guid))
                return null;
            try
            {
                file = Open(entry);
            }
            finally
            {
                opening.Remove(guid);
            }
            sources[guid] = file;
            return file;
        }

        static FlatFile Open(AssetEntry entry)
        {
            if (!AssetKinds.IsPrefab(entry.Path))
                return ModelReader.Read(entry.Path, entry.Guid, ProjectFolder.Assets.Meta(entry));
            try
            {
                return Load(entry.Path, entry.Guid, File.ReadAllText(entry.Disk));
            }
            catch (YamlError e)
            {
                UnityEngine.Debug.LogError(entry.Path + ":" + e.Message);
            }
            catch (IOException e)
            {
                UnityEngine.Debug.LogError(entry.Path + ": " + e.Message);
            }
            return null;
        }

        /// <summary>Forget the read sources after files changed on disk.</summary>
        public static void Forget() { sources.Clear(); }
    }
}
