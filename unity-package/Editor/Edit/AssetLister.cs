using System;
using System.Collections.Generic;
using UnityEditor;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Multiverse.Editor
{
    /// <summary>An object of an asset, and how a field is set to it.</summary>
    public sealed class AssetItem
    {
        public string Path;
        public string Name;
        public Type Type;
        public bool IsMain;
        /// <summary>Its path alone would mean another object.</summary>
        public bool ByName;
    }

    /// <summary>
    /// The objects of assets that fit a class: those that <see cref="AssetFinder"/> finds for a field of it.
    /// <code>
    ///     var lister = new AssetLister(typeof(Sprite));
    ///     foreach (string path in paths)
    ///         lister.Look(path, items);
    /// </code>
    /// Assets are loaded only if they may hold several objects and Unity's index says that one of them is
    /// of the class, and prefabs if a component is wanted. null, and Object: the main object of each, whatever it is.
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

        /// <summary>Adds what fits: the main object first, the others by name. True: it was loaded.</summary>
        public bool Look(string path, List<AssetItem> items)
        {
            Type main = AssetDatabase.GetMainAssetTypeAtPath(path);
            /* Folders and files that Unity makes nothing of; an asset whose script is missing. */
            if (main == null || main == typeof(DefaultAsset) || main == typeof(Object))
                return false;
            if (isComponent)
                return main == typeof(GameObject) && LookAtPrefab(path, items);
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

        /* Files that hold more than their main object in daily use. Thousands of materials need not be
         * loaded to find out that they are materials. */
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

        bool LookAtPrefab(string path, List<AssetItem> items)
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

        /* The first of these that fits is what is looked for by name. */
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

        /* A path alone means the first that fits, a name the first of that name. */
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
