using System;
using System.Collections;
using System.Reflection;
using UnityEditor;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Multiverse.Editor
{
    /// <summary>
    /// The initial value of a new array element of a [Serializable] type, from its C# constructor
    /// and initialisers. Unity itself copies the previous element or fills with zeros. Engine
    /// structs that C# cannot create keep Unity's values.
    /// </summary>
    public static class InitialValues
    {
        const int MaxDepth = 10;

        /// <summary>Return null if nothing has to be set.</summary>
        public static Setter Of(FieldType type)
        {
            if (type.Kind != FieldKind.Struct)
                return null;
            object created = CreateDefault(type.Clr);
            if (created == null)
                return null;
            return p => WriteValue(p, type, created, 0);
        }

        /// <summary>Set a struct to zero, for an element that is a copy of another. null: setting a
        /// value of that type replaces all of it.</summary>
        public static Setter Zero(FieldType type)
        {
            if (type.Kind != FieldKind.Struct)
                return null;
            return p => WriteZero(p, type, 0);
        }

        static object CreateDefault(Type type)
        {
            if (type == null || type.IsAbstract || type.ContainsGenericParameters)
                return null;
            try
            {
                return Activator.CreateInstance(type, true);
            }
            catch (Exception)
            {
                return null; /* a constructor that throws, or none without parameters */
            }
        }

        static void WriteValue(SerializedProperty p, FieldType type, object value, int depth)
        {
            if (p == null || depth > MaxDepth)
                return;
            switch (type.Kind)
            {
                case FieldKind.Struct: WriteStruct(p, type, value ?? CreateDefault(type.Clr), depth); break;
                case FieldKind.Array: WriteArray(p, type, value as IList, depth); break;
                case FieldKind.Object: p.objectReferenceValue = value as Object; break;
                case FieldKind.String: p.stringValue = value as string ?? ""; break;
                case FieldKind.Curve: p.animationCurveValue = value as AnimationCurve ?? new AnimationCurve(); break;
                case FieldKind.Gradient: Compat.SetGradient(p, value as Gradient ?? new Gradient()); break;
                case FieldKind.Managed: p.managedReferenceValue = value; break;
                case FieldKind.Unknown: break;
                default:
                    if (value != null)
                        WritePlain(p, type.Kind, value);
                    break;
            }
        }

        static void WriteStruct(SerializedProperty p, FieldType type, object value, int depth)
        {
            if (value == null)
                return;
            foreach (Field field in FieldSet.Of(p, type).Fields)
            {
                FieldInfo info = FieldTypes.FieldOf(value.GetType(), field.Key);
                if (info != null)
                    WriteValue(p.FindPropertyRelative(field.Key), field.Type, info.GetValue(value), depth + 1);
            }
        }

        static void WriteZero(SerializedProperty p, FieldType type, int depth)
        {
            if (p == null || depth > MaxDepth)
                return;
            if (type.Kind != FieldKind.Struct)
            {
                WriteValue(p, type, ZeroOf(type.Kind), depth);
                return;
            }
            foreach (Field field in FieldSet.Of(p, type).Fields)
                WriteZero(p.FindPropertyRelative(field.Key), field.Type, depth + 1);
        }

        static object ZeroOf(FieldKind kind)
        {
            switch (kind)
            {
                case FieldKind.Bool: return false;
                case FieldKind.Int:
                case FieldKind.Enum: return 0;
                case FieldKind.Float: return 0f;
                case FieldKind.Double: return 0.0;
                case FieldKind.Vector2: return new Vector2();
                case FieldKind.Vector3: return new Vector3();
                case FieldKind.Vector4: return new Vector4();
                case FieldKind.Vector2Int: return new Vector2Int();
                case FieldKind.Vector3Int: return new Vector3Int();
                case FieldKind.Quaternion: return new Quaternion();
                case FieldKind.Color: return new Color();
                case FieldKind.Color32: return new Color32();
                case FieldKind.Rect: return new Rect();
                case FieldKind.RectInt: return new RectInt();
                case FieldKind.Bounds: return new Bounds();
                case FieldKind.BoundsInt: return new BoundsInt();
                case FieldKind.LayerMask: return new LayerMask();
                default: return null;
            }
        }

        static void WriteArray(SerializedProperty p, FieldType type, IList items, int depth)
        {
            p.ClearArray();
            p.arraySize = items == null ? 0 : items.Count;
            for (int i = 0; i < p.arraySize; i++)
                WriteValue(p.GetArrayElementAtIndex(i), type.Element, items[i], depth + 1);
        }

        static void WritePlain(SerializedProperty p, FieldKind kind, object value)
        {
            switch (kind)
            {
                case FieldKind.Bool: PlainValues.SetBool(p, (bool)value); break;
                case FieldKind.Int:
                case FieldKind.Enum: WriteInteger(p, value); break;
                case FieldKind.Float: p.floatValue = (float)value; break;
                case FieldKind.Double: p.doubleValue = (double)value; break;
                case FieldKind.Vector2: p.vector2Value = (Vector2)value; break;
                case FieldKind.Vector3: p.vector3Value = (Vector3)value; break;
                case FieldKind.Vector4: p.vector4Value = (Vector4)value; break;
                case FieldKind.Vector2Int: p.vector2IntValue = (Vector2Int)value; break;
                case FieldKind.Vector3Int: p.vector3IntValue = (Vector3Int)value; break;
                case FieldKind.Quaternion: p.quaternionValue = (Quaternion)value; break;
                case FieldKind.Color: p.colorValue = (Color)value; break;
                case FieldKind.Color32: p.colorValue = (Color32)value; break;
                case FieldKind.Rect: p.rectValue = (Rect)value; break;
                case FieldKind.RectInt: p.rectIntValue = (RectInt)value; break;
                case FieldKind.Bounds: p.boundsValue = (Bounds)value; break;
                case FieldKind.BoundsInt: p.boundsIntValue = (BoundsInt)value; break;
                case FieldKind.LayerMask: p.intValue = ((LayerMask)value).value; break;
            }
        }

        static void WriteInteger(SerializedProperty p, object value)
        {
            if (value is Enum)
                value = Convert.ChangeType(value, Enum.GetUnderlyingType(value.GetType()));
            if (value is ulong)
                Compat.SetULong(p, (ulong)value);
            else
                PlainValues.SetLong(p, value is char ? (char)value : Convert.ToInt64(value));
        }
    }
}
