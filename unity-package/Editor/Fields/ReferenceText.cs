using System;
using UnityEditor;

namespace Multiverse.Editor
{
    /// <summary>How references are shown: by the path of what they point to.</summary>
    public static class ReferenceText
    {
        /// <summary>"Hero (Rigidbody)"; of a GameObject its name alone if it is in a scene.</summary>
        public static string Of(UnityEngine.Object target) { throw new NotImplementedException(); }

        /// <summary>null, or {type, value, is_object_ref, ref_path} or {..., is_asset_ref, asset_path}.</summary>
        public static void Write(JsonWriter w, ScenePaths paths, SerializedProperty property, FieldType type,
                                 bool withType)
        {
            throw new NotImplementedException();
        }
    }
}
