#include "unity/asset_kind.h"

static const struct asset_kind kinds[] = {
    {".aif", 8300000, 3, "UnityEngine.AudioClip"},
    {".aiff", 8300000, 3, "UnityEngine.AudioClip"},
    {".anim", 7400000, 2, "UnityEngine.AnimationClip"},
    {".asmdef", 5897886265953266890, 3, "UnityEditorInternal.AssemblyDefinitionAsset"},
    {".asset", 11400000, 2, "UnityEngine.ScriptableObject"},
    {".brush", 11400000, 2, "UnityEngine.ScriptableObject"},
    {".bytes", 4900000, 3, "UnityEngine.TextAsset"},
    {".compute", 7200000, 3, "UnityEngine.ComputeShader"},
    {".controller", 9100000, 2, "UnityEditor.Animations.AnimatorController"},
    {".cs", 11500000, 3, "UnityEditor.MonoScript"},
    {".csv", 4900000, 3, "UnityEngine.TextAsset"},
    {".cubemap", 8900000, 2, "UnityEngine.Cubemap"},
    {".flac", 8300000, 3, "UnityEngine.AudioClip"},
    {".flare", 12100000, 2, "UnityEngine.Flare"},
    {".fontsettings", 12800000, 2, "UnityEngine.Font"},
    {".guiskin", 11400000, 2, "UnityEngine.GUISkin"},
    {".html", 4900000, 3, "UnityEngine.TextAsset"},
    {".inputactions", -944628639613478452, 3, "UnityEngine.InputSystem.InputActionAsset"},
    {".json", 4900000, 3, "UnityEngine.TextAsset"},
    {".lighting", 4890085278179872738, 2, "UnityEngine.LightingSettings"},
    {".mask", 31900000, 2, "UnityEngine.AvatarMask"},
    {".mat", 2100000, 2, "UnityEngine.Material"},
    {".mesh", 4300000, 2, "UnityEngine.Mesh"},
    {".mixer", 24100000, 2, "UnityEngine.Audio.AudioMixer"},
    {".mov", 32900000, 3, "UnityEngine.Video.VideoClip"},
    {".mp3", 8300000, 3, "UnityEngine.AudioClip"},
    {".mp4", 32900000, 3, "UnityEngine.Video.VideoClip"},
    {".ogg", 8300000, 3, "UnityEngine.AudioClip"},
    {".otf", 12800000, 3, "UnityEngine.Font"},
    {".overrideController", 22100000, 2, "UnityEngine.AnimatorOverrideController"},
    {".physicMaterial", 13400000, 2, "UnityEngine.PhysicMaterial"},
    {".physicsMaterial", 13400000, 2, "UnityEngine.PhysicsMaterial"},
    {".physicsMaterial2D", 6200000, 2, "UnityEngine.PhysicsMaterial2D"},
    {".playable", 11400000, 2, "UnityEngine.ScriptableObject"},
    {".preset", 2655988077585873504, 2, "UnityEditor.Presets.Preset"},
    {".renderTexture", 8400000, 2, "UnityEngine.RenderTexture"},
    {".shader", 4800000, 3, "UnityEngine.Shader"},
    {".shadergraph", -6465566751694194690, 3, "UnityEngine.Shader"},
    {".shadervariants", 20000000, 2, "UnityEngine.ShaderVariantCollection"},
    {".signal", 11400000, 2, "UnityEngine.ScriptableObject"},
    {".spriteatlas", 4343727234628468602, 2, "UnityEngine.U2D.SpriteAtlas"},
    {".terrainlayer", 8574412962073106934, 2, "UnityEngine.TerrainLayer"},
    {".ttf", 12800000, 3, "UnityEngine.Font"},
    {".txt", 4900000, 3, "UnityEngine.TextAsset"},
    {".unity", 102900000, 3, "UnityEditor.SceneAsset"},
    {".uss", 7433441132597879392, 3, "UnityEngine.UIElements.StyleSheet"},
    {".uxml", 9197481963319205126, 3, "UnityEngine.UIElements.VisualTreeAsset"},
    {".vfx", 8926484042661614526, 3, "UnityEngine.VFX.VisualEffectAsset"},
    {".wav", 8300000, 3, "UnityEngine.AudioClip"},
    {".webm", 32900000, 3, "UnityEngine.Video.VideoClip"},
    {".xml", 4900000, 3, "UnityEngine.TextAsset"},
};

static const char *const images[] = {".bmp", ".exr",  ".gif",  ".hdr", ".iff", ".jpeg",
                                     ".jpg", ".pict", ".png",  ".psb", ".psd", ".svg",
                                     ".tga", ".tif",  ".tiff", NULL};
static const char *const models[] = {".3ds",  ".blend", ".c4d", ".dae", ".dxf", ".fbx", ".glb",
                                     ".gltf", ".ma",    ".max", ".mb",  ".obj", ".skp", NULL};

struct str asset_kind_extension(struct str path)
{
    for (size_t i = path.n; i > 0 && path.p[i - 1] != '/'; i--)
        if (path.p[i - 1] == '.')
            return str_skip(path, i - 1);
    return (struct str){0};
}

static bool is_one_of(const char *const *list, struct str extension)
{
    for (size_t i = 0; list[i]; i++)
        if (str_eq_nocase(extension, str_from(list[i])))
            return true;
    return false;
}

const struct asset_kind *asset_kind_of(struct str path)
{
    struct str extension = asset_kind_extension(path);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (str_eq_nocase(extension, str_from(kinds[i].extension)))
            return &kinds[i];
    return NULL;
}

struct str asset_kind_stem(struct str path)
{
    size_t from = path.n;
    while (from > 0 && path.p[from - 1] != '/')
        from--;
    return str_skip(str_head(path, path.n - asset_kind_extension(path).n), from);
}

bool asset_kind_is_image(struct str extension)
{
    return is_one_of(images, extension);
}

bool asset_kind_is_model(struct str extension)
{
    return is_one_of(models, extension);
}

const struct asset_kind *asset_kind_at(size_t i)
{
    return i < sizeof kinds / sizeof *kinds ? &kinds[i] : NULL;
}
