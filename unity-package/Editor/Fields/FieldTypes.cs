using System;
using System.Collections.Generic;
using System.Reflection;
using System.Text;
using UnityEditor;
using UnityEngine;

namespace Multiverse.Editor
{
    /// <summary>
    /// Finds the C# type of serialized properties: script fields by reflection, native ones from
    /// SerializedProperty and <see cref="NativeFields"/>. Used by <see cref="FieldSet"/> for every
    /// field.
    /// <code>
    ///     FieldTypes.Of(serialized.FindProperty("stats.items.Array.data[0].hp")).Name    // "System.Int32"
    ///     FieldTypes.NameOf(typeof(List&lt;Transform&gt;))
    ///                               // "System.Collections.Generic.List&lt;UnityEngine.Transform&gt;"
    /// </code>
    /// </summary>
    public static class FieldTypes
    {
        static readonly Dictionary<Type, FieldType> known = new Dictionary<Type, FieldType>();

        internal static readonly FieldType Unknown = new FieldType(FieldKind.Unknown, "unknown");
        internal static readonly FieldType AnyObject =
            new FieldType(FieldKind.Object, "UnityEngine.Object", typeof(UnityEngine.Object));

        static readonly Dictionary<Type, FieldKind> shapes = new Dictionary<Type, FieldKind>
        {
            { typeof(bool), FieldKind.Bool },
            { typeof(float), FieldKind.Float },
            { typeof(double), FieldKind.Double },
            { typeof(string), FieldKind.String },
            { typeof(Vector2), FieldKind.Vector2 },
            { typeof(Vector3), FieldKind.Vector3 },
            { typeof(Vector4), FieldKind.Vector4 },
            { typeof(Vector2Int), FieldKind.Vector2Int },
            { typeof(Vector3Int), FieldKind.Vector3Int },
            { typeof(Quaternion), FieldKind.Quaternion },
            { typeof(Color), FieldKind.Color },
            { typeof(Color32), FieldKind.Color32 },
            { typeof(Rect), FieldKind.Rect },
            { typeof(RectInt), FieldKind.RectInt },
            { typeof(Bounds), FieldKind.Bounds },
            { typeof(BoundsInt), FieldKind.BoundsInt },
            { typeof(LayerMask), FieldKind.LayerMask },
            { typeof(AnimationCurve), FieldKind.Curve },
            { typeof(Gradient), FieldKind.Gradient },
        };

        // ---- of a property

        /// <summary>The type of any property of an object, by its path.</summary>
        public static FieldType Of(SerializedProperty property)
        {
            SerializedObject root = property.serializedObject;
            FieldType type = null;
            var path = new StringBuilder();
            foreach (string part in property.propertyPath.Split('.'))
            {
                path.Append(path.Length > 0 ? "." : "").Append(part);
                bool isArray = type != null && type.Kind == FieldKind.Array;
                if (isArray && part == "Array")
                    continue;
                if (isArray && part.StartsWith("data[", StringComparison.Ordinal))
                    type = type.Element;
                else
                    type = Of(root.FindProperty(path.ToString()), type);
                if (type.Kind == FieldKind.Managed && path.Length < property.propertyPath.Length)
                    type = OfManaged(root.FindProperty(path.ToString())) ?? type;
            }
            return type;
        }

        /// <summary>The type of a struct's member, or, with parent null, of a field of the
        /// object.</summary>
        internal static FieldType Of(SerializedProperty property, FieldType parent)
        {
            bool isField = parent == null;
            Type owner = isField ? property.serializedObject.targetObject.GetType() : parent.Clr;
            FieldInfo field = FieldOf(owner, property.name);
            if (field != null)
                return OfField(field);
            return NativeTypes.Of(isField ? owner.FullName : parent.Name, property);
        }

        /// <summary>The class of the object in a [SerializeReference] field, as a struct with its
        /// fields; null if it is empty.</summary>
        internal static FieldType OfManaged(SerializedProperty property)
        {
            string typeName = property.managedReferenceFullTypename;
            if (string.IsNullOrEmpty(typeName))
                return null;
            int blank = typeName.IndexOf(' ');
            string name = typeName.Substring(blank + 1).Replace('/', '+');
            Type type = Type.GetType(name + ", " + typeName.Substring(0, Math.Max(blank, 0)), false);
            return new FieldType(FieldKind.Struct, type != null ? NameOf(type) : name, type);
        }

        /// <summary>Return the C# field with a key in a script or [Serializable] type; null for
        /// engine fields.</summary>
        internal static FieldInfo FieldOf(Type owner, string key)
        {
            const BindingFlags own = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic |
                                     BindingFlags.DeclaredOnly;
            bool isEngine = owner != null && typeof(Component).IsAssignableFrom(owner) &&
                            !typeof(MonoBehaviour).IsAssignableFrom(owner);
            if (isEngine)
                return null;
            for (Type t = owner; t != null && t != typeof(MonoBehaviour); t = t.BaseType)
            {
                FieldInfo field = t.GetField(key, own);
                if (field != null)
                    return field;
            }
            return null;
        }

        // ---- of a C# type

        static FieldType OfField(FieldInfo field)
        {
            return field.IsDefined(typeof(SerializeReference), false) ? OfManagedField(field.FieldType) : Of(field.FieldType);
        }

        static FieldType OfManagedField(Type type)
        {
            Type element = ElementOf(type);
            if (element == null)
                return new FieldType(FieldKind.Managed, NameOf(type), type);
            return new FieldType(FieldKind.Array, NameOf(type), type, element: OfManagedField(element), isList: !type.IsArray);
        }

        /// <summary>The type of a field of this C# type.</summary>
        public static FieldType Of(Type type)
        {
            FieldType created;
            if (!known.TryGetValue(type, out created))
                known.Add(type, created = CreateType(type));
            return created;
        }

        static FieldType CreateType(Type type)
        {
            FieldKind kind;
            Type element = ElementOf(type);
            if (element != null)
                return new FieldType(FieldKind.Array, NameOf(type), type, element: Of(element), isList: !type.IsArray);
            if (shapes.TryGetValue(type, out kind))
                return new FieldType(kind, NameOf(type), type);
            if (type.IsEnum)
                return Enumeration(type, BitsOf(Enum.GetUnderlyingType(type)));
            int bits = BitsOf(type);
            if (bits != 0)
                return new FieldType(FieldKind.Int, NameOf(type), type, Math.Abs(bits), bits < 0);
            if (typeof(UnityEngine.Object).IsAssignableFrom(type))
                return new FieldType(FieldKind.Object, NameOf(type), type);
            if (type == typeof(Hash128))
                return new FieldType(FieldKind.Unknown, NameOf(type), type);
            return new FieldType(FieldKind.Struct, NameOf(type), type);
        }

        /// <summary>bits: negative if signed.</summary>
        internal static FieldType Enumeration(Type type, int bits)
        {
            return new FieldType(FieldKind.Enum, NameOf(type), type, Math.Abs(bits), bits < 0,
                                 values: EnumNames.Of(type));
        }

        /* The number of bits; negative: signed; 0: no integer. */
        static int BitsOf(Type type)
        {
            switch (Type.GetTypeCode(type))
            {
                case TypeCode.Byte: return 8;
                case TypeCode.SByte: return -8;
                case TypeCode.Char: case TypeCode.UInt16: return 16;
                case TypeCode.Int16: return -16;
                case TypeCode.UInt32: return 32;
                case TypeCode.Int32: return -32;
                case TypeCode.UInt64: return 64;
                case TypeCode.Int64: return -64;
                default: return 0;
            }
        }

        static Type ElementOf(Type type)
        {
            if (type.IsArray)
                return type.GetElementType();
            bool isList = type.IsGenericType && type.GetGenericTypeDefinition() == typeof(List<>);
            return isList ? type.GetGenericArguments()[0] : null;
        }

        /// <summary>The C# full name as the tools write it: nested types with +,
        /// "System.Collections.Generic.List&lt;T&gt;", "T[]".</summary>
        public static string NameOf(Type type)
        {
            if (type.IsArray)
                return NameOf(type.GetElementType()) + "[]";
            if (!type.IsGenericType)
                return type.FullName ?? type.Name;
            string open = type.GetGenericTypeDefinition().FullName;
            var name = new StringBuilder();
            for (int i = 0; i < open.Length; i++)
            {
                if (open[i] != '`')
                    name.Append(open[i]);
                else
                    while (i + 1 < open.Length && char.IsDigit(open[i + 1]))
                        i++;
            }
            Type[] arguments = type.GetGenericArguments();
            for (int i = 0; i < arguments.Length; i++)
                name.Append(i == 0 ? '<' : ',').Append(NameOf(arguments[i]));
            return name.Append('>').ToString();
        }

        /// <summary>Return "B" for "A+B&lt;C&gt;".</summary>
        public static string SimpleName(string full)
        {
            int end = full.IndexOfAny(brackets), from = 0;
            for (int i = 0; i < (end < 0 ? full.Length : end); i++)
                if (full[i] == '.' || full[i] == '+')
                    from = i + 1;
            return end < 0 ? full.Substring(from) : full.Substring(from, end - from);
        }
        static readonly char[] brackets = { '<', '`', '[' };
    }
}
