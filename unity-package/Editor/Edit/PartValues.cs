using System;
using UnityEditor;
using UnityEngine;

namespace Multiverse.Editor
{
    /// <summary>
    /// Vectors, colours, rectangles, bounds and masks, as JSON objects with named numbers. An
    /// omitted part keeps its value, or is 0 in a new array element; a colour without "a" is
    /// opaque. An unknown part is an error.
    /// </summary>
    public static class PartValues
    {
        static readonly string[] xyzw = { "x", "y", "z", "w" };
        static readonly string[] rgba = { "r", "g", "b", "a" };
        static readonly string[] rect = { "x", "y", "width", "height" };

        /// <summary>Return null for a value of another kind. isNew: omitted parts are 0.</summary>
        public static Setter Read(AssignContext context, FieldKind kind, JsonValue value, bool isNew)
        {
            switch (kind)
            {
                case FieldKind.Vector2: return ReadVector(context, kind, TakeFirst(xyzw, 2), false, value, isNew);
                case FieldKind.Vector3: return ReadVector(context, kind, TakeFirst(xyzw, 3), false, value, isNew);
                case FieldKind.Vector4:
                case FieldKind.Quaternion: return ReadVector(context, kind, xyzw, false, value, isNew);
                case FieldKind.Vector2Int: return ReadVector(context, kind, TakeFirst(xyzw, 2), true, value, isNew);
                case FieldKind.Vector3Int: return ReadVector(context, kind, TakeFirst(xyzw, 3), true, value, isNew);
                case FieldKind.Rect: return ReadVector(context, kind, rect, false, value, isNew);
                case FieldKind.RectInt: return ReadVector(context, kind, rect, true, value, isNew);
                case FieldKind.Color:
                case FieldKind.Color32: return ReadColor(context, value, isNew);
                case FieldKind.Bounds: return ReadBounds(context, value, isNew);
                case FieldKind.BoundsInt: return ReadBoundsInt(context, value, isNew);
                case FieldKind.LayerMask: return ReadMask(context, value);
                default: return null;
            }
        }

        /// <summary>Whether parts of the value can be set alone.</summary>
        public static bool HasParts(FieldKind kind)
        {
            switch (kind)
            {
                case FieldKind.Vector2:
                case FieldKind.Vector3:
                case FieldKind.Vector4:
                case FieldKind.Vector2Int:
                case FieldKind.Vector3Int:
                case FieldKind.Quaternion:
                case FieldKind.Color:
                case FieldKind.Color32:
                case FieldKind.Rect:
                case FieldKind.RectInt:
                case FieldKind.Bounds:
                case FieldKind.BoundsInt: return true;
                default: return false;
            }
        }

        static string[] TakeFirst(string[] names, int count)
        {
            var some = new string[count];
            Array.Copy(names, some, count);
            return some;
        }

        /* The parts' numbers in order; null: omitted. */
        static double?[] ReadParts(AssignContext context, string[] names, bool isInt, JsonValue value)
        {
            CheckNames(context, names, value);
            var parts = new double?[names.Length];
            for (int i = 0; i < names.Length; i++)
                if (value.Has(names[i]))
                    parts[i] = ReadPart(context, isInt, value.Get(names[i]));
            return parts;
        }

        static double ReadPart(AssignContext context, bool isInt, JsonValue value)
        {
            double d = PlainValues.Number(context, value);
            if (!isInt)
                return PlainValues.ToFloat(context, d);
            if (d != Math.Floor(d) || d < int.MinValue || d > int.MaxValue)
                throw context.Invalid("expected an integer of 32 bits");
            return d;
        }

        static void CheckNames(AssignContext context, string[] names, JsonValue value)
        {
            if (!value.IsObject)
                throw context.Invalid("expected an object with " + string.Join(", ", names));
            foreach (string key in value.Keys)
                if (key.Length == 0)
                    throw context.Invalid("expected an object with " + string.Join(", ", names));
                else if (Array.IndexOf(names, key) < 0)
                    throw context.Invalid("there is no part " + key + ": expected " + string.Join(", ", names));
        }

        static float Pick(double? part, float old) { return part.HasValue ? (float)part.Value : old; }
        static int Pick(double? part, int old) { return part.HasValue ? (int)part.Value : old; }

        static Setter ReadVector(AssignContext context, FieldKind kind, string[] names, bool isInt, JsonValue value,
                             bool isNew)
        {
            double?[] parts = ReadParts(context, names, isInt, value);
            if (isNew)
                for (int i = 0; i < parts.Length; i++)
                    parts[i] = parts[i] ?? 0;
            return p => SetVector(p, kind, parts);
        }

        static void SetVector(SerializedProperty p, FieldKind kind, double?[] parts)
        {
            switch (kind)
            {
                case FieldKind.Vector2:
                    Vector2 two = p.vector2Value;
                    p.vector2Value = new Vector2(Pick(parts[0], two.x), Pick(parts[1], two.y));
                    break;
                case FieldKind.Vector3:
                    p.vector3Value = Vector3Of(parts, p.vector3Value);
                    break;
                case FieldKind.Vector4:
                    Vector4 four = p.vector4Value;
                    p.vector4Value = new Vector4(Pick(parts[0], four.x), Pick(parts[1], four.y), Pick(parts[2], four.z),
                                                 Pick(parts[3], four.w));
                    break;
                case FieldKind.Quaternion:
                    Quaternion q = p.quaternionValue;
                    p.quaternionValue = new Quaternion(Pick(parts[0], q.x), Pick(parts[1], q.y), Pick(parts[2], q.z),
                                                       Pick(parts[3], q.w));
                    break;
                case FieldKind.Vector2Int:
                    Vector2Int cell = p.vector2IntValue;
                    p.vector2IntValue = new Vector2Int(Pick(parts[0], cell.x), Pick(parts[1], cell.y));
                    break;
                case FieldKind.Vector3Int:
                    p.vector3IntValue = Vector3IntOf(parts, p.vector3IntValue);
                    break;
                case FieldKind.Rect:
                    Rect r = p.rectValue;
                    p.rectValue = new Rect(Pick(parts[0], r.x), Pick(parts[1], r.y), Pick(parts[2], r.width),
                                           Pick(parts[3], r.height));
                    break;
                case FieldKind.RectInt:
                    RectInt tile = p.rectIntValue;
                    p.rectIntValue = new RectInt(Pick(parts[0], tile.x), Pick(parts[1], tile.y),
                                                 Pick(parts[2], tile.width), Pick(parts[3], tile.height));
                    break;
            }
        }

        static Vector3 Vector3Of(double?[] parts, Vector3 old)
        {
            return new Vector3(Pick(parts[0], old.x), Pick(parts[1], old.y), Pick(parts[2], old.z));
        }

        static Vector3Int Vector3IntOf(double?[] parts, Vector3Int old)
        {
            return new Vector3Int(Pick(parts[0], old.x), Pick(parts[1], old.y), Pick(parts[2], old.z));
        }

        static Setter ReadColor(AssignContext context, JsonValue value, bool isNew)
        {
            double?[] parts = ReadParts(context, rgba, false, value);
            parts[3] = parts[3] ?? 1;
            return p => p.colorValue = ColorOf(parts, isNew ? UnityEngine.Color.clear : p.colorValue);
        }

        static Color ColorOf(double?[] parts, Color old)
        {
            return new Color(Pick(parts[0], old.r), Pick(parts[1], old.g), Pick(parts[2], old.b),
                             Pick(parts[3], old.a));
        }

        /// <summary>Parse a colour that belongs to no property: omitted parts are 0, without "a" it
        /// is opaque.</summary>
        public static Color ColorOf(AssignContext context, JsonValue value)
        {
            double?[] parts = ReadParts(context, rgba, false, value);
            parts[3] = parts[3] ?? 1;
            return ColorOf(parts, UnityEngine.Color.clear);
        }

        static readonly string[] centerSize = { "center", "size" };
        static readonly string[] positionSize = { "position", "size" };

        static double?[] ReadMember(AssignContext context, bool isInt, JsonValue value, string name)
        {
            return value.Has(name) ? ReadParts(context, TakeFirst(xyzw, 3), isInt, value.Get(name)) : new double?[3];
        }

        /* Bounds store half their size; an omitted size must not change by doubling and halving
           it. */
        static Setter ReadBounds(AssignContext context, JsonValue value, bool isNew)
        {
            CheckNames(context, centerSize, value);
            double?[] center = ReadMember(context, false, value, "center");
            double?[] extents = ReadMember(context, false, value, "size");
            for (int i = 0; i < 3; i++)
                extents[i] = extents[i] / 2;
            return p =>
            {
                Bounds bounds = isNew ? new Bounds() : p.boundsValue;
                bounds.center = Vector3Of(center, bounds.center);
                bounds.extents = Vector3Of(extents, bounds.extents);
                p.boundsValue = bounds;
            };
        }

        static Setter ReadBoundsInt(AssignContext context, JsonValue value, bool isNew)
        {
            CheckNames(context, positionSize, value);
            double?[] position = ReadMember(context, true, value, "position");
            double?[] size = ReadMember(context, true, value, "size");
            return p =>
            {
                BoundsInt bounds = isNew ? new BoundsInt() : p.boundsIntValue;
                p.boundsIntValue = new BoundsInt(Vector3IntOf(position, bounds.position),
                                                 Vector3IntOf(size, bounds.size));
            };
        }

        static Setter ReadMask(AssignContext context, JsonValue value)
        {
            long n;
            if (!value.TryLong(out n) || n < int.MinValue || n > uint.MaxValue)
                throw context.Invalid("expected the bits of the mask, an integer");
            return p => p.intValue = unchecked((int)(uint)n);
        }
    }
}
