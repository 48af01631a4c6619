using Standin;
using Object = UnityEngine.Object;

namespace UnityEditor
{
    /// <summary>The import settings of a file from its .meta, as far as they are used here.</summary>
    public class AssetImporter : Object
    {
        public string userData { get; set; }
        public string assetBundleName { get; set; }

        /// <summary>Return null if there is no such asset.</summary>
        public static AssetImporter GetAtPath(string path)
        {
            AssetEntry entry = ProjectFolder.Assets.ByPath(path);
            if (entry == null)
                return null;
            AssetImporter created = New(ProjectFolder.Assets.Meta(entry));
            created.isPersistent = true;
            created.assetPath = entry.Path;
            return created;
        }

        static SpriteImportMode ModeOf(DataNode importer)
        {
            DataNode mode = importer.Kind == DataKind.Map ? importer.Get("spriteMode") : null;
            return mode == null ? SpriteImportMode.None : (SpriteImportMode)Scalars.ToLong(mode.Text);
        }

        static AssetImporter New(DataNode meta)
        {
            if (meta.Get("TextureImporter") != null)
                return new TextureImporter { spriteImportMode = ModeOf(meta.Get("TextureImporter")) };
            if (meta.Get("ModelImporter") != null)
                return new ModelImporter();
            if (meta.Get("AudioImporter") != null)
                return new AudioImporter();
            return meta.Get("MonoImporter") != null ? new MonoImporter() : new AssetImporter();
        }
    }

    public enum SpriteImportMode
    {
        None = 0,
        Single = 1,
        Multiple = 2,
        Polygon = 3
    }

    public sealed class TextureImporter : AssetImporter
    {
        public SpriteImportMode spriteImportMode { get; set; }
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
