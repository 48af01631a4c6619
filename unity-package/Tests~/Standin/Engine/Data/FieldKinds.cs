using System;
using System.Collections.Generic;
using UnityEngine;

namespace Standin
{
    /// <summary>The types that have their own kind.</summary>
    internal static class FieldKinds
    {
        static readonly Dictionary<Type, FieldKind> kinds = new Dictionary<Type, FieldKind>
        {
            { typeof(bool), FieldKind.Boolean },
            { typeof(byte), FieldKind.Integer },
            { typeof(sbyte), FieldKind.Integer },
            { typeof(short), FieldKind.Integer },
            { typeof(ushort), FieldKind.Integer },
            { typeof(int), FieldKind.Integer },
            { typeof(uint), FieldKind.Integer },
            { typeof(long), FieldKind.Integer },
            { typeof(ulong), FieldKind.Integer },
            { typeof(float), FieldKind.Float },
            { typeof(double), FieldKind.Float },
            { typeof(char), FieldKind.Character },
            { typeof(string), FieldKind.String },
            { typeof(Color), FieldKind.Color },
            { typeof(Color32), FieldKind.Color },
            { typeof(LayerMask), FieldKind.LayerMask },
            { typeof(Vector2), FieldKind.Vector2 },
            { typeof(Vector3), FieldKind.Vector3 },
            { typeof(Vector4), FieldKind.Vector4 },
            { typeof(Rect), FieldKind.Rect },
            { typeof(AnimationCurve), FieldKind.Curve },
            { typeof(Bounds), FieldKind.Bounds },
            { typeof(Gradient), FieldKind.Gradient },
            { typeof(Quaternion), FieldKind.Quaternion },
            { typeof(Vector2Int), FieldKind.Vector2Int },
            { typeof(Vector3Int), FieldKind.Vector3Int },
            { typeof(RectInt), FieldKind.RectInt },
            { typeof(BoundsInt), FieldKind.BoundsInt },
            { typeof(Hash128), FieldKind.Hash128 }
        };

        public static bool TryGet(Type type, out FieldKind kind) { return kinds.TryGetValue(type, out kind); }

        /// <summary>The size of an element if Unity writes the array as hexadecimal text; otherwise
        /// 0.</summary>
        public static int PackedBytes(TypeNode element)
        {
            Type type = element.Type.IsEnum ? Enum.GetUnderlyingType(element.Type) : element.Type;
            switch (Type.GetTypeCode(type))
            {
                case TypeCode.Boolean:
                case TypeCode.Byte:
                case TypeCode.SByte:
                    return 1;
                case TypeCode.Int16:
                case TypeCode.UInt16:
                case TypeCode.Char:
                    return 2;
                case TypeCode.Int32:
                case TypeCode.UInt32:
                    return 4;
                case TypeCode.Int64:
                case TypeCode.UInt64:
                    return 8;
                default:
                    return 0;
            }
        }
    }
}
