using System;
using System.Collections.Generic;
using UnityEditor;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>
    /// Implements AssetDatabase.FindAssets: words of the name, and <c>t:Type</c>, of which one must
    /// match.
    /// </summary>
    internal sealed class AssetSearch
    {
        readonly List<string> words = new List<string>();
        readonly List<string> types = new List<string>();
        readonly string[] folders;

        public AssetSearch(string filter, string[] folders)
        {
            this.folders = folders;
            foreach (string word in (filter ?? "").Split(new[] { ' ', '\t' }, StringSplitOptions.RemoveEmptyEntries))
            {
                if (word.StartsWith("t:", StringComparison.OrdinalIgnoreCase))
                    types.Add(word.Substring(2));
                else
                    words.Add(word);
            }
        }

        /// <summary>Return the GUIDs, sorted by path.</summary>
        public string[] Run()
        {
            var found = new List<string>();
            foreach (AssetEntry entry in ProjectFolder.Assets.All)
                if (IsInFolders(entry.Path) && HasWords(entry.Path) && HasType(entry))
                    found.Add(entry.Guid);
            return found.ToArray();
        }

        bool IsInFolders(string path)
        {
            if (folders == null || folders.Length == 0)
                return true;
            foreach (string folder in folders)
                if (path.StartsWith(folder.TrimEnd('/') + "/", StringComparison.Ordinal))
                    return true;
            return false;
        }

        bool HasWords(string path)
        {
            string stem = ProjectFolder.Stem(path);
            return words.TrueForAll(word => stem.IndexOf(word, StringComparison.OrdinalIgnoreCase) >= 0);
        }

        bool HasType(AssetEntry entry)
        {
            if (types.Count == 0)
                return true;
            if (types.Exists(type => Is(type, "Sprite")) && AssetKinds.IsImage(entry.Path))
                return AssetDatabase.LoadAssetAtPath<Sprite>(entry.Path) != null;
            if (types.Exists(type => Is(type, "Prefab")) && AssetKinds.IsPrefab(entry.Path))
                return true;
            if (types.Exists(type => Is(type, "Model")) && AssetKinds.IsModel(entry.Path))
                return true;
            return Is(MainType(entry)) || (MayHoldMore(entry) && HoldsType(entry));
        }

        bool Is(Type type)
        {
            for (; type != null && type != typeof(object); type = type.BaseType)
                if (types.Exists(word => Fits(word, type)))
                    return true;
            return false;
        }

        /* Unity's index also contains the objects inside an asset. */
        static bool MayHoldMore(AssetEntry entry)
        {
            AssetKind kind = AssetKinds.Of(entry.Path);
            return AssetKinds.IsModel(entry.Path) || (kind != null && kind.FileType == 2);
        }

        bool HoldsType(AssetEntry entry)
        {
            LoadedAsset asset = AssetLoader.Load(entry.Guid);
            return asset != null && asset.All.Exists(o => (object)o != null && !(o is Component) && Is(o.GetType()));
        }

        static bool Is(string a, string b) { return string.Equals(a, b, StringComparison.OrdinalIgnoreCase); }

        static bool Fits(string word, Type type)
        {
            if (type == typeof(SceneAsset) && Is(word, "Scene"))
                return true;
            if (type == typeof(MonoScript) && Is(word, "Script"))
                return true;
            return Is(word, type.Name) || Is(word, type.FullName);
        }

        /// <summary>The type of the main object, from the file name if that suffices.</summary>
        public static Type MainType(AssetEntry entry)
        {
            if (entry.IsFolder)
                return typeof(DefaultAsset);
            if (AssetKinds.IsPrefab(entry.Path) || AssetKinds.IsModel(entry.Path))
                return typeof(GameObject);
            if (AssetKinds.IsImage(entry.Path))
                return typeof(Texture2D);
            AssetKind kind = AssetKinds.Of(entry.Path);
            if (kind == null)
                return typeof(DefaultAsset);
            Type type = kind.FileType == 3 ? ClassTable.Named(kind.Class) : null;
            if (type != null)
                return type;
            LoadedAsset asset = AssetLoader.Load(entry.Guid);
            return asset == null || (object)asset.Main == null ? typeof(Object) : asset.Main.GetType();
        }
    }
}
