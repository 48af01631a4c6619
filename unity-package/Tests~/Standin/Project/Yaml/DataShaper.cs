using System;
using System.Globalization;

namespace Standin
{
    /// <summary>
    /// Gives parsed data the form of its class. The text does not show whether an empty value is a
    /// string or a list, nor the width of numbers in a hexadecimal list.
    /// <code>
    ///     DataShaper.Shape(document.Body, TypeTree.Of(typeof(Rigidbody)));
    /// </code>
    /// </summary>
    internal static class DataShaper
    {
        /// <summary>Shape in place; keys that the type does not have are unchanged.</summary>
        public static void Shape(DataNode map, TypeNode type)
        {
            if (map.Kind != DataKind.Map && map.Kind != DataKind.Managed)
                return;
            for (int i = 0; i < map.Count; i++)
            {
                TypeNode field = type.Child(map.Keys[i]);
                if (field == null)
                    continue;
                map.Items[i] = Value(map[i], field);
            }
        }

        static DataNode Value(DataNode value, TypeNode type)
        {
            switch (type.Kind)
            {
                case FieldKind.Array:
                    return Array(value, type);
                case FieldKind.String:
                    return value.Kind == DataKind.Scalar && !value.IsString ? DataNode.String(value.Text) : value;
                case FieldKind.Reference:
                    return value.Kind == DataKind.Scalar && value.Text.Length == 0
                        ? DataNode.Reference(0, "", 0) : value;
                case FieldKind.Managed:
                    return value;
                default:
                    if (value.Kind == DataKind.Map)
                        Shape(value, type);
                    return value;
            }
        }

        static DataNode Array(DataNode value, TypeNode type)
        {
            int bytes = FieldKinds.PackedBytes(type.Element);
            if (value.Kind == DataKind.Scalar)
            {
                DataNode list = DataNode.List();
                list.PackedBytes = bytes;
                if (bytes > 0)
                    Unpack(value.Text, bytes, type.Element, list);
                return list;
            }
            if (value.Kind != DataKind.List)
                return value;
            value.PackedBytes = bytes;
            for (int i = 0; i < value.Count; i++)
                value.Items[i] = Value(value[i], type.Element);
            return value;
        }

        static void Unpack(string text, int bytes, TypeNode element, DataNode list)
        {
            for (int at = 0; at + bytes * 2 <= text.Length; at += bytes * 2)
            {
                ulong number = 0;
                for (int i = bytes - 1; i >= 0; i--)
                {
                    byte part;
                    if (!byte.TryParse(text.Substring(at + i * 2, 2), NumberStyles.AllowHexSpecifier,
                        CultureInfo.InvariantCulture, out part))
                        return;
                    number = number << 8 | part;
                }
                list.Add(DataNode.Scalar(IsSigned(element.Type)
                    ? Scalars.From(SignExtend(number, bytes)) : Scalars.From(number)));
            }
        }

        static long SignExtend(ulong number, int bytes)
        {
            int shift = 64 - bytes * 8;
            return (long)(number << shift) >> shift;
        }

        static bool IsSigned(Type type)
        {
            switch (Type.GetTypeCode(type.IsEnum ? Enum.GetUnderlyingType(type) : type))
            {
                case TypeCode.SByte:
                case TypeCode.Int16:
                case TypeCode.Int32:
                case TypeCode.Int64:
                    return true;
                default:
                    return false;
            }
        }
    }
}
