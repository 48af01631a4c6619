/* Made by Tests~/gen_fields.py from the tables of Unity's classes: do not edit. */
namespace Multiverse.Editor
{
    /// <summary>The rows of <see cref="BuiltinNames"/>.</summary>
    static class BuiltinResources
    {
        /// <summary>"e" (default resources) or "f" (built-in extra), id and label.</summary>
        public static readonly string[] Rows =
        {
            "e10001 default spot cookie",
            "e10100 default font material",
            "e10102 default font",
            "e10202 Cube mesh",
            "e10206 Cylinder mesh",
            "e10207 Sphere mesh",
            "e10208 Capsule mesh",
            "e10209 Plane mesh",
            "e10210 Quad mesh",
            "f7 Legacy Shaders/Diffuse shader",
            "f45 Standard (Specular setup) shader",
            "f46 Standard shader",
            "f103 Skybox/Cubemap shader",
            "f104 Skybox/6 Sided shader",
            "f106 Skybox/Procedural shader",
            "f108 Skybox/Panoramic shader",
            "f10300 Default-Particle texture",
            "f10301 Default-Particle material",
            "f10302 Default-Diffuse material",
            "f10303 Default-Material material",
            "f10304 Default-Skybox material",
            "f10306 Default-Line material",
            "f10308 Default-ParticleSystem material",
            "f10309 Default-ParticleSystem texture",
            "f10750 Unlit/Transparent shader",
            "f10751 Unlit/Transparent Cutout shader",
            "f10752 Unlit/Texture shader",
            "f10753 Sprites/Default shader",
            "f10754 Sprites-Default material",
            "f10755 Unlit/Color shader",
            "f10758 Sprites-Mask material",
            "f10770 UI/Default shader",
            "f10901 Checkmark sprite",
            "f10905 UISprite sprite",
            "f10907 Background sprite",
            "f10911 InputFieldBackground sprite",
            "f10913 Knob sprite",
            "f10915 DropdownArrow sprite",
            "f10917 UIMask sprite",
        };
    }
}
