using System.Globalization;
using System.Text;

namespace Multiverse.Editor
{
    /// <summary>
    /// Writes one JSON text, with commas and quoting. Numbers that JSON cannot represent become the
    /// strings "NaN", "Infinity" and "-Infinity".
    /// <code>
    ///     var w = new JsonWriter();
    ///     w.BeginObject();
    ///     w.Member("name", go.name);
    ///     w.Key("children"); w.BeginArray(); ... w.EndArray();
    ///     w.EndObject();
    ///     string text = w.ToString();
    /// </code>
    /// </summary>
    public sealed class JsonWriter
    {
        readonly StringBuilder text;
        bool needsComma;

        public JsonWriter() { text = new StringBuilder(256); }

        public int Length { get { return text.Length; } }
        public override string ToString() { return text.ToString(); }
        /// <summary>Copy a part of the text, without copying all of it.</summary>
        public void CopyTo(int from, char[] to, int count) { text.CopyTo(from, to, 0, count); }
        public void Clear() { text.Length = 0; needsComma = false; }

        public void BeginObject() { WriteComma(); text.Append('{'); needsComma = false; }
        public void EndObject() { text.Append('}'); needsComma = true; }
        public void BeginArray() { WriteComma(); text.Append('['); needsComma = false; }
        public void EndArray() { text.Append(']'); needsComma = true; }

        public void Key(string key)
        {
            WriteComma();
            WriteQuoted(key);
            text.Append(':');
            needsComma = false;
        }

        public void Null() { WriteComma(); text.Append("null"); }
        public void Value(bool value) { WriteComma(); text.Append(value ? "true" : "false"); }
        public void Value(int value) { Value((long)value); }
        public void Value(long value) { WriteComma(); text.Append(value.ToString(CultureInfo.InvariantCulture)); }
        public void Value(ulong value) { WriteComma(); text.Append(value.ToString(CultureInfo.InvariantCulture)); }
        public void Value(string value)
        {
            WriteComma();
            if (value == null)
                text.Append("null");
            else
                WriteQuoted(value);
        }
        public void Value(float value)
        {
            if (float.IsNaN(value) || float.IsInfinity(value))
                Value(SpecialName(value));
            else
                Raw(FormatShortest(value));
        }
        public void Value(double value)
        {
            if (double.IsNaN(value) || double.IsInfinity(value))
                Value(SpecialName(value));
            else
                Raw(FormatShortest(value));
        }
        /// <summary>Write a value that is JSON already.</summary>
        public void Raw(string json) { WriteComma(); text.Append(json); }
        /// <summary>Write a parsed value.</summary>
        public void Value(JsonValue value)
        {
            switch (value.Kind)
            {
                case JsonKind.Null: Null(); break;
                case JsonKind.Bool: Value(value.AsBool); break;
                case JsonKind.Number: Raw(value.AsString); break;
                case JsonKind.String: Value(value.AsString); break;
                case JsonKind.Array:
                    BeginArray();
                    foreach (JsonValue item in value.Items)
                        Value(item);
                    EndArray();
                    break;
                case JsonKind.Object:
                    BeginObject();
                    for (int i = 0; i < value.Count; i++)
                    {
                        Key(value.Keys[i]);
                        Value(value.Items[i]);
                    }
                    EndObject();
                    break;
            }
        }

        public void Member(string key, string value) { Key(key); Value(value); }
        public void Member(string key, bool value) { Key(key); Value(value); }
        public void Member(string key, int value) { Key(key); Value(value); }
        public void Member(string key, long value) { Key(key); Value(value); }
        public void Member(string key, float value) { Key(key); Value(value); }
        public void Member(string key, double value) { Key(key); Value(value); }

        void WriteComma()
        {
            if (needsComma)
                text.Append(',');
            needsComma = true;
        }

        static string SpecialName(double value)
        {
            return double.IsNaN(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
        }

        /* "R" is not the shortest text on every runtime that Unity has used, and some round a
           float's text twice, but not a double's. Only denormal floats can be shorter than 6
           digits. */
        static string FormatShortest(float value)
        {
            double exact = value;
            if (value == 0)
                return FormatZero(value);
            for (int digits = System.Math.Abs(exact) < 1.2e-38 ? 1 : 6; digits < 9; digits++)
            {
                string s = exact.ToString("G" + digits, CultureInfo.InvariantCulture);
                float back;
                if (float.TryParse(s, NumberStyles.Float, CultureInfo.InvariantCulture, out back) && back == value)
                    return AddFraction(RoundToEven(s, exact));
            }
            return AddFraction(exact.ToString("G9", CultureInfo.InvariantCulture));
        }

        /* Of two equally near texts (1845.0312 and 1845.0313 for 1845.03125) take the even one,
           as Unity does in files; .NET rounds away from 0. */
        static string RoundToEven(string text, double exact)
        {
            char last = text[text.Length - 1];
            if (text.IndexOf('.') < 0 || text.IndexOf('E') >= 0 || (last - '0') % 2 == 0)
                return text;
            string all = exact.ToString("R", CultureInfo.InvariantCulture);
            bool isTie = all.Length == text.Length + 1 && all[all.Length - 1] == '5' && all[all.Length - 2] == last - 1;
            return isTie ? all.Substring(0, all.Length - 1) : text;
        }

        static string FormatShortest(double value)
        {
            if (value == 0)
                return FormatZero(value);
            for (int digits = 15; digits < 17; digits++)
            {
                string s = value.ToString("G" + digits, CultureInfo.InvariantCulture);
                double back;
                if (double.TryParse(s, NumberStyles.Float, CultureInfo.InvariantCulture, out back) && back == value)
                    return AddFraction(s);
            }
            return AddFraction(value.ToString("G17", CultureInfo.InvariantCulture));
        }

        /* Some runtimes omit the sign of -0. */
        static string FormatZero(double value) { return 1 / value < 0 ? "-0.0" : "0.0"; }

        /* A whole number keeps ".0", so that readers see a floating-point number. */
        static string AddFraction(string digits)
        {
            return digits.IndexOfAny(fraction) < 0 ? digits + ".0" : digits;
        }
        static readonly char[] fraction = { '.', 'E', 'e' };

        void WriteQuoted(string value)
        {
            text.Append('"');
            int from = 0;
            for (int i = 0; i < value.Length; i++)
            {
                string escape = FindEscape(value, i);
                if (escape == null)
                    continue;
                text.Append(value, from, i - from).Append(escape);
                from = i + 1;
            }
            text.Append(value, from, value.Length - from).Append('"');
        }

        /* null: no escape needed. An unpaired surrogate is not a character. */
        static string FindEscape(string value, int i)
        {
            char c = value[i];
            switch (c)
            {
                case '"': return "\\\"";
                case '\\': return "\\\\";
                case '\n': return "\\n";
                case '\r': return "\\r";
                case '\t': return "\\t";
            }
            if (c < ' ')
                return "\\u" + ((int)c).ToString("x4", CultureInfo.InvariantCulture);
            if (!char.IsSurrogate(c))
                return null;
            bool paired = char.IsHighSurrogate(c) ? i + 1 < value.Length && char.IsLowSurrogate(value[i + 1])
                                                  : i > 0 && char.IsHighSurrogate(value[i - 1]);
            return paired ? null : "\ufffd";
        }
    }
}
