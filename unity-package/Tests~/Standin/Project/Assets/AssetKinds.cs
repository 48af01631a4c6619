using System;
using System.Collections.Generic;

namespace Standin
{
    /// <summary>The main object that Unity creates from a file, by its extension.</summary>
    internal sealed class AssetKind
    {
        /// <summary>The id of the main object.</summary>
        public long FileId;
        /// <summary>The type in references: 2 for a file that Unity writes, 3 for an imported
        /// one.</summary>
        public int FileType;
        /// <summary>The C# full name.</summary>
        public string Class;
    }

    /// <summary>The extensions that Unity knows, except those of images and models.</summary>
    internal static class AssetKinds
    {
        const string Rows = @"
.aif 8300000 3 UnityEngine.AudioClip
.aiff 8300000 3 UnityEngine.AudioClip
.anim 7400000 2 UnityEngine.AnimationClip
.asmdef 5897886265953266890 3 UnityEditorInternal.AssemblyDefinitionAsset
.asset 11400000 2 UnityEngine.ScriptableObject
.brush 11400000 2 UnityEngine.ScriptableObject
.bytes 4900000 3 UnityEngine.TextAsset
.compute 7200000 3 UnityEngine.ComputeShader
.controller 9100000 2 UnityEditor.Animations.AnimatorController
.cs 11500000 3 UnityEditor.MonoScript
.csv 4900000 3 UnityEngine.TextAsset
.cubemap 8900000 2 UnityEngine.Cubemap
.flac 8300000 3 UnityEngine.AudioClip
.flare 12100000 2 UnityEngine.Flare
.fontsettings 12800000 2 UnityEngine.Font
.guiskin 11400000 2 UnityEngine.GUISkin
.html 4900000 3 UnityEngine.TextAsset
.inputactions -944628639613478452 3 UnityEngine.InputSystem.InputActionAsset
.json 4900000 3 UnityEngine.TextAsset
.lighting 4890085278179872738 2 UnityEngine.LightingSettings
.mask 31900000 2 UnityEngine.AvatarMask
.mat 2100000 2 UnityEngine.Material
.mesh 4300000 2 UnityEngine.Mesh
.mixer 24100000 2 UnityEngine.Audio.AudioMixer
.mov 32900000 3 UnityEngine.Video.VideoClip
.mp3 8300000 3 UnityEngine.AudioClip
.mp4 32900000 3 UnityEngine.Video.VideoClip
.ogg 8300000 3 UnityEngine.AudioClip
.otf 12800000 3 UnityEngine.Font
.overridecontroller 22100000 2 UnityEngine.AnimatorOverrideController
.physicmaterial 13400000 2 UnityEngine.PhysicMaterial
.physicsmaterial 13400000 2 UnityEngine.PhysicsMaterial
.physicsmaterial2d 6200000 2 UnityEngine.PhysicsMaterial2D
.playable 11400000 2 UnityEngine.ScriptableObject
.preset 2655988077585873504 2 UnityEditor.Presets.Preset
.rendertexture 8400000 2 UnityEngine.RenderTexture
.shader 4800000 3 UnityEngine.Shader
.shadergraph -6465566751694194690 3 UnityEngine.Shader
.shadervariants 20000000 2 UnityEngine.ShaderVariantCollection
.signal 11400000 2 UnityEngine.ScriptableObject
.spriteatlas 4343727234628468602 2 UnityEngine.U2D.SpriteAtlas
.terrainlayer 8574412962073106934 2 UnityEngine.TerrainLayer
.ttf 12800000 3 UnityEngine.Font
.txt 4900000 3 UnityEngine.TextAsset
.unity 102900000 3 UnityEditor.SceneAsset
.uss 7433441132597879392 3 UnityEngine.UIElements.StyleSheet
.uxml 9197481963319205126 3 UnityEngine.UIElements.VisualTreeAsset
.vfx 8926484042661614526 3 UnityEngine.VFX.VisualEffectAsset
.wav 8300000 3 UnityEngine.AudioClip
.webm 32900000 3 UnityEngine.Video.VideoClip
.xml 4900000 3 UnityEngine.TextAsset";

        const string Images = " .bmp .exr .gif .hdr .iff .jpeg .jpg .pict .png .psb .psd .svg .tga .tif .tiff ";
        const string Models = " .3ds .blend .c4d .dae .dxf .fbx .glb .gltf .ma .max .mb .obj .skp ";

        static readonly Dictionary<string, AssetKind> kinds = Read();

        static Dictionary<string, AssetKind> Read()
        {
            var created = new Dictionary<string, AssetKind>(StringComparer.Ordinal);
            foreach (string line in Rows.Split(new[] { '\r', '\n' }, StringSplitOptions.RemoveEmptyEntries))
            {
                string[] cells = line.Split(' ');
                created.Add(cells[0], new AssetKind
                {
                    FileId = Scalars.ToLong(cells[1]), FileType = (int)Scalars.ToLong(cells[2]), Class = cells[3]
                });
            }
            return created;
        }

        /// <summary>Return null for an unknown extension, an image, a model or a prefab.</summary>
        public static AssetKind Of(string path)
        {
            AssetKind kind;
            return kinds.TryGetValue(ProjectFolder.Extension(path), out kind) ? kind : null;
        }

        public static bool IsImage(string path) { return Has(Images, path); }
        public static bool IsModel(string path) { return Has(Models, path); }
        public static bool IsPrefab(string path) { return ProjectFolder.Extension(path) == ".prefab"; }

        static bool Has(string list, string path)
        {
            string extension = ProjectFolder.Extension(path);
            return extension.Length > 0 && list.Contains(" " + extension + " ");
        }
    }
}
