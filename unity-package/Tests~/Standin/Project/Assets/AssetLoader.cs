using System;
using System.Collections.Generic;
using System.IO;
using UnityEditor;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>
    /// The objects of assets, loaded on first use. Objects of files that Unity writes (.mat,
    /// .asset, .prefab) have their fields; those of imported files (images, sounds, models) only
    /// type and name.
    /// <code>
    ///     AssetLoader.Find(guid, 2100000, typeof(Material))
    /// </code>
    /// </summary>
    internal static class AssetLoader
    {
        static readonly Dictionary<string, LoadedAsset> loaded = new Dictionary<string, LoadedAsset>(StringComparer.Ordinal);

        /// <summary>
        /// Return an object by its address, or null. wanted: the type of the referring field, for
        /// objects whose type only the imported file would show.
        /// </summary>
        public static Object Find(string guid, long fileId, Type wanted)
        {
            LoadedAsset asset = Load(guid);
            Object found;
            if (asset == null)
                return null;
            if (asset.Objects.TryGetValue(fileId, out found))
                return found;
            return asset.IsPartlyKnown ? Unseen(asset, fileId, wanted) : null;
        }

        /* The tables do not know every object of a model or built-in resource; Unity does. */
        static Object Unseen(LoadedAsset asset, long fileId, Type wanted)
        {
            if (wanted == null || wanted.IsAbstract || wanted == typeof(Object) || wanted == typeof(GameObject)
                || typeof(Component).IsAssignableFrom(wanted))
                return null;
            AssetKind kind = AssetKinds.Of(asset.Path);
            Type known = kind == null ? null : ClassTable.Named(kind.Class);
            Object created = ObjectLoader.New(known != null && wanted.IsAssignableFrom(known) ? known : wanted);
            created.name = BuiltinAssets.IsBuiltin(asset.Guid) ? "Built-in resource" : ProjectFolder.Stem(asset.Path);
            asset.Add(fileId, created);
            return created;
        }

        /// <summary>Return null if there is no such asset.</summary>
        public static LoadedAsset Load(string guid)
        {
            LoadedAsset asset;
            if (string.IsNullOrEmpty(guid))
                return null;
            if (loaded.TryGetValue(guid, out asset))
                return asset;
            if (BuiltinAssets.IsBuiltin(guid))
                asset = BuiltinAssets.Load(guid);
            else
            {
                AssetEntry entry = ProjectFolder.Assets.ByGuid(guid);
                if (entry == null)
                    return null;
                asset = new LoadedAsset { Path = entry.Path, Guid = guid, Stamp = StampOf(entry) };
                loaded.Add(guid, asset);
                Fill(asset, entry);
            }
            loaded[guid] = asset;
            ObjectLoader.ReadPending();
            return asset;
        }

        static string StampOf(AssetEntry entry) { return StampOf(entry.Disk) + "/" + StampOf(entry.Disk + ".meta"); }

        static string StampOf(string path)
        {
            var info = new FileInfo(path);
            return info.Exists ? Scalars.From(info.LastWriteTimeUtc.Ticks) + ":" + Scalars.From(info.Length) : "";
        }

        /// <summary>Whether an asset's file has changed since it was read, or is gone.</summary>
        public static bool HasChanged(LoadedAsset asset)
        {
            AssetEntry entry = ProjectFolder.Assets.ByGuid(asset.Guid);
            return entry == null || entry.Path != asset.Path || StampOf(entry) != asset.Stamp;
        }

        /// <summary>Note that the file now equals the objects.</summary>
        public static void WasWritten(LoadedAsset asset)
        {
            AssetEntry entry = ProjectFolder.Assets.ByGuid(asset.Guid);
            asset.Stamp = entry == null ? "" : StampOf(entry);
        }

        /// <summary>Read an asset again; objects that still exist keep their identity.</summary>
        public static void Reload(LoadedAsset old)
        {
            AssetEntry entry = ProjectFolder.Assets.ByGuid(old.Guid);
            loaded.Remove(old.Guid);
            var asset = new LoadedAsset { Before = old.Objects };
            if (entry != null)
            {
                asset.Path = entry.Path;
                asset.Guid = entry.Guid;
                asset.Stamp = StampOf(entry);
                loaded.Add(asset.Guid, asset);
                Fill(asset, entry);
            }
            foreach (Object gone in new List<Object>(asset.Before.Values))
            {
                gone.isDestroyed = true;
                ObjectTable.Remove(gone);
            }
            ObjectLoader.ReadPending();
        }

        static void Fill(LoadedAsset asset, AssetEntry entry)
        {
            AssetKind kind = AssetKinds.Of(entry.Path);
            if (entry.IsFolder)
                asset.Add(102900000, Named(asset.Make(102900000, typeof(DefaultAsset)), entry.Path));
            else if (AssetKinds.IsPrefab(entry.Path) || AssetKinds.IsModel(entry.Path))
                FillPrefab(asset, entry);
            else if (AssetKinds.IsImage(entry.Path))
                ImageAssets.Fill(asset, ProjectFolder.Assets.Meta(entry));
            else if (kind != null && kind.FileType == 2)
                asset.IsPartlyKnown = !FillDocuments(asset, entry, kind);
            else if (ProjectFolder.Extension(entry.Path) == ".cs")
                FillScript(asset, entry);
            else
                FillImported(asset, entry, kind);
        }

        static Object Named(Object created, string path)
        {
            created.name = ProjectFolder.Stem(path);
            return created;
        }

        static void FillScript(LoadedAsset asset, AssetEntry entry)
        {
            var script = (MonoScript)asset.Make(ScriptTable.ScriptFileId, typeof(MonoScript));
            script.scriptClass = ScriptTable.ClassOfFile(entry);
            asset.Add(ScriptTable.ScriptFileId, Named(script, entry.Path));
        }

        static void FillImported(LoadedAsset asset, AssetEntry entry, AssetKind kind)
        {
            Type type = kind == null ? null : ClassTable.Named(kind.Class);
            if (type == null || type.IsAbstract)
                type = kind == null ? typeof(DefaultAsset) : typeof(UnknownAsset);
            long id = kind == null ? 102900000 : kind.FileId;
            asset.Add(id, Named(asset.Make(id, type), entry.Path));
            asset.IsPartlyKnown = kind != null && kind.FileType == 3;
        }

        /* ---- prefabs and models */

        static void FillPrefab(LoadedAsset asset, AssetEntry entry)
        {
            FlatFile flat = FlatFiles.Source(entry.Guid);
            asset.IsPartlyKnown = flat == null || flat.IsModel;
            if (flat == null)
                return;
            var loader = new ObjectLoader(flat, null);
            loader.Reuse(asset.Before.Values);
            asset.Before.Clear();
            loader.Make();
            foreach (FlatObject node in flat.GameObjects())
            {
                asset.Add(node.Id, loader.Created[node]);
                foreach (FlatObject component in node.Components)
                    asset.Add(component.Id, loader.Created[component]);
            }
            foreach (YamlDocument document in flat.Others)
                AddDocument(asset, document);
            if (flat.IsModel)
                ImageAssets.FillModel(asset, ProjectFolder.Assets.Meta(entry));
        }

        /* ---- files of documents */

        static bool FillDocuments(LoadedAsset asset, AssetEntry entry, AssetKind kind)
        {
            YamlFile file;
            try
            {
                file = YamlFile.Parse(File.ReadAllText(entry.Disk));
            }
            catch (YamlError)
            {
                return false; /* binary: assume that it contains the object */
            }
            foreach (YamlDocument document in file.Documents)
                AddDocument(asset, document);
            Object main;
            if (asset.Objects.TryGetValue(kind.FileId, out main))
                asset.Main = main;
            if ((object)asset.Main != null)
                asset.Main.name = ProjectFolder.Stem(entry.Path);
            return asset.All.Count > 0;
        }

        static void AddDocument(LoadedAsset asset, YamlDocument document)
        {
            Type type = document.ClassId == ClassTable.MonoBehaviour
                ? ScriptTable.TypeOf(document.Body.Get("m_Script")) : ClassTable.TypeOf(document.ClassId);
            bool isAsset = type != null && !type.IsAbstract && !typeof(Component).IsAssignableFrom(type);
            Object created = asset.Make(document.FileId, isAsset ? type : typeof(UnknownAsset));
            DataNode name = document.Body.Get("m_Name");
            created.name = name == null ? "" : name.Text;
            created.document = document;
            asset.Add(document.FileId, created);
            ObjectLoader.Later(() => ReadDocument(asset, document, created));
        }

        static void ReadDocument(LoadedAsset asset, YamlDocument document, Object created)
        {
            TypeNode type = TypeTree.Of(created.GetType());
            DataNode body = document.Body.Clone();
            DataShaper.Shape(body, type);
            new ObjectLinker(asset.Objects).Link(body, type);
            Serializer.Read(created, body);
        }

        /// <summary>All assets loaded so far.</summary>
        public static IEnumerable<LoadedAsset> Loaded { get { return loaded.Values; } }

        /// <summary>Add an asset that was created, not read.</summary>
        public static void Adopt(LoadedAsset asset) { loaded[asset.Guid] = asset; }

        /// <summary>Forget all objects, when another project is opened.</summary>
        public static void ForgetAll()
        {
            foreach (LoadedAsset asset in loaded.Values)
                foreach (Object created in asset.All)
                    ObjectTable.Remove(created);
            loaded.Clear();
        }
    }
}
