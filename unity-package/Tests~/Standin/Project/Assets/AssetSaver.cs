using System.IO;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>Writes changed or new assets: .mat, .asset and similar. Prefabs are not
    /// written.</summary>
    internal static class AssetSaver
    {
        /// <summary>Save an asset if it has changes, or always if isForced.</summary>
        public static void Save(LoadedAsset asset, bool isForced)
        {
            bool isDirty = isForced || asset.All.Exists(made => (object)made != null && made.dirtyCount > 0);
            if (!isDirty || AssetAddress.FileTypeOf(asset.Path) != 2)
                return;
            string disk = ProjectFolder.Assets.DiskPath(asset.Path);
            var documents = new System.Collections.Generic.List<YamlDocument>();
            foreach (Object made in asset.All)
                if (!made.isDestroyed)
                {
                    documents.Add(DocumentOf(made, asset.Guid));
                    made.dirtyCount = 0;
                }
            ProjectFolder.WriteText(disk, YamlWriter.Write(documents));
            AssetLoader.WasWritten(asset);
        }

        static YamlDocument DocumentOf(Object made, string guid)
        {
            var read = made.document as YamlDocument;
            DataNode body = Serializer.Write(made);
            AssetAddress.Put(body, guid);
            if (body.Get("m_Name") != null)
                body.Set("m_Name", DataNode.String(made.name));
            if (read != null)
                body = DataMerge.Merge(read.Body, body);
            int classId = read != null ? read.ClassId : ClassTable.IdOf(made.GetType());
            return new YamlDocument
            {
                ClassId = classId, FileId = made.localFileId, Body = ManagedData.Unlink(body, ProjectFolder.Version < 202102),
                ClassName = read != null ? read.ClassName : ClassTable.NameOf(classId)
            };
        }

        /// <summary>Create a new asset from an object that is not an asset.</summary>
        public static void Create(Object made, string path)
        {
            AssetKind kind = AssetKinds.Of(path);
            string disk = ProjectFolder.Assets.DiskPath(path);
            if (made == null || made.isPersistent || disk == null || kind == null || kind.FileType != 2)
                throw new UnityException("Creating asset at path " + path + " failed.");
            Directory.CreateDirectory(Path.GetDirectoryName(disk));
            var asset = new LoadedAsset { Path = path };
            made.name = ProjectFolder.Stem(path);
            asset.Add(kind.FileId, made);
            File.WriteAllText(disk, "");
            AssetImports.EnsureAll();
            asset.Guid = ProjectFolder.Assets.ByPath(path).Guid;
            AssetLoader.Adopt(asset);
            Save(asset, true);
            EditorEvents.ProjectChanged();
        }
    }
}
