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
            bool isDirty = isForced || asset.All.Exists(created => (object)created != null && created.dirtyCount > 0);
            if (!isDirty || AssetAddress.FileTypeOf(asset.Path) != 2)
                return;
            string disk = ProjectFolder.Assets.DiskPath(asset.Path);
            var documents = new System.Collections.Generic.List<YamlDocument>();
            foreach (Object created in asset.All)
                if (!created.isDestroyed)
                {
                    documents.Add(DocumentOf(created, asset.Guid));
                    created.dirtyCount = 0;
                }
            ProjectFolder.WriteText(disk, YamlWriter.Write(documents));
            AssetLoader.WasWritten(asset);
        }

        static YamlDocument DocumentOf(Object created, string guid)
        {
            var read = created.document as YamlDocument;
            DataNode body = Serializer.Write(created);
            AssetAddress.Put(body, guid);
            if (body.Get("m_Name") != null)
                body.Set("m_Name", DataNode.String(created.name));
            if (read != null)
                body = DataMerge.Merge(read.Body, body);
            int classId = read != null ? read.ClassId : ClassTable.IdOf(created.GetType());
            return new YamlDocument
            {
                ClassId = classId, FileId = created.localFileId,
                Body = ManagedData.Unlink(body, ProjectFolder.Version < 202102),
                ClassName = read != null ? read.ClassName : ClassTable.NameOf(classId)
            };
        }

        /// <summary>Create a new asset from an object that is not an asset.</summary>
        public static void Create(Object created, string path)
        {
            AssetKind kind = AssetKinds.Of(path);
            string disk = ProjectFolder.Assets.DiskPath(path);
            if (created == null || created.isPersistent || disk == null || kind == null || kind.FileType != 2)
                throw new UnityException("Creating asset at path " + path + " failed.");
            Directory.CreateDirectory(Path.GetDirectoryName(disk));
            var asset = new LoadedAsset { Path = path };
            created.name = ProjectFolder.Stem(path);
            asset.Add(kind.FileId, created);
            File.WriteAllText(disk, "");
            AssetImports.EnsureAll();
            asset.Guid = ProjectFolder.Assets.ByPath(path).Guid;
            AssetLoader.Adopt(asset);
            Save(asset, true);
            EditorEvents.ProjectChanged();
        }
    }
}
