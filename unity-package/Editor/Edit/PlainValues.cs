using System;
using System.Globalization;
using System.Text;
using UnityEditor;

namespace Multiverse.Editor
{
    /// <summary>Booleans, numbers, strings and enums: parsed from JSON and checked against the
    /// field's type.</summary>
    public static class PlainValues
    {
        /* The first double that rounds to infinity as a float. */
        const double FloatEnd = 3.4028235677973366e38;

        public static Setter Bool(AssignContext context, JsonValue value)
        {
            if (!value.IsBool)
                throw context.Wrong("true or false", value);
            bool flag = value.AsBool;
            return p => SetBool(p, flag);
        }

        public static void SetBool(SerializedProperty p, bool flag)
        {
            if (p.propertyType == SerializedPropertyType.Boolean)
                p.boolValue = flag;
            else
                p.intValue = flag ? 1 : 0;
        }

        public static Setter Integer(AssignContext context, FieldType type, JsonValue value)
        {
            long n;
            ulong u;
            if (!value.IsNumber)
                throw context.Wrong("an integer", value);
            if (value.TryLong(out n) && IsInRange(type, n))
                return p => SetLong(p, n);
            if (value.TryULong(out u) && type.Bits == 64 && !type.IsSigned)
                return p => Compat.SetULong(p, u);
            int bits = type.Bits == 0 ? 32 : type.Bits;
            throw context.Wrong("an integer of " + bits.ToString(CultureInfo.InvariantCulture) + " bits" +
                                (type.IsSigned ? "" : ", not negative"), value);
        }

        static bool IsInRange(FieldType type, long n)
        {
            if (n < 0 && !type.IsSigned)
                return false;
            if (type.Bits >= 64 || type.Bits == 0)
                return true;
            long span = 1L << (type.Bits - (type.IsSigned ? 1 : 0));
            return n < span && n >= (type.IsSigned ? -span : 0);
        }

        /* Unity may show a property as a checkbox that is a number in the file. */
        public static void SetLong(SerializedProperty p, long n)
        {
            if (p.propertyType == SerializedPropertyType.Boolean)
                p.boolValue = n != 0;
            else if (n >= int.MinValue && n <= int.MaxValue)
                p.intValue = (int)n;
            else
                p.longValue = n;
        }

        /// <summary>Parse a number, or a string for a value that JSON has no number for.</summary>
        public static double Number(AssignContext context, JsonValue value)
        {
            double d;
            if (value.IsNumber &&
                double.TryParse(value.AsString, NumberStyles.Float, CultureInfo.InvariantCulture, out d) &&
                !double.IsInfinity(d))
                return value.AsDouble; /* keeps the sign of -0 */
            switch (value.IsString ? value.AsString : "")
            {
                case "Infinity": return double.PositiveInfinity;
                case "-Infinity": return double.NegativeInfinity;
                case "NaN": return double.NaN;
                default: throw context.Wrong("a number", value);
            }
        }

        /// <summary>Like Number, if it fits into a float.</summary>
        public static float Float(AssignContext context, JsonValue value)
        {
            return ToFloat(context, Number(context, value));
        }

        public static float ToFloat(AssignContext context, double d)
        {
            if (!double.IsInfinity(d) && Math.Abs(d) > FloatEnd)
                throw context.Invalid("expected a number that fits into a float, got " +
                                      d.ToString("G6", CultureInfo.InvariantCulture).Replace('E', 'e'));
            return (float)d;
        }

        public static Setter Floating(AssignContext context, FieldType type, JsonValue value)
        {
            if (type.Kind == FieldKind.Float)
            {
                float f = Float(context, value);
                return p => p.floatValue = f;
            }
            double d = Number(context, value);
            return p => p.doubleValue = d;
        }

        public static Setter Text(AssignContext context, JsonValue value)
        {
            if (!value.IsString)
                throw context.Wrong("a string", value);
            string text = value.AsString;
            return p => p.stringValue = text;
        }

        public static Setter Enumeration(AssignContext context, FieldType type, JsonValue value)
        {
            long n;
            if (value.IsNumber)
                return Integer(context, type, value);
            if (!value.IsString || type.Values == null)
                throw context.Wrong("the name of an enum value, or its number", value);
            if (!TryEnum(type.Values, value.AsString, out n))
                throw NoSuchName(context, type.Values, value.AsString);
            return p => SetLong(p, n);
        }

        /* "A, B" or "A | B": several flags. */
        static bool TryEnum(EnumNames names, string text, out long value)
        {
            if (names.TryValue(text.Trim(), out value))
                return true;
            char separator = text.IndexOf('|') >= 0 ? '|' : ',';
            if (!names.IsFlags || text.IndexOf(separator) < 0)
                return false;
            foreach (string part in text.Split(separator))
            {
                long one;
                if (!names.TryValue(part.Trim(), out one))
                    return false;
                value |= one;
            }
            return true;
        }

        const int MaxNames = 500, MaxName = 80;

        static ToolError NoSuchName(AssignContext context, EnumNames names, string name)
        {
            var all = new StringBuilder();
            var near = new Nearest(name);
            for (int i = 0; i < names.Names.Length; i++)
            {
                near.Offer(names.Names[i]);
                if (all.Length < MaxNames)
                    all.Append(i > 0 ? ", " : "").Append(names.Names[i]);
                else if (i + 1 == names.Names.Length)
                    all.Append(" ...");
            }
            if (name.Length > MaxName)
                name = name.Substring(0, char.IsHighSurrogate(name[MaxName - 1]) ? MaxName - 1 : MaxName);
            return context.Invalid(FieldTypes.NameOf(names.Type) + " has no value " + name +
                                   (near.Best == null ? "" : " (did you mean " + near.Best + "?)") + "; it has " + all);
        }
    }
}
