using System;
using System.Collections.Generic;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>
    /// Unity's built-in resources, which share two paths: "Library/unity default resources" and
    /// "Resources/unity_builtin_extra". A label in the table is the object's name and kind: "Cube
    /// mesh".
    /// </summary>
    internal static class BuiltinAssets
    {
        public const string DefaultsGuid = "0000000000000000e000000000000000";
        public const string ExtraGuid = "0000000000000000f000000000000000";
        public const string DefaultsPath = "Library/unity default resources";
        public const string ExtraPath = "Resources/unity_builtin_extra";

        static readonly Dictionary<string, Type> kinds = new Dictionary<string, Type>
        {
            { "mesh", typeof(Mesh) }, { "shader", typeof(Shader) }, { "texture", typeof(Texture2D) },
            { "material", typeof(Material) }, { "sprite", typeof(Sprite) }, { "font", typeof(Font) },
            { "cookie", typeof(Texture2D) }
        };

        public static bool IsBuiltin(string guid) { return guid == DefaultsGuid || guid == ExtraGuid; }

        /// <summary>Return null for other paths.</summary>
        public static string GuidOf(string path)
        {
            return path == DefaultsPath ? DefaultsGuid : path == ExtraPath ? ExtraGuid : null;
        }

        public static LoadedAsset Load(string guid)
        {
            var asset = new LoadedAsset
            {
                Guid = guid, Path = guid == DefaultsGuid ? DefaultsPath : ExtraPath, IsPartlyKnown = true
            };
            string[] rows = BuiltinResources.Rows;
            for (int i = 0; i < rows.Length; i += 3)
                if (rows[i] == guid)
                    Add(asset, Scalars.ToLong(rows[i + 1]), rows[i + 2]);
            return asset;
        }

        static void Add(LoadedAsset asset, long id, string label)
        {
            int blank = label.LastIndexOf(' ');
            Type type = kinds[label.Substring(blank + 1)];
            Object created = ObjectLoader.New(type);
            created.name = label.Substring(0, blank);
            asset.Add(id, created);
        }
    }
}
