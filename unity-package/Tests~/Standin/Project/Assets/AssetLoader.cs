using System;
using System.Collections.Generic;
using System.IO;
using UnityEditor;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>
    /// The objects of assets, loaded when first asked for. Of files that Unity writes (.mat, .asset,
    /// .prefab) they have their fields; of imported ones (images, sounds, models) their type and name.
    /// <code>
    ///     AssetLoader.Find(guid, 2100000, typeof(Material))
    /// </code>
    /// </summary>
    internal static class AssetLoader
    {
        static readonly Dictionary<string, LoadedAsset> loaded = new Dictionary<string, LoadedAsset>(StringComparer.Ordinal);

        /// <summary>
        /// An object by its address; null: it is not there. wanted: what the field is that refers to it,
        /// for objects of which only the file itself would tell.
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

        /* Of a model or built-in resource the tables do not know: Unity would. */
        static Object Unseen(LoadedAsset asset, long fileId, Type wanted)
        {
            if (wanted == null || wanted.IsAbstract || wanted == typeof(Object) || wanted == typeof(GameObject)
                || typeof(Component).IsAssignableFrom(wanted))
                return null;
            AssetKind kind = AssetKinds.Of(asset.Path);
            Type told = kind == null ? null : ClassTable.Named(kind.Class);
            Object made = ObjectLoader.New(told != null && wanted.IsAssignableFrom(told) ? told : wanted);
            made.name = BuiltinAssets.IsBuiltin(asset.Guid) ? "Built-in resource" : ProjectFolder.Stem(asset.Path);
            asset.Add(fileId, made);
            return made;
        }

        /// <summary>null: no such asset.</summary>
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
                asset = new LoadedAsset { Path = entry.Path, Guid = guid };
                loaded.Add(guid, asset);
                Fill(asset, entry);
            }
            loaded[guid] = asset;
            ObjectLoader.ReadPending();
            return asset;
        }

        static void Fill(LoadedAsset asset, AssetEntry entry)
        {
            AssetKind kind = AssetKinds.Of(entry.Path);
            if (entry.IsFolder)
                asset.Add(102900000, Named(new DefaultAsset(), entry.Path));
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

        static Object Named(Object made, string path)
        {
            made.name = ProjectFolder.Stem(path);
            return made;
        }

        static void FillScript(LoadedAsset asset, AssetEntry entry)
        {
            var script = new MonoScript { scriptClass = ScriptTable.ClassOfFile(entry) };
            asset.Add(ScriptTable.ScriptFileId, Named(script, entry.Path));
        }

        static void FillImported(LoadedAsset asset, AssetEntry entry, AssetKind kind)
        {
            Type type = kind == null ? null : ClassTable.Named(kind.Class);
            Object made = type == null || type.IsAbstract
                ? (kind == null ? (Object)new DefaultAsset() : new UnknownAsset()) : ObjectLoader.New(type);
            asset.Add(kind == null ? 102900000 : kind.FileId, Named(made, entry.Path));
            asset.IsPartlyKnown = kind != null && kind.FileType == 3;
        }

        /* ---- prefabs and models */

        static void FillPrefab(LoadedAsset asset, AssetEntry entry)
        {
            FlatFile flat = FlatFiles.Source(entry.Guid);
            asset.IsPartlyKnown = flat == null || flat.IsModel;
            if (flat == null)
                return;
            asset.File = flat.File;
            var loader = new ObjectLoader(flat, null);
            loader.Make();
            foreach (FlatObject node in flat.GameObjects())
            {
                asset.Add(node.Id, loader.Made[node]);
                foreach (FlatObject component in node.Components)
                    asset.Add(component.Id, loader.Made[component]);
            }
            foreach (YamlDocument document in flat.Others)
                AddDocument(asset, document);
            if (flat.IsModel)
                ImageAssets.FillModel(asset, ProjectFolder.Assets.Meta(entry));
        }

        /* ---- files of documents */

        static bool FillDocuments(LoadedAsset asset, AssetEntry entry, AssetKind kind)
        {
            try
            {
                asset.File = YamlFile.Parse(File.ReadAllText(entry.Disk));
            }
            catch (YamlError)
            {
                return false; /* binary: it holds what is asked for */
            }
            foreach (YamlDocument document in asset.File.Documents)
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
            Object made = isAsset ? ObjectLoader.New(type) : new UnknownAsset();
            DataNode name = document.Body.Get("m_Name");
            made.name = name == null ? "" : name.Text;
            made.document = document;
            asset.Add(document.FileId, made);
            ObjectLoader.Later(() => ReadDocument(asset, document, made));
        }

        static void ReadDocument(LoadedAsset asset, YamlDocument document, Object made)
        {
            TypeNode type = TypeTree.Of(made.GetType());
            DataNode body = document.Body.Clone();
            DataShaper.Shape(body, type);
            new ObjectLinker(asset.Objects).Link(body, type);
            Serializer.Read(made, body);
        }

        /// <summary>Every asset that was loaded so far.</summary>
        public static IEnumerable<LoadedAsset> Loaded { get { return loaded.Values; } }

        /// <summary>An asset that was made here, not read.</summary>
        public static void Adopt(LoadedAsset asset) { loaded[asset.Guid] = asset; }

        /// <summary>The file changed: its objects are made anew when next asked for.</summary>
        public static void Forget(string guid) { loaded.Remove(guid); }
    }
}
