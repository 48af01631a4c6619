using System;
using System.Collections.Generic;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>The values of SerializedProperty.type.</summary>
    internal static class TypeNames
    {
        static readonly Dictionary<Type, string> simple = new Dictionary<Type, string>
        {
            { typeof(bool), "bool" }, { typeof(byte), "byte" }, { typeof(sbyte), "sbyte" },
            { typeof(short), "short" }, { typeof(ushort), "ushort" }, { typeof(int), "int" },
            { typeof(uint), "uint" }, { typeof(long), "long" }, { typeof(ulong), "ulong" },
            { typeof(float), "float" }, { typeof(double), "double" }, { typeof(char), "char" },
            { typeof(string), "string" }
        };

        /* Names in native classes, where they differ from scripts. */
        static readonly Dictionary<Type, string> native = new Dictionary<Type, string>
        {
            { typeof(byte), "UInt8" }, { typeof(sbyte), "SInt8" }, { typeof(short), "SInt16" },
            { typeof(ushort), "UInt16" }, { typeof(uint), "unsigned int" }, { typeof(long), "SInt64" },
            { typeof(ulong), "UInt64" }
        };

        public static string Of(Type type, FieldKind kind, bool isNative)
        {
            string name;
            Type plain = type.IsEnum ? Enum.GetUnderlyingType(type) : type;
            if (kind == FieldKind.Enum)
                return "Enum";
            if ((isNative && native.TryGetValue(plain, out name)) || simple.TryGetValue(plain, out name))
                return name;
            if (kind == FieldKind.Managed)
                return "managedReference<" + type.Name + ">";
            if (kind == FieldKind.Reference)
                return isNative ? "PPtr<" + OfClass(type) + ">" : "PPtr<$" + type.Name + ">";
            return OfClass(type);
        }

        public static string OfClass(Type type)
        {
            var inner = (NativeStructAttribute)Attribute.GetCustomAttribute(
                type, typeof(NativeStructAttribute), false);
            if (inner != null)
                return inner.Name;
            for (Type t = type; t != null && typeof(Object).IsAssignableFrom(t); t = t.BaseType)
            {
                var found = (NativeClassAttribute)Attribute.GetCustomAttribute(t, typeof(NativeClassAttribute), false);
                if (found != null)
                    return found.Name;
            }
            return type.Name;
        }
    }
}
