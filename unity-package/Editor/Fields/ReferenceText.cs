using UnityEditor;
using UnityEngine;

namespace Multiverse.Editor
{
    /// <summary>
    /// Shows references by the path of their target. A target that is neither an asset nor in the
    /// active scene (a mesh created at run time, an object of another scene) has no path. A
    /// reference to a missing object is "Missing (Type)".
    /// <code>
    ///     {"type": "UnityEngine.Transform", "value": "Hero (Transform)", "is_object_ref": true,
    ///      "ref_path": "/Hero"}
    ///     {"type": "UnityEngine.Material", "value": "Red (Material)", "is_asset_ref": true,
    ///      "asset_path": "Assets/Red.mat"}
    /// </code>
    /// </summary>
    public static class ReferenceText
    {
        /// <summary>Return "Hero (Rigidbody)"; only the name of a GameObject in a scene.</summary>
        public static string Of(Object target)
        {
            if (target is GameObject && !EditorUtility.IsPersistent(target))
                return target.name;
            string path = AssetDatabase.GetAssetPath(target);
            string name = BuiltinNames.IsBuiltin(path) ? BuiltinNames.LabelOf(target) : target.name;
            return FormatName(name, FieldTypes.NameOf(target.GetType()));
        }

        static string FormatName(string name, string fullType)
        {
            return name + " (" + FieldTypes.SimpleName(fullType) + ")";
        }

        /// <summary>Write null, or an object as in the example.</summary>
        public static void Write(JsonWriter w, ScenePaths paths, SerializedProperty property, FieldType type,
                                 bool withType)
        {
            Object target = property.objectReferenceValue;
            if (target == null && !Compat.IsReferenceBroken(property))
            {
                w.Null();
                return;
            }
            w.BeginObject();
            if (withType)
                w.Member("type", type.Name);
            if (target == null)
                WriteMissing(w, paths, property, type);
            else
                WriteTarget(w, paths, target);
            w.EndObject();
        }

        static void WriteTarget(JsonWriter w, ScenePaths paths, Object target)
        {
            w.Member("value", Of(target));
            if (EditorUtility.IsPersistent(target))
            {
                w.Member("is_asset_ref", true);
                w.Member("asset_path", AssetDatabase.GetAssetPath(target));
                return;
            }
            w.Member("is_object_ref", true);
            var component = target as Component;
            string path = paths.PathOf(component != null ? component.gameObject : target as GameObject);
            if (path != null)
                w.Member("ref_path", path);
        }

        /* The remaining id shows which file the target was in, unless it was the scene. */
        static void WriteMissing(JsonWriter w, ScenePaths paths, SerializedProperty property, FieldType type)
        {
            string guid = Compat.GuidOfBrokenReference(property);
            w.Member("value", FormatName("Missing", type.Name));
            if (string.IsNullOrEmpty(guid) || guid == AssetDatabase.AssetPathToGUID(paths.Scene.path))
            {
                w.Member("is_object_ref", true);
                return;
            }
            w.Member("is_asset_ref", true);
            w.Member("guid", guid);
        }
    }
}
