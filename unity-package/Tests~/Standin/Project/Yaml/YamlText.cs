using System.Globalization;
using System.Text;

namespace Standin
{
    /// <summary>
    /// Scalars of Unity's YAML: converts between the form in the file and the text.
    /// <code>
    ///     YamlText.Decode("'it''s'")   // it's
    ///     YamlText.Encode("a: b")      // 'a: b'
    /// </code>
    /// </summary>
    internal static class YamlText
    {
        /// <summary>The position of the closing quote; -1: not before end.</summary>
        public static int FindQuote(string text, int start, int end)
        {
            char quote = text[start];
            for (int i = start + 1; i < end; i++)
            {
                if (quote == '"' && text[i] == '\\')
                    i++;
                else if (text[i] == quote)
                {
                    if (quote == '"' || i + 1 >= end || text[i + 1] != '\'')
                        return i;
                    i++;
                }
            }
            return -1;
        }

        /// <summary>Return the text of a scalar: unquoted and unfolded.</summary>
        public static string Decode(string raw)
        {
            if (raw.Length == 0)
                return raw;
            if (raw[0] == '"' && raw.Length > 1)
                return DecodeDouble(raw, raw.Length - 1);
            if (raw[0] == '\'' && raw.Length > 1)
                return Unfold(raw, 1, raw.Length - 1, true);
            return raw.IndexOf('\n') < 0 ? raw : Unfold(raw, 0, raw.Length, false);
        }

        /* A line end with its blanks becomes one space; each further line end is kept. */
        static string Unfold(string raw, int start, int end, bool isQuoted)
        {
            var created = new StringBuilder(end - start);
            for (int i = start; i < end;)
            {
                if (IsBreak(raw, i, end))
                {
                    i = Fold(raw, i, end, created, 0);
                    continue;
                }
                if (isQuoted && raw[i] == '\'' && i + 1 < end && raw[i + 1] == '\'')
                    i++;
                created.Append(raw[i++]);
            }
            return created.ToString();
        }

        static bool IsBreak(string raw, int i, int end)
        {
            return raw[i] == '\n' || (raw[i] == '\r' && i + 1 < end && raw[i + 1] == '\n');
        }

        static int Fold(string raw, int i, int end, StringBuilder created, int floor)
        {
            int breaks = 0;
            while (created.Length > floor && (created[created.Length - 1] == ' ' || created[created.Length - 1] == '\t'))
                created.Length--;
            for (; i < end && (raw[i] == ' ' || raw[i] == '\t' || raw[i] == '\r' || raw[i] == '\n'); i++)
                if (raw[i] == '\n')
                    breaks++;
            if (breaks == 1)
                created.Append(' ');
            else
                created.Append('\n', breaks - 1);
            return i;
        }

        static string DecodeDouble(string raw, int end)
        {
            var created = new StringBuilder(raw.Length);
            int floor = 0;
            for (int i = 1; i < end;)
            {
                if (IsBreak(raw, i, end))
                    i = Fold(raw, i, end, created, floor);
                else if (raw[i] == '\\' && i + 1 < end)
                {
                    i = Escape(raw, i + 1, end, created);
                    floor = created.Length;
                }
                else
                    created.Append(raw[i++]);
            }
            return created.ToString();
        }

        const string EscapeNames = "abt\tnvfre \"/\\N_LP0";
        const string EscapeValues = "\a\b\t\t\n\v\f\r\u001b \"/\\\u0085\u00a0\u2028\u2029\0";

        static int Escape(string raw, int i, int end, StringBuilder created)
        {
            if (IsBreak(raw, i, end))
            {
                while (i < end && (raw[i] == ' ' || raw[i] == '\t' || raw[i] == '\r' || raw[i] == '\n'))
                    i++;
                return i;
            }
            char name = raw[i++];
            int digits = name == 'x' ? 2 : name == 'u' ? 4 : name == 'U' ? 8 : 0;
            uint code;
            if (digits > 0 && i + digits <= end && uint.TryParse(raw.Substring(i, digits), NumberStyles.AllowHexSpecifier,
                CultureInfo.InvariantCulture, out code))
            {
                created.Append(code < 0x10000 ? ((char)code).ToString()
                    : code <= 0x10ffff ? char.ConvertFromUtf32((int)code) : "\ufffd");
                return i + digits;
            }
            int known = EscapeNames.IndexOf(name);
            if (known >= 0)
                created.Append(EscapeValues[known]);
            else
                created.Append('\\').Append(name);
            return i;
        }

        /// <summary>Return the scalar for a text, in Unity's form.</summary>
        public static string Encode(string text)
        {
            if (text.Length == 0)
                return "";
            bool isSpecial = false;
            bool isIndicator = StartsStructure(text) || text[0] == ' ' || text[text.Length - 1] == ' ';
            for (int i = 0; i < text.Length; i++)
            {
                char c = text[i];
                if (c < ' ' || c > '~')
                    isSpecial = true;
                else if (c == ':' && (i + 1 == text.Length || text[i + 1] == ' '))
                    isIndicator = true;
            }
            if (isSpecial)
                return Quote(text);
            return isIndicator ? "'" + text.Replace("'", "''") + "'" : text;
        }

        static bool StartsStructure(string text)
        {
            if (",[]{}#&*!|>'\"%@`".IndexOf(text[0]) >= 0)
                return true;
            return "-?:".IndexOf(text[0]) >= 0 && (text.Length == 1 || text[1] == ' ');
        }

        static string Quote(string text)
        {
            var created = new StringBuilder(text.Length + 8).Append('"');
            for (int i = 0; i < text.Length; i++)
            {
                char c = text[i];
                if (c == '"' || c == '\\')
                    created.Append('\\').Append(c);
                else if (c == '\n')
                    created.Append("\\n");
                else if (c == '\t')
                    created.Append("\\t");
                else if (c == '\r')
                    created.Append("\\r");
                else if (char.IsHighSurrogate(c) && i + 1 < text.Length && char.IsLowSurrogate(text[i + 1]))
                    created.Append("\\U").Append(char.ConvertToUtf32(c, text[++i]).ToString("X8"));
                else if (c < ' ' || c > '~')
                    created.Append(c < 0x100 ? "\\x" : "\\u").Append(((int)c).ToString(c < 0x100 ? "X2" : "X4"));
                else
                    created.Append(c);
            }
            return created.Append('"').ToString();
        }
    }
}
