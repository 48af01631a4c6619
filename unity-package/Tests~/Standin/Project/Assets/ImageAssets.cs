using System;
using System.Collections.Generic;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>The objects in an image or model, from its .meta.</summary>
    internal static class ImageAssets
    {
        const long TextureId = 2800000;
        const long SingleSpriteId = 21300000;
        const int SpriteClass = 213;

        static readonly Dictionary<int, Type> modelParts = new Dictionary<int, Type>
        {
            { 43, typeof(Mesh) }, { 74, typeof(AnimationClip) }, { 21, typeof(Material) }, { 90, typeof(Avatar) }
        };

        /// <summary>Add the texture and its sprites.</summary>
        public static void Fill(LoadedAsset asset, DataNode meta)
        {
            string stem = ProjectFolder.Stem(asset.Path);
            DataNode importer = meta.Get("TextureImporter");
            Add(asset, TextureId, typeof(Texture2D), stem);
            asset.IsPartlyKnown = importer == null;
            if (importer == null || importer.Kind != DataKind.Map)
                return;
            DataNode mode = importer.Get("spriteMode");
            long sprites = mode == null ? 0 : Scalars.ToLong(mode.Text);
            if (sprites == 1)
                Add(asset, SingleSpriteId, typeof(Sprite), stem);
            else if (sprites == 2)
                AddSheet(asset, importer);
        }

        static void AddSheet(LoadedAsset asset, DataNode importer)
        {
            foreach (KeyValuePair<long, string> entry in Names(importer, SpriteClass))
                Add(asset, entry.Key, typeof(Sprite), entry.Value);
            DataNode sheet = importer.Get("spriteSheet");
            DataNode table = sheet != null && sheet.Kind == DataKind.Map ? sheet.Get("nameFileIdTable") : null;
            for (int i = 0; table != null && table.Kind == DataKind.Map && i < table.Count; i++)
                Add(asset, Scalars.ToLong(table[i].Text), typeof(Sprite), table.Keys[i]);
        }

        /// <summary>Add the meshes, clips, materials and avatars of a model that the .meta
        /// names.</summary>
        public static void FillModel(LoadedAsset asset, DataNode meta)
        {
            DataNode importer = meta.Get("ModelImporter");
            if (importer == null || importer.Kind != DataKind.Map)
                return;
            foreach (KeyValuePair<int, Type> part in modelParts)
                foreach (KeyValuePair<long, string> entry in Names(importer, part.Key))
                    Add(asset, entry.Key, part.Value, entry.Value);
        }

        static void Add(LoadedAsset asset, long id, Type type, string name)
        {
            if (id == 0 || asset.Objects.ContainsKey(id))
                return;
            Object created = asset.Make(id, type);
            created.name = name;
            asset.Add(id, created);
        }

        /* The table of names has two formats. */
        static List<KeyValuePair<long, string>> Names(DataNode importer, int classId)
        {
            var found = new List<KeyValuePair<long, string>>();
            DataNode table = importer.Get("internalIDToNameTable");
            foreach (DataNode entry in (table == null ? null : table.Items) ?? new List<DataNode>())
            {
                DataNode first = entry.Kind == DataKind.Map ? entry.Get("first") : null;
                DataNode id = first != null && first.Kind == DataKind.Map ? first.Get(Scalars.From((long)classId)) : null;
                DataNode name = entry.Kind == DataKind.Map ? entry.Get("second") : null;
                if (id != null && name != null)
                    found.Add(new KeyValuePair<long, string>(Scalars.ToLong(id.Text), name.Text));
            }
            DataNode recycled = importer.Get("fileIDToRecycleName");
            for (int i = 0; recycled != null && recycled.Kind == DataKind.Map && i < recycled.Count; i++)
            {
                long id = Scalars.ToLong(recycled.Keys[i]);
                if (id / 100000 == classId)
                    found.Add(new KeyValuePair<long, string>(id, recycled[i].Text));
            }
            return found;
        }
    }
}
