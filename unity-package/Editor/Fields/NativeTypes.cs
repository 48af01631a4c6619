using System;
using System.Collections.Generic;
using UnityEditor;

namespace Multiverse.Editor
{
    /// <summary>The types of the engine's own properties, from SerializedProperty and the meaning in
    /// <see cref="NativeFields"/>.</summary>
    static class NativeTypes
    {
        /* Native type names, including those that SerializedProperty.type uses. */
        static readonly Dictionary<string, Type> values = new Dictionary<string, Type>(StringComparer.Ordinal)
        {
            { "bool", typeof(bool) },
            { "UInt8", typeof(byte) }, { "byte", typeof(byte) },
            { "SInt8", typeof(sbyte) }, { "sbyte", typeof(sbyte) },
            { "SInt16", typeof(short) }, { "short", typeof(short) },
            { "UInt16", typeof(ushort) }, { "ushort", typeof(ushort) }, { "unsigned short", typeof(ushort) },
            { "SInt32", typeof(int) }, { "int", typeof(int) },
            { "UInt32", typeof(uint) }, { "uint", typeof(uint) }, { "unsigned int", typeof(uint) },
            { "SInt64", typeof(long) }, { "long", typeof(long) }, { "long long", typeof(long) },
            { "UInt64", typeof(ulong) }, { "ulong", typeof(ulong) }, { "unsigned long long", typeof(ulong) },
            { "char", typeof(char) },
            { "float", typeof(float) }, { "double", typeof(double) }, { "string", typeof(string) },
            { "Vector2f", typeof(UnityEngine.Vector2) }, { "Vector2", typeof(UnityEngine.Vector2) },
            { "Vector3f", typeof(UnityEngine.Vector3) }, { "Vector3", typeof(UnityEngine.Vector3) },
            { "Vector4f", typeof(UnityEngine.Vector4) }, { "Vector4", typeof(UnityEngine.Vector4) },
            { "int2_storage", typeof(UnityEngine.Vector2Int) }, { "Vector2Int", typeof(UnityEngine.Vector2Int) },
            { "int3_storage", typeof(UnityEngine.Vector3Int) }, { "Vector3Int", typeof(UnityEngine.Vector3Int) },
            { "Quaternionf", typeof(UnityEngine.Quaternion) }, { "Quaternion", typeof(UnityEngine.Quaternion) },
            { "ColorRGBA", typeof(UnityEngine.Color) }, { "Color", typeof(UnityEngine.Color) },
            { "Rectf", typeof(UnityEngine.Rect) }, { "Rect", typeof(UnityEngine.Rect) },
            { "AABB", typeof(UnityEngine.Bounds) }, { "Bounds", typeof(UnityEngine.Bounds) },
            { "BitField", typeof(UnityEngine.LayerMask) }, { "LayerMask", typeof(UnityEngine.LayerMask) },
            { "AnimationCurve", typeof(UnityEngine.AnimationCurve) },
            { "Gradient", typeof(UnityEngine.Gradient) }, { "GradientNEW", typeof(UnityEngine.Gradient) },
            { "Matrix4x4f", typeof(UnityEngine.Matrix4x4) },
            { "RectOffset", typeof(UnityEngine.RectOffset) },
        };

        static readonly Dictionary<SerializedPropertyType, Type> forms = new Dictionary<SerializedPropertyType, Type>
        {
            { SerializedPropertyType.Boolean, typeof(bool) },
            { SerializedPropertyType.String, typeof(string) },
            { SerializedPropertyType.Character, typeof(char) },
            { SerializedPropertyType.Color, typeof(UnityEngine.Color) },
            { SerializedPropertyType.LayerMask, typeof(UnityEngine.LayerMask) },
            { SerializedPropertyType.Vector2, typeof(UnityEngine.Vector2) },
            { SerializedPropertyType.Vector3, typeof(UnityEngine.Vector3) },
            { SerializedPropertyType.Vector4, typeof(UnityEngine.Vector4) },
            { SerializedPropertyType.Vector2Int, typeof(UnityEngine.Vector2Int) },
            { SerializedPropertyType.Vector3Int, typeof(UnityEngine.Vector3Int) },
            { SerializedPropertyType.Rect, typeof(UnityEngine.Rect) },
            { SerializedPropertyType.RectInt, typeof(UnityEngine.RectInt) },
            { SerializedPropertyType.Bounds, typeof(UnityEngine.Bounds) },
            { SerializedPropertyType.BoundsInt, typeof(UnityEngine.BoundsInt) },
            { SerializedPropertyType.AnimationCurve, typeof(UnityEngine.AnimationCurve) },
            { SerializedPropertyType.Gradient, typeof(UnityEngine.Gradient) },
            { SerializedPropertyType.Quaternion, typeof(UnityEngine.Quaternion) },
        };

        /// <summary>owner: C# full name of a class, or native name of a struct.</summary>
        public static FieldType Of(string owner, SerializedProperty property)
        {
            FieldType form = OfForm(property);
            string meaning = NativeFields.MeaningOf(owner, property.name);
            if (meaning != null)
                return OfMeaning(form, meaning);
            return property.name == "m_Enabled" ? FieldTypes.Of(typeof(bool)) : form;
        }

        static FieldType OfMeaning(FieldType form, string meaning)
        {
            string name = meaning.Substring(1);
            switch (meaning[0])
            {
                case 'b': return FieldTypes.Of(typeof(bool));
                case 'c': return FieldTypes.Of(typeof(UnityEngine.Color32));
                case '?': return FieldTypes.Unknown;
                case 's': return new FieldType(FieldKind.Struct, name);
                case '[':
                    bool isArray = form.Kind == FieldKind.Array;
                    if (!isArray && form.Kind != FieldKind.Unknown)
                        return form;
                    return ArrayOf(OfMeaning(isArray ? form.Element : FieldTypes.Unknown, name));
            }
            Type type = EngineTypes.Find(name); /* null: the type has another name in this version of Unity */
            if (type == null)
                return form;
            if (meaning[0] == 'r' || meaning[0] == 'v')
                return FieldTypes.Of(type);
            bool isSigned = form.IsSigned || form.Bits == 0;
            int bits = form.Bits == 0 ? 32 : form.Bits;
            return type.IsEnum ? FieldTypes.Enumeration(type, isSigned ? -bits : bits) : form;
        }

        static FieldType OfForm(SerializedProperty property)
        {
            Type type;
            SerializedPropertyType form = property.propertyType;
            if (forms.TryGetValue(form, out type))
                return FieldTypes.Of(type);
            switch (form)
            {
                case SerializedPropertyType.Float:
                    return FieldTypes.Of(property.type == "double" ? typeof(double) : typeof(float));
                case SerializedPropertyType.Integer:
                case SerializedPropertyType.ObjectReference:
                    return OfName(property.type, form);
                case SerializedPropertyType.Enum:
                case SerializedPropertyType.ArraySize:
                case SerializedPropertyType.FixedBufferSize:
                    return FieldTypes.Of(typeof(int));
                case SerializedPropertyType.ManagedReference:
                    return new FieldType(FieldKind.Managed, "System.Object", typeof(object));
            }
            if (property.type == "map")
                return FieldTypes.Unknown;
            return property.isArray ? ArrayOf(OfElement(property)) : OfName(property.type, form);
        }

        static FieldType OfName(string native, SerializedPropertyType form)
        {
            Type type;
            if (values.TryGetValue(native, out type))
                return FieldTypes.Of(type);
            if (form == SerializedPropertyType.Integer)
                return FieldTypes.Of(typeof(int));
            if (native.StartsWith("PPtr<", StringComparison.Ordinal))
                return OfReference(native.Substring(5, native.Length - 6).TrimStart('$'));
            return new FieldType(FieldKind.Struct, native);
        }

        static FieldType OfReference(string native)
        {
            string full = NativeFields.ClassName(native);
            if (full == null && EngineTypes.Find("UnityEngine." + native) != null)
                full = "UnityEngine." + native;
            if (full == null)
                return FieldTypes.AnyObject;
            Type type = EngineTypes.Find(full);
            return type != null ? FieldTypes.Of(type)
                                : new FieldType(FieldKind.Object, full, typeof(UnityEngine.Object));
        }

        /* The type of the first element, or the declared name for an empty array. */
        static FieldType OfElement(SerializedProperty array)
        {
            if (array.arraySize > 0)
                return OfForm(array.GetArrayElementAtIndex(0));
            string native = array.arrayElementType;
            return native == "vector" || native == "map" ? FieldTypes.Unknown
                                                         : OfName(native, SerializedPropertyType.Generic);
        }

        static FieldType ArrayOf(FieldType element)
        {
            return new FieldType(FieldKind.Array, element.Name + "[]", element: element);
        }
    }
}
