using Standin;
using Object = UnityEngine.Object;

namespace UnityEditor
{
    /// <summary>How a file is imported: what its .meta says, as far as anyone here asks.</summary>
    public class AssetImporter : Object
    {
        public string userData { get; set; }
        public string assetBundleName { get; set; }

        /// <summary>null: no such asset.</summary>
        public static AssetImporter GetAtPath(string path)
        {
            AssetEntry entry = ProjectFolder.Assets.ByPath(path);
            if (entry == null)
                return null;
            AssetImporter made = New(ProjectFolder.Assets.Meta(entry));
            made.isPersistent = true;
            made.assetPath = entry.Path;
            return made;
        }

        static AssetImporter New(DataNode meta)
        {
            if (meta.Get("TextureImporter") != null)
                return new TextureImporter();
            if (meta.Get("ModelImporter") != null)
                return new ModelImporter();
            if (meta.Get("AudioImporter") != null)
                return new AudioImporter();
            return meta.Get("MonoImporter") != null ? new MonoImporter() : new AssetImporter();
        }
    }

    public sealed class TextureImporter : AssetImporter
    {
    }

    public class ModelImporter : AssetImporter
    {
    }

    public sealed class AudioImporter : AssetImporter
    {
    }

    public sealed class MonoImporter : AssetImporter
    {
    }
}
