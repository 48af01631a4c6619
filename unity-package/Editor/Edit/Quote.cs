using System.Globalization;
using System.Text;

namespace Multiverse.Editor
{
    /// <summary>
    /// Quotes foreign text for our messages: truncated if long, safe on a terminal. Control
    /// characters, invisible ones and those that change the writing direction are written as \u and
    /// their number.
    /// <code>
    ///     Quote.Value(v, 40)        // "ten", 99, true, null, an object
    /// </code>
    /// </summary>
    public static class Quote
    {
        /// <summary>A value as written; only the kind of arrays and objects.</summary>
        public static string Value(JsonValue value, int max)
        {
            switch (value.Kind)
            {
                case JsonKind.String: return Text(value.AsString, max);
                case JsonKind.Bool: return value.AsBool ? "true" : "false";
                case JsonKind.Null: return "null";
                case JsonKind.Array: return "an array";
                case JsonKind.Object: return "an object";
                default:
                    string number = value.AsString;
                    return number.Length > max ? number.Substring(0, max) + "..." : number;
            }
        }

        /// <summary>max: in code points.</summary>
        public static string Text(string text, int max)
        {
            var quoted = new StringBuilder("\"");
            int i = 0;
            for (int count = 0; i < text.Length && count < max; count++)
            {
                bool isPair = char.IsSurrogatePair(text, i);
                int c = isPair ? char.ConvertToUtf32(text, i) : text[i];
                if (IsUnseen(c))
                    quoted.Append("\\u").Append(c.ToString("x4", CultureInfo.InvariantCulture));
                else
                    quoted.Append(c == '"' || c == '\\' ? "\\" : "").Append(text, i, isPair ? 2 : 1);
                i += isPair ? 2 : 1;
            }
            return quoted.Append(i < text.Length ? "...\"" : "\"").ToString();
        }

        static bool IsUnseen(int c)
        {
            return c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0xad || (c >= 0x200b && c <= 0x200f) ||
                   (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff ||
                   (c >= 0xe0000 && c <= 0xe0fff);
        }
    }
}
