using System;
using System.IO;

namespace Standin
{
    /// <summary>Gives new files the .meta that Unity makes for them.</summary>
    internal static class AssetImports
    {
        /// <summary>A file without a .meta gets one with a new GUID, and the asset table knows it then.</summary>
        public static void EnsureMeta(string path)
        {
            string disk = ProjectFolder.Assets.DiskPath(path);
            if (disk == null || !File.Exists(disk) || File.Exists(disk + ".meta"))
                return;
            string importer = AssetKinds.Of(path) != null && AssetKinds.Of(path).FileType == 2
                ? "NativeFormatImporter" : "DefaultImporter";
            ProjectFolder.WriteText(disk + ".meta", "fileFormatVersion: 2\nguid: " + Guid.NewGuid().ToString("N") + "\n"
                + importer + ":\n  externalObjects: {}\n  userData: \n  assetBundleName: \n  assetBundleVariant: \n");
            ProjectFolder.Refresh();
        }
    }
}
