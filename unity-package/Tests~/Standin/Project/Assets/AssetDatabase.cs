using System;
using System.Collections.Generic;
using System.IO;
using Standin;
using UnityEngine;
using Object = UnityEngine.Object;

namespace UnityEditor
{
    [Flags]
    public enum ImportAssetOptions
    {
        Default = 0, ForceUpdate = 1, ForceSynchronousImport = 8, ImportRecursive = 256,
        DontDownloadFromCacheServer = 8192, ForceUncompressedImport = 16384
    }

    [Flags]
    public enum StatusQueryOptions { ForceUpdate = 0, UseCachedIfPossible = 1, UseCachedAsync = 2 }

    /// <summary>The assets of the project: GUIDs, paths and their objects.</summary>
    public sealed partial class AssetDatabase
    {
#if UNITY_2020_2_OR_NEWER
        public static bool IsAssetImportWorkerProcess() { return false; }
#endif

        /* ---- addresses */

        public static string AssetPathToGUID(string path)
        {
            AssetEntry entry = ProjectFolder.Assets.ByPath(Clean(path));
            return entry != null ? entry.Guid : BuiltinAssets.GuidOf(path) ?? "";
        }

        public static string GUIDToAssetPath(string guid)
        {
            AssetEntry entry = ProjectFolder.Assets.ByGuid(guid == null ? null : guid.ToLowerInvariant());
            if (entry != null)
                return entry.Path;
            return guid == BuiltinAssets.DefaultsGuid ? BuiltinAssets.DefaultsPath
                : guid == BuiltinAssets.ExtraGuid ? BuiltinAssets.ExtraPath : "";
        }

#if UNITY_2020_1_OR_NEWER
        public static GUID GUIDFromAssetPath(string path) { return new GUID(AssetPathToGUID(path)); }
        public static string GUIDToAssetPath(GUID guid) { return GUIDToAssetPath(guid.ToString()); }
#endif

        public static string GetAssetPath(Object assetObject)
        {
            return assetObject == null || !assetObject.isPersistent ? "" : assetObject.assetPath;
        }

        public static string GetAssetPath(int instanceID) { return GetAssetPath(ObjectTable.Find(instanceID)); }

        public static bool TryGetGUIDAndLocalFileIdentifier(Object obj, out string guid, out long localId)
        {
            guid = GuidOf(obj);
            localId = guid.Length == 0 ? 0 : obj.localFileId;
            return guid.Length > 0;
        }

        public static bool TryGetGUIDAndLocalFileIdentifier(int instanceID, out string guid, out long localId)
        {
            DataNode missing = ObjectTable.MissingAddress(instanceID);
            if (missing == null)
                return TryGetGUIDAndLocalFileIdentifier(ObjectTable.Find(instanceID), out guid, out localId);
            guid = missing.Guid;
            localId = missing.FileId;
            if (guid.Length == 0 && SceneData.Active != null)
                guid = SceneData.Active.Guid;
            return guid.Length > 0;
        }

#if UNITY_6000_4_OR_NEWER
        public static string GetAssetPath(EntityId entityId) { return GetAssetPath(entityId.InstanceId); }
        public static bool Contains(EntityId entityId) { return Contains(entityId.InstanceId); }

        public static bool TryGetGUIDAndLocalFileIdentifier(EntityId entityId, out string guid, out long localId)
        {
            return TryGetGUIDAndLocalFileIdentifier(entityId.InstanceId, out guid, out localId);
        }
#endif

        static string GuidOf(Object obj)
        {
            if ((object)obj == null || !obj.isPersistent)
                return "";
            var script = obj as MonoScript;
            if ((object)script != null && obj.assetPath.Length == 0)
                return obj.document as string ?? "";
            return AssetPathToGUID(obj.assetPath);
        }

        public static bool Contains(Object obj) { return obj != null && obj.isPersistent; }
        public static bool Contains(int instanceID) { return Contains(ObjectTable.Find(instanceID)); }

        public static bool IsMainAsset(Object obj)
        {
            LoadedAsset asset = obj == null ? null : AssetLoader.Load(GuidOf(obj));
            return asset != null && ReferenceEquals(asset.Main, obj);
        }

        public static bool IsSubAsset(Object obj) { return Contains(obj) && !IsMainAsset(obj); }
        public static bool IsNativeAsset(Object obj) { return Contains(obj) && FileTypeOf(obj) == 2; }
        public static bool IsForeignAsset(Object obj) { return Contains(obj) && FileTypeOf(obj) == 3; }

        static int FileTypeOf(Object obj) { return AssetAddress.FileTypeOf(obj.assetPath); }

        /* ---- objects */

        static LoadedAsset At(string path)
        {
            string clean = Clean(path);
            AssetEntry entry = ProjectFolder.Assets.ByPath(clean);
            return AssetLoader.Load(entry != null ? entry.Guid : BuiltinAssets.GuidOf(path));
        }

        public static Object LoadAssetAtPath(string assetPath, Type type)
        {
            LoadedAsset asset = At(assetPath);
            if (asset == null || type == null)
                return null;
            if ((object)asset.Main != null && type.IsInstanceOfType(asset.Main) && !IsHidden(asset, asset.Main))
                return asset.Main;
            foreach (Object candidate in asset.All)
                if (type.IsInstanceOfType(candidate) && !IsHidden(asset, candidate))
                    return candidate;
            return null;
        }

        /* Only the root of a prefab shows its components and children. */
        static bool IsHidden(LoadedAsset asset, Object candidate)
        {
            var component = candidate as Component;
            if (candidate is MissingScript)
                return true;
            if ((object)component != null)
                return !ReferenceEquals(component.m_GameObject, asset.Main);
            return candidate is GameObject && !ReferenceEquals(candidate, asset.Main);
        }

        public static T LoadAssetAtPath<T>(string assetPath) where T : Object
        {
            return (T)LoadAssetAtPath(assetPath, typeof(T));
        }

        public static Object LoadMainAssetAtPath(string assetPath)
        {
            LoadedAsset asset = At(assetPath);
            return asset == null || BuiltinAssets.IsBuiltin(asset.Guid) ? null : asset.Main;
        }

        public static Object[] LoadAllAssetsAtPath(string assetPath)
        {
            LoadedAsset asset = At(assetPath);
            if (asset == null || ProjectFolder.Extension(assetPath) == ".unity")
                return new Object[0];
            var found = new List<Object>();
            foreach (Object candidate in asset.All)
                found.Add(candidate is MissingScript ? null : candidate);
            return found.ToArray();
        }

        public static Object[] LoadAllAssetRepresentationsAtPath(string assetPath)
        {
            LoadedAsset asset = At(assetPath);
            if (asset == null)
                return new Object[0];
            return asset.All.FindAll(candidate => !ReferenceEquals(candidate, asset.Main) && !(candidate is Component)
                && !(candidate is GameObject)).ToArray();
        }

        public static Type GetMainAssetTypeAtPath(string assetPath)
        {
            AssetEntry entry = ProjectFolder.Assets.ByPath(Clean(assetPath));
            return entry == null ? null : AssetSearch.MainType(entry);
        }

        /* ---- searching */

        public static string[] FindAssets(string filter) { return FindAssets(filter, null); }

        public static string[] FindAssets(string filter, string[] searchInFolders)
        {
            return new AssetSearch(filter, searchInFolders).Run();
        }

        public static string[] GetAllAssetPaths()
        {
            var paths = new List<string> { "Assets" };
            foreach (AssetEntry entry in ProjectFolder.Assets.All)
                paths.Add(entry.Path);
            return paths.ToArray();
        }

        public static bool IsValidFolder(string path)
        {
            if (path == "Assets" || path == "Packages")
                return true;
            AssetEntry entry = ProjectFolder.Assets.ByPath(path);
            return entry != null ? entry.IsFolder : IsPackageRoot(path);
        }

        static bool IsPackageRoot(string path)
        {
            return ProjectFolder.Assets.Packages.Exists(package => "Packages/" + package.Name == path);
        }

        public static string[] GetSubFolders(string path)
        {
            var found = new List<string>();
            foreach (AssetEntry entry in ProjectFolder.Assets.All)
                if (entry.IsFolder && entry.Path.Substring(0, entry.Path.LastIndexOf('/')) == path)
                    found.Add(entry.Path);
            return found.ToArray();
        }

        /* ---- files */

        public static void Refresh() { Refresh(ImportAssetOptions.Default); }

        public static void Refresh(ImportAssetOptions options) { AssetRefresh.Run(); }

        public static void ImportAsset(string path) { ImportAsset(path, ImportAssetOptions.Default); }

        public static void ImportAsset(string path, ImportAssetOptions options)
        {
            AssetRefresh.Run();
        }

        public static void SaveAssets()
        {
            foreach (LoadedAsset asset in new List<LoadedAsset>(AssetLoader.Loaded))
                AssetSaver.Save(asset, false);
        }

        public static void CreateAsset(Object asset, string path) { AssetSaver.Create(asset, Clean(path)); }

        public static bool DeleteAsset(string path)
        {
            AssetEntry entry = ProjectFolder.Assets.ByPath(Clean(path));
            if (entry == null || !entry.Path.StartsWith("Assets/", StringComparison.Ordinal))
                return false;
            if (entry.IsFolder)
                Directory.Delete(entry.Disk, true);
            else
                File.Delete(entry.Disk);
            File.Delete(entry.Disk + ".meta");
            AssetRefresh.Run();
            return true;
        }

        public static string CreateFolder(string parentFolder, string newFolderName)
        {
            string disk = ProjectFolder.Assets.DiskPath(Clean(parentFolder) ?? "");
            if (disk == null || !IsValidFolder(Clean(parentFolder)) || newFolderName.IndexOf('/') >= 0)
                return "";
            Directory.CreateDirectory(disk + "/" + newFolderName);
            AssetRefresh.Run();
            return AssetPathToGUID(Clean(parentFolder) + "/" + newFolderName);
        }

        public static void StartAssetEditing() { }
        public static void StopAssetEditing() { }

        public static bool IsOpenForEdit(Object assetObject) { return IsOpenForEdit(GetAssetPath(assetObject)); }

        public static bool IsOpenForEdit(string assetOrMetaFilePath)
        {
            string message;
            return IsOpenForEdit(assetOrMetaFilePath, out message, StatusQueryOptions.UseCachedIfPossible);
        }

        public static bool IsOpenForEdit(string assetOrMetaFilePath, StatusQueryOptions statusQueryOptions)
        {
            string message;
            return IsOpenForEdit(assetOrMetaFilePath, out message, statusQueryOptions);
        }

        public static bool IsOpenForEdit(string assetOrMetaFilePath, out string message)
        {
            return IsOpenForEdit(assetOrMetaFilePath, out message, StatusQueryOptions.UseCachedIfPossible);
        }

        public static bool IsOpenForEdit(string assetOrMetaFilePath, out string message,
            StatusQueryOptions statusQueryOptions)
        {
            message = "";
            string disk = ProjectFolder.Assets.DiskPath(Clean(assetOrMetaFilePath) ?? "");
            if (disk == null)
                return false;
            bool isCached = disk.StartsWith(ProjectFolder.Root + "/Library/PackageCache/", StringComparison.Ordinal);
            message = isCached ? "The package is read-only." : "";
            return !isCached;
        }

        static string Clean(string path) { return path == null ? null : path.Replace('\\', '/').TrimEnd('/'); }
    }
}
