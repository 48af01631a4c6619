using System.Collections.Generic;
using UnityEditor;
using UnityEngine;

namespace Standin
{
    /// <summary>The SerializedPropertyType of each kind of field.</summary>
    internal static class PropertyTypes
    {
        static readonly Dictionary<FieldKind, SerializedPropertyType> types =
            new Dictionary<FieldKind, SerializedPropertyType>
        {
            { FieldKind.Integer, SerializedPropertyType.Integer },
            { FieldKind.Boolean, SerializedPropertyType.Boolean },
            { FieldKind.Float, SerializedPropertyType.Float },
            { FieldKind.String, SerializedPropertyType.String },
            { FieldKind.Character, SerializedPropertyType.Character },
            { FieldKind.Enum, SerializedPropertyType.Enum },
            { FieldKind.Reference, SerializedPropertyType.ObjectReference },
            { FieldKind.Managed, SerializedPropertyType.ManagedReference },
            { FieldKind.Color, SerializedPropertyType.Color },
            { FieldKind.LayerMask, SerializedPropertyType.LayerMask },
            { FieldKind.Vector2, SerializedPropertyType.Vector2 },
            { FieldKind.Vector3, SerializedPropertyType.Vector3 },
            { FieldKind.Vector4, SerializedPropertyType.Vector4 },
            { FieldKind.Rect, SerializedPropertyType.Rect },
            { FieldKind.Curve, SerializedPropertyType.AnimationCurve },
            { FieldKind.Bounds, SerializedPropertyType.Bounds },
            { FieldKind.Gradient, SerializedPropertyType.Gradient },
            { FieldKind.Quaternion, SerializedPropertyType.Quaternion },
            { FieldKind.Vector2Int, SerializedPropertyType.Vector2Int },
            { FieldKind.Vector3Int, SerializedPropertyType.Vector3Int },
            { FieldKind.RectInt, SerializedPropertyType.RectInt },
            { FieldKind.BoundsInt, SerializedPropertyType.BoundsInt },
#if UNITY_2021_1_OR_NEWER
            { FieldKind.Hash128, SerializedPropertyType.Hash128 },
#endif
        };

        public static SerializedPropertyType Of(FieldKind kind)
        {
            SerializedPropertyType type;
            return types.TryGetValue(kind, out type) ? type : SerializedPropertyType.Generic;
        }
    }

    /// <summary>The open foldouts, until the editor ends.</summary>
    internal static class Expansion
    {
        static readonly HashSet<string> open = new HashSet<string>();

        static string Key(Object target, string path) { return target.GetType().FullName + "/" + path; }

        public static bool Get(Object target, string path) { return open.Contains(Key(target, path)); }

        public static void Set(Object target, string path, bool value)
        {
            if (value)
                open.Add(Key(target, path));
            else
                open.Remove(Key(target, path));
        }
    }
}
