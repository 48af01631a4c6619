using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace Standin
{
    /// <summary>
    /// A small JSON implementation for the stand-in's files and control lines. Values are null,
    /// bool, long, double, string, List&lt;object&gt; and Dictionary&lt;string, object&gt;.
    /// <code>
    ///     var command = (Dictionary&lt;string, object&gt;)Json.Read(line);     // FormatException
    ///     string text = Json.Write(new Dictionary&lt;string, object&gt; { { "ok", true } });
    /// </code>
    /// </summary>
    public static class Json
    {
        const int maxDepth = 200;

        public static string Write(object value)
        {
            var text = new StringBuilder();
            Write(text, value);
            return text.ToString();
        }

        static void Write(StringBuilder text, object value)
        {
            if (value == null)
                text.Append("null");
            else if (value is bool)
                text.Append((bool)value ? "true" : "false");
            else if (value is string)
                Quote(text, (string)value);
            else if (value is double || value is float)
                Real(text, Convert.ToDouble(value, CultureInfo.InvariantCulture));
            else if (value is IDictionary)
                Members(text, (IDictionary)value);
            else if (value is IEnumerable)
                Elements(text, (IEnumerable)value);
            else if (value is Enum)
                Quote(text, value.ToString());
            else if (value is IFormattable)
                text.Append(((IFormattable)value).ToString(null, CultureInfo.InvariantCulture));
            else
                throw new ArgumentException("no JSON for a " + value.GetType());
        }

        static void Real(StringBuilder text, double value)
        {
            if (double.IsNaN(value) || double.IsInfinity(value))
                Quote(text, value.ToString(CultureInfo.InvariantCulture));
            else
                text.Append(value.ToString("R", CultureInfo.InvariantCulture));
        }

        static void Members(StringBuilder text, IDictionary members)
        {
            text.Append('{');
            string comma = "";
            foreach (DictionaryEntry member in members)
            {
                text.Append(comma);
                Quote(text, (string)member.Key);
                text.Append(':');
                Write(text, member.Value);
                comma = ",";
            }
            text.Append('}');
        }

        static void Elements(StringBuilder text, IEnumerable items)
        {
            text.Append('[');
            string comma = "";
            foreach (object item in items)
            {
                text.Append(comma);
                Write(text, item);
                comma = ",";
            }
            text.Append(']');
        }

        static void Quote(StringBuilder text, string value)
        {
            text.Append('"');
            foreach (char c in value)
            {
                if (c == '"' || c == '\\')
                    text.Append('\\').Append(c);
                else if (c < ' ' || char.IsSurrogate(c))
                    text.Append("\\u").Append(((int)c).ToString("x4", CultureInfo.InvariantCulture));
                else
                    text.Append(c);
            }
            text.Append('"');
        }

        public static object Read(string text)
        {
            int at = 0;
            object value = Value(text, ref at, 0);
            Space(text, ref at);
            if (at < text.Length)
                throw Error("text after the value", at);
            return value;
        }

        /// <summary>Parse an object; anything else is a FormatException.</summary>
        public static Dictionary<string, object> ReadObject(string text)
        {
            var members = Read(text) as Dictionary<string, object>;
            if (members == null)
                throw new FormatException("not a JSON object");
            return members;
        }

        static FormatException Error(string what, int at)
        {
            return new FormatException("JSON: " + what + " at character " + at);
        }

        static void Space(string text, ref int at)
        {
            while (at < text.Length && " \t\r\n".IndexOf(text[at]) >= 0)
                at++;
        }

        static bool TrySkip(string text, ref int at, char c)
        {
            Space(text, ref at);
            if (at >= text.Length || text[at] != c)
                return false;
            at++;
            return true;
        }

        static object Value(string text, ref int at, int depth)
        {
            if (depth > maxDepth)
                throw Error("nested too deeply", at);
            Space(text, ref at);
            if (TrySkip(text, ref at, '{'))
                return Members(text, ref at, depth);
            if (TrySkip(text, ref at, '['))
                return Elements(text, ref at, depth);
            if (at < text.Length && text[at] == '"')
                return Text(text, ref at);
            int start = at;
            while (at < text.Length && "+-.".IndexOf(text[at]) >= 0 || at < text.Length && char.IsLetterOrDigit(text[at]))
                at++;
            return Word(text.Substring(start, at - start), start);
        }

        static object Word(string word, int at)
        {
            if (word == "true") return true;
            if (word == "false") return false;
            if (word == "null") return null;
            long whole;
            if (long.TryParse(word, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out whole))
                return whole;
            double real;
            if (double.TryParse(word, NumberStyles.Float, CultureInfo.InvariantCulture, out real))
                return real;
            throw Error("not a value", at);
        }

        static object Members(string text, ref int at, int depth)
        {
            var members = new Dictionary<string, object>(StringComparer.Ordinal);
            if (TrySkip(text, ref at, '}'))
                return members;
            do
            {
                Space(text, ref at);
                if (at >= text.Length || text[at] != '"')
                    throw Error("a key is missing", at);
                string key = Text(text, ref at);
                if (!TrySkip(text, ref at, ':'))
                    throw Error("':' is missing", at);
                members[key] = Value(text, ref at, depth + 1);
            } while (TrySkip(text, ref at, ','));
            if (!TrySkip(text, ref at, '}'))
                throw Error("'}' is missing", at);
            return members;
        }

        static object Elements(string text, ref int at, int depth)
        {
            var items = new List<object>();
            if (TrySkip(text, ref at, ']'))
                return items;
            do
                items.Add(Value(text, ref at, depth + 1));
            while (TrySkip(text, ref at, ','));
            if (!TrySkip(text, ref at, ']'))
                throw Error("']' is missing", at);
            return items;
        }

        static string Text(string text, ref int at)
        {
            var result = new StringBuilder();
            for (at++; at < text.Length && text[at] != '"'; at++)
            {
                if (text[at] != '\\')
                    result.Append(text[at]);
                else
                    result.Append(Escape(text, ref at));
            }
            if (at >= text.Length)
                throw Error("the text ends inside a string", at);
            at++;
            return result.ToString();
        }

        static char Escape(string text, ref int at)
        {
            if (++at >= text.Length)
                throw Error("the text ends inside a string", at);
            switch (text[at])
            {
                case 'b': return '\b';
                case 'f': return '\f';
                case 'n': return '\n';
                case 'r': return '\r';
                case 't': return '\t';
                case 'u':
                    int code;
                    if (at + 4 >= text.Length || !int.TryParse(text.Substring(at + 1, 4), NumberStyles.HexNumber,
                                                               CultureInfo.InvariantCulture, out code))
                        throw Error("four hexadecimal digits are missing", at);
                    at += 4;
                    return (char)code;
                default: return text[at];
            }
        }
    }
}
