using System;
using System.Collections.Generic;
using UnityEditor;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Multiverse.Editor
{
    /// <summary>An object of an asset, and the reference that sets a field to it.</summary>
    public sealed class AssetItem
    {
        public string Path;
        public string Name;
        public Type Type;
        public bool IsMain;
        /// <summary>The path alone would mean another object, so the reference needs a name.</summary>
        public bool ByName;
    }

    /// <summary>
    /// Lists the objects of assets that fit a class, the ones that <see cref="AssetFinder"/> finds
    /// for a field of that class. An asset is loaded only if it may hold several objects and
    /// Unity's index lists the class for it; prefabs are loaded if a component is wanted. For null
    /// and Object it lists the main object of each asset.
    /// <code>
    ///     var lister = new AssetLister(typeof(Sprite));
    ///     foreach (string path in paths)
    ///         lister.ListObjects(path, items);
    /// </code>
    /// </summary>
    public sealed class AssetLister
    {
        const string Preview = "__preview__";

        readonly Type wanted;
        readonly bool isAny, isComponent;
        readonly HashSet<string> holders = new HashSet<string>(StringComparer.Ordinal);

        public AssetLister(Type wanted)
        {
            this.wanted = wanted;
            isAny = wanted == null || wanted == typeof(Object);
            isComponent = !isAny && ComponentTypes.IsComponent(wanted);
            if (isAny || isComponent || wanted == typeof(GameObject))
                return;
            foreach (string guid in AssetDatabase.FindAssets("t:" + wanted.Name))
                holders.Add(AssetDatabase.GUIDToAssetPath(guid));
        }

        /// <summary>Add the fitting objects, the main one first, the others by name. Return whether
        /// the asset was loaded.</summary>
        public bool ListObjects(string path, List<AssetItem> items)
        {
            Type main = AssetDatabase.GetMainAssetTypeAtPath(path);
            /* Folders, files that Unity does not import, and assets with a missing script. */
            if (main == null || main == typeof(DefaultAsset) || main == typeof(Object))
                return false;
            if (isComponent)
                return main == typeof(GameObject) && AddFromPrefab(path, items);
            bool fits = isAny || wanted.IsAssignableFrom(main);
            bool isHolder = holders.Contains(path) && IsContainer(path);
            AssetImporter importer = holders.Contains(path) ? AssetImporter.GetAtPath(path) : null;
            if (importer is ModelImporter)
                AddParts(path, items);
            else if (importer is TextureImporter)
                AddSprites(path, (TextureImporter)importer, items);
            else if (isHolder)
                AddAll(path, items);
            if (fits && (!isHolder || importer is TextureImporter))
                items.Add(new AssetItem { Path = path, Name = StemOf(path), Type = main, IsMain = true });
            return importer != null;
        }

        /* Files that usually hold more than their main object. Thousands of materials are not
           loaded only to learn their type. */
        static bool IsContainer(string path)
        {
            foreach (string extension in containers)
                if (path.EndsWith(extension, StringComparison.OrdinalIgnoreCase))
                    return true;
            return false;
        }

        static readonly string[] containers =
        {
            ".asset", ".brush", ".controller", ".fontsettings", ".guiskin", ".mixer", ".playable", ".signal"
        };

        bool AddFromPrefab(string path, List<AssetItem> items)
        {
            if (AssetImporter.GetAtPath(path) is ModelImporter)
                return false;
            var root = AssetDatabase.LoadMainAssetAtPath(path) as GameObject;
            foreach (Component component in root == null ? new Component[0] : root.GetComponents<Component>())
                if (component != null && wanted.IsInstanceOfType(component))
                {
                    items.Add(new AssetItem
                    {
                        Path = path, Name = StemOf(path), Type = component.GetType(), IsMain = true
                    });
                    break;
                }
            return true;
        }

        void AddSprites(string path, TextureImporter importer, List<AssetItem> items)
        {
            if (wanted != typeof(Sprite))
                return;
            if (importer.spriteImportMode == SpriteImportMode.Single)
            {
                items.Add(new AssetItem { Path = path, Name = StemOf(path), Type = wanted });
                return;
            }
            var sprites = new List<Object>();
            foreach (Object o in AssetDatabase.LoadAllAssetsAtPath(path))
                if (o is Sprite)
                    sprites.Add(o);
            AddNamed(path, sprites, items);
        }

        /* The first part type that fits is the one AssetFinder searches by name. */
        void AddParts(string path, List<AssetItem> items)
        {
            foreach (Type part in AssetFinder.ModelParts)
            {
                if (part == null || !wanted.IsAssignableFrom(part))
                    continue;
                var parts = new List<Object>();
                foreach (Object o in AssetDatabase.LoadAllAssetsAtPath(path))
                    if (o != null && part.IsInstanceOfType(o) && !IsHidden(o) &&
                        !o.name.StartsWith(Preview, StringComparison.Ordinal))
                        parts.Add(o);
                AddNamed(path, parts, items);
                return;
            }
        }

        static void AddNamed(string path, List<Object> objects, List<AssetItem> items)
        {
            var names = new HashSet<string>(StringComparer.Ordinal);
            int from = items.Count;
            foreach (Object o in objects)
                if (o.name.Length > 0 && names.Add(o.name))
                    items.Add(new AssetItem { Path = path, Name = o.name, Type = o.GetType(), ByName = true });
            Sort(items, from);
        }

        /* A path alone means the first object that fits; a name means the first with that name.
           */
        void AddAll(string path, List<AssetItem> items)
        {
            var names = new HashSet<string>(StringComparer.Ordinal);
            int from = items.Count;
            bool isFirst = true;
            Object main = AssetDatabase.LoadMainAssetAtPath(path);
            foreach (Object o in AssetFinder.Ordered(AssetDatabase.LoadAllAssetsAtPath(path), main))
            {
                if (!wanted.IsInstanceOfType(o))
                    continue;
                bool isFree = names.Add(o.name) && o.name.Length > 0;
                if (o == main || (!IsHidden(o) && (isFirst || isFree)))
                    items.Add(new AssetItem
                    {
                        Path = path, Name = o == main ? StemOf(path) : o.name, Type = o.GetType(),
                        IsMain = o == main, ByName = !isFirst
                    });
                isFirst = false;
            }
            Sort(items, from);
        }

        static void Sort(List<AssetItem> items, int from)
        {
            items.Sort(from, items.Count - from, Comparer<AssetItem>.Create((a, b) =>
                a.IsMain != b.IsMain ? (a.IsMain ? -1 : 1) : string.CompareOrdinal(a.Name, b.Name)));
        }

        static bool IsHidden(Object o) { return (o.hideFlags & HideFlags.HideInHierarchy) != 0; }

        static string StemOf(string path)
        {
            int from = path.LastIndexOf('/') + 1, dot = path.LastIndexOf('.');
            return dot > from ? path.Substring(from, dot - from) : path.Substring(from);
        }
    }
}
