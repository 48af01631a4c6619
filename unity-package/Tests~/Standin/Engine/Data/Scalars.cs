using System;
using System.Globalization;

namespace Standin
{
    /// <summary>
    /// Numbers as in Unity's files; reading is lenient: an integer accepts 1.9 as 1, a bool accepts
    /// any number.
    /// </summary>
    internal static class Scalars
    {
        static readonly CultureInfo plain = CultureInfo.InvariantCulture;
        /* Numbers from 1e-9 to below 1e21 have no exponent. */
        const int FirstTen = -9;
        const int BehindTen = 21;

        public static string From(float value)
        {
            string word = Word(value);
            if (word != null)
                return word;
            /* Normal floats need at least six digits; denormal ones may need fewer. */
            for (int digits = Math.Abs(value) < 1.17549435E-38f ? 0 : 5; digits < 9; digits++)
            {
                string text = ((double)value).ToString("E" + digits.ToString(plain), plain);
                if (float.Parse(text, plain) == value)
                    return Decimal(text);
            }
            return Decimal(((double)value).ToString("E8", plain));
        }

        public static string From(double value)
        {
            string word = Word(value);
            if (word != null)
                return word;
            for (int digits = Math.Abs(value) < 2.2250738585072014E-308 ? 0 : 14; digits < 17; digits++)
            {
                string text = value.ToString("E" + digits.ToString(plain), plain);
                if (double.Parse(text, plain) == value)
                    return Decimal(text);
            }
            return Decimal(value.ToString("E16", plain));
        }

        static string Word(double value)
        {
            if (double.IsNaN(value))
                return "NaN";
            if (double.IsInfinity(value))
                return value > 0 ? "Infinity" : "-Infinity";
            if (value == 0)
                return BitConverter.DoubleToInt64Bits(value) < 0 ? "-0" : "0";
            return null;
        }

        /* Convert "-1.250000E+003" to Unity's form: -1250. */
        static string Decimal(string scientific)
        {
            int e = scientific.IndexOf('E');
            string sign = scientific[0] == '-' ? "-" : "";
            string digits = scientific.Substring(sign.Length, e - sign.Length).Replace(".", "").TrimEnd('0');
            int ten = int.Parse(scientific.Substring(e + 1), NumberStyles.AllowLeadingSign, plain);
            if (digits.Length == 0)
                return sign + "0";
            if (ten < FirstTen || ten >= BehindTen)
                return sign + digits.Substring(0, 1) + (digits.Length > 1 ? "." + digits.Substring(1) : "")
                    + "e" + (ten < 0 ? "-" : "+") + Math.Abs(ten).ToString(plain);
            if (ten < 0)
                return sign + "0." + new string('0', -ten - 1) + digits;
            if (digits.Length <= ten + 1)
                return sign + digits + new string('0', ten + 1 - digits.Length);
            return sign + digits.Substring(0, ten + 1) + "." + digits.Substring(ten + 1);
        }

        public static string From(long value) { return value.ToString(plain); }
        public static string From(ulong value) { return value.ToString(plain); }
        public static string From(bool value) { return value ? "1" : "0"; }

        public static double ToDouble(string text)
        {
            double value;
            if (double.TryParse(text, NumberStyles.Float, plain, out value))
                return value == 0 && text.TrimStart().StartsWith("-", StringComparison.Ordinal) ? -Math.Abs(value) : value;
            switch (text)
            {
                case "Infinity": case "inf": case ".inf": return double.PositiveInfinity;
                case "-Infinity": case "-inf": case "-.inf": return double.NegativeInfinity;
                case "NaN": case "nan": case ".nan": case "-nan": return double.NaN;
                default: return 0;
            }
        }

        public static float ToFloat(string text)
        {
            float value;
            if (!float.TryParse(text, NumberStyles.Float, plain, out value))
                return (float)ToDouble(text);
            /* mono parses "-0" without the sign */
            return value == 0 && text.TrimStart().StartsWith("-", StringComparison.Ordinal) ? -Math.Abs(value) : value;
        }

        /// <summary>Parse a number as 64 bits; a value above long's range becomes its two's
        /// complement.</summary>
        public static long ToLong(string text)
        {
            long value;
            ulong big;
            if (long.TryParse(text, NumberStyles.AllowLeadingSign, plain, out value))
                return value;
            if (ulong.TryParse(text, NumberStyles.None, plain, out big))
                return unchecked((long)big);
            if (text == "true")
                return 1;
            double d = ToDouble(text);
            return d >= long.MinValue && d <= long.MaxValue ? (long)d : 0;
        }

        public static bool ToBool(string text) { return text == "true" || ToDouble(text) != 0; }
    }
}
