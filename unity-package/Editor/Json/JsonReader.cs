using System;
using System.Collections.Generic;
using System.Text;

namespace Multiverse.Editor
{
    public sealed class JsonException : Exception
    {
        /// <summary>The position in the text, in characters from 0.</summary>
        public readonly int Position;
        public JsonException(string message, int position) : base(message + " at character " + position)
        {
            Position = position;
        }
    }

    /// <summary>
    /// Reads one JSON text (RFC 8259) strictly: only white space may follow the value, and nesting
    /// is limited to <see cref="MaxDepth"/>, so that no text can overflow the stack.
    /// </summary>
    public sealed class JsonReader
    {
        public const int MaxDepth = 128;

        readonly string text;
        readonly StringBuilder scratch = new StringBuilder();
        int at;

        JsonReader(string text) { this.text = text; }

        public static JsonValue Read(string text)
        {
            var reader = new JsonReader(text);
            JsonValue value = reader.ReadValue(0);
            reader.SkipSpace();
            if (reader.at < text.Length)
                throw reader.Error("text after the value");
            return value;
        }

        JsonException Error(string what) { return new JsonException(what, at); }

        void SkipSpace()
        {
            while (at < text.Length)
            {
                char c = text[at];
                if (c != ' ' && c != '\n' && c != '\r' && c != '\t')
                    return;
                at++;
            }
        }

        JsonValue ReadValue(int depth)
        {
            if (depth > MaxDepth)
                throw Error("nested too deeply");
            SkipSpace();
            if (at >= text.Length)
                throw Error("the text ends where a value should be");
            switch (text[at])
            {
                case '{': return ReadMembers(depth);
                case '[': return ReadElements(depth);
                case '"': return JsonValue.FromString(ReadString());
                case 't': SkipWord("true"); return JsonValue.FromBool(true);
                case 'f': SkipWord("false"); return JsonValue.FromBool(false);
                case 'n': SkipWord("null"); return JsonValue.None;
                default: return JsonValue.FromNumber(ReadNumber());
            }
        }

        void SkipWord(string word)
        {
            if (string.CompareOrdinal(text, at, word, 0, word.Length) != 0)
                throw Error("not a value");
            at += word.Length;
        }

        JsonValue ReadMembers(int depth)
        {
            var keys = new List<string>();
            var values = new List<JsonValue>();
            at++;
            SkipSpace();
            if (TrySkip('}'))
                return JsonValue.FromMembers(keys, values);
            do
            {
                SkipSpace();
                if (at >= text.Length || text[at] != '"')
                    throw Error("a key in quotes is missing");
                keys.Add(ReadString());
                SkipSpace();
                if (!TrySkip(':'))
                    throw Error("':' is missing");
                values.Add(ReadValue(depth + 1));
                SkipSpace();
            } while (TrySkip(','));
            if (!TrySkip('}'))
                throw Error("',' or '}' is missing");
            return JsonValue.FromMembers(keys, values);
        }

        JsonValue ReadElements(int depth)
        {
            var items = new List<JsonValue>();
            at++;
            SkipSpace();
            if (TrySkip(']'))
                return JsonValue.FromItems(items);
            do
            {
                items.Add(ReadValue(depth + 1));
                SkipSpace();
            } while (TrySkip(','));
            if (!TrySkip(']'))
                throw Error("',' or ']' is missing");
            return JsonValue.FromItems(items);
        }

        bool TrySkip(char c)
        {
            if (at >= text.Length || text[at] != c)
                return false;
            at++;
            return true;
        }

        string ReadString()
        {
            int start = ++at;
            while (at < text.Length && text[at] != '"' && text[at] != '\\' && text[at] >= ' ')
                at++;
            if (at < text.Length && text[at] == '"')
                return text.Substring(start, at++ - start);
            scratch.Length = 0;
            scratch.Append(text, start, at - start);
            while (at < text.Length && text[at] != '"')
            {
                char c = text[at];
                if (c < ' ')
                    throw Error("control character in a string");
                at++;
                scratch.Append(c == '\\' ? ReadEscape() : c);
            }
            if (!TrySkip('"'))
                throw Error("the text ends inside a string");
            return scratch.ToString();
        }

        char ReadEscape()
        {
            if (at >= text.Length)
                throw Error("the text ends inside a string");
            char c = text[at++];
            switch (c)
            {
                case '"': case '\\': case '/': return c;
                case 'b': return '\b';
                case 'f': return '\f';
                case 'n': return '\n';
                case 'r': return '\r';
                case 't': return '\t';
                case 'u': return ReadCodeUnit();
                default: at--; throw Error("no such escape");
            }
        }

        char ReadCodeUnit()
        {
            int code = 0;
            for (int i = 0; i < 4; i++, at++)
            {
                int digit = at < text.Length ? HexDigit(text[at]) : -1;
                if (digit < 0)
                    throw Error("four hexadecimal digits are missing");
                code = code * 16 + digit;
            }
            return (char)code;
        }

        static int HexDigit(char c)
        {
            if (c >= '0' && c <= '9') return c - '0';
            if (c >= 'a' && c <= 'f') return c - 'a' + 10;
            if (c >= 'A' && c <= 'F') return c - 'A' + 10;
            return -1;
        }

        string ReadNumber()
        {
            int start = at;
            TrySkip('-');
            if (!TrySkip('0'))
                SkipDigits();
            if (TrySkip('.'))
                SkipDigits();
            if (at < text.Length && (text[at] == 'e' || text[at] == 'E'))
            {
                at++;
                if (!TrySkip('-'))
                    TrySkip('+');
                SkipDigits();
            }
            return text.Substring(start, at - start);
        }

        void SkipDigits()
        {
            int start = at;
            while (at < text.Length && text[at] >= '0' && text[at] <= '9')
                at++;
            if (at == start)
                throw Error("not a value");
        }
    }
}
