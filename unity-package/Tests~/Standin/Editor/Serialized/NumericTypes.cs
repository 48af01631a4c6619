using System;
using System.Globalization;
using UnityEditor;

namespace Standin
{
    /// <summary>The numeric types of fields.</summary>
    internal static class NumericTypes
    {
#if UNITY_2022_1_OR_NEWER
        public static SerializedPropertyNumericType Of(Type type)
        {
            switch (Type.GetTypeCode(type))
            {
                case TypeCode.SByte: return SerializedPropertyNumericType.Int8;
                case TypeCode.Byte: case TypeCode.Boolean: return SerializedPropertyNumericType.UInt8;
                case TypeCode.Int16: return SerializedPropertyNumericType.Int16;
                case TypeCode.UInt16: case TypeCode.Char: return SerializedPropertyNumericType.UInt16;
                case TypeCode.Int32: return SerializedPropertyNumericType.Int32;
                case TypeCode.UInt32: return SerializedPropertyNumericType.UInt32;
                case TypeCode.Int64: return SerializedPropertyNumericType.Int64;
                case TypeCode.UInt64: return SerializedPropertyNumericType.UInt64;
                case TypeCode.Single: return SerializedPropertyNumericType.Float;
                case TypeCode.Double: return SerializedPropertyNumericType.Double;
                default: return SerializedPropertyNumericType.Unknown;
            }
        }
#endif

        public static long Clamp(long value, Type type)
        {
            switch (Type.GetTypeCode(type))
            {
                case TypeCode.Boolean: return value == 0 ? 0 : 1;
                case TypeCode.SByte: return Within(value, sbyte.MinValue, sbyte.MaxValue);
                case TypeCode.Byte: return Within(value, byte.MinValue, byte.MaxValue);
                case TypeCode.Int16: return Within(value, short.MinValue, short.MaxValue);
                case TypeCode.UInt16: case TypeCode.Char: return Within(value, ushort.MinValue, ushort.MaxValue);
                case TypeCode.Int32: return Within(value, int.MinValue, int.MaxValue);
                case TypeCode.UInt32: return Within(value, uint.MinValue, uint.MaxValue);
                default: return value;
            }
        }

        static long Within(long value, long min, long max) { return value < min ? min : value > max ? max : value; }

        /// <summary>The number of an enum value.</summary>
        public static long ToLong(object value) { return Convert.ToInt64(value, CultureInfo.InvariantCulture); }
    }
}
