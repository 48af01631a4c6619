using System;
using System.Collections.Generic;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>What SerializedProperty.type calls a type.</summary>
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

        public static string Of(Type type, FieldKind kind, bool isNative)
        {
            string name;
            if (simple.TryGetValue(type, out name))
                return name;
            if (kind == FieldKind.Enum)
                return "Enum";
            if (type.IsEnum)
                return simple[Enum.GetUnderlyingType(type)];
            if (kind == FieldKind.Managed)
                return "managedReference<" + type.Name + ">";
            if (kind == FieldKind.Reference)
                return isNative ? "PPtr<" + OfClass(type) + ">" : "PPtr<$" + type.Name + ">";
            return OfClass(type);
        }

        public static string OfClass(Type type)
        {
            var native = (NativeStructAttribute)Attribute.GetCustomAttribute(
                type, typeof(NativeStructAttribute), false);
            if (native != null)
                return native.Name;
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
