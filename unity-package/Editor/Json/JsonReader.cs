using System;
using System.Collections.Generic;
using System.Text;

namespace Multiverse.Editor
{
    public sealed class JsonException : Exception
    {
        /// <summary>Place in the text, in characters from 0.</summary>
        public readonly int Position;
        public JsonException(string message, int position) : base(message + " at character " + position)
        {
            Position = position;
        }
    }

    /// <summary>
    /// Reads one JSON text (RFC 8259), strictly: what is behind the value must be white space, and
    /// nesting ends at <see cref="MaxDepth"/>, so that no text can exhaust the stack.
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
            JsonValue value = reader.Value(0);
            reader.Space();
            if (reader.at < text.Length)
                throw reader.Wrong("text behind the value");
            return value;
        }

        JsonException Wrong(string what) { return new JsonException(what, at); }

        void Space()
        {
            while (at < text.Length)
            {
                char c = text[at];
                if (c != ' ' && c != '\n' && c != '\r' && c != '\t')
                    return;
                at++;
            }
        }

        JsonValue Value(int depth)
        {
            if (depth > MaxDepth)
                throw Wrong("nested too deeply");
            Space();
            if (at >= text.Length)
                throw Wrong("the text ends where a value should be");
            switch (text[at])
            {
                case '{': return Members(depth);
                case '[': return Elements(depth);
                case '"': return JsonValue.FromString(Text());
                case 't': Word("true"); return JsonValue.FromBool(true);
                case 'f': Word("false"); return JsonValue.FromBool(false);
                case 'n': Word("null"); return JsonValue.None;
                default: return JsonValue.FromNumber(Number());
            }
        }

        void Word(string word)
        {
            if (string.CompareOrdinal(text, at, word, 0, word.Length) != 0)
                throw Wrong("not a value");
            at += word.Length;
        }

        JsonValue Members(int depth)
        {
            var keys = new List<string>();
            var values = new List<JsonValue>();
            at++;
            Space();
            if (Take('}'))
                return JsonValue.FromMembers(keys, values);
            do
            {
                Space();
                if (at >= text.Length || text[at] != '"')
                    throw Wrong("a key in quotes is missing");
                keys.Add(Text());
                Space();
                if (!Take(':'))
                    throw Wrong("':' is missing");
                values.Add(Value(depth + 1));
                Space();
            } while (Take(','));
            if (!Take('}'))
                throw Wrong("',' or '}' is missing");
            return JsonValue.FromMembers(keys, values);
        }

        JsonValue Elements(int depth)
        {
            var items = new List<JsonValue>();
            at++;
            Space();
            if (Take(']'))
                return JsonValue.FromItems(items);
            do
            {
                items.Add(Value(depth + 1));
                Space();
            } while (Take(','));
            if (!Take(']'))
                throw Wrong("',' or ']' is missing");
            return JsonValue.FromItems(items);
        }

        bool Take(char c)
        {
            if (at >= text.Length || text[at] != c)
                return false;
            at++;
            return true;
        }

        string Text()
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
                    throw Wrong("control character in a string");
                at++;
                scratch.Append(c == '\\' ? Escape() : c);
            }
            if (!Take('"'))
                throw Wrong("the text ends inside a string");
            return scratch.ToString();
        }

        char Escape()
        {
            if (at >= text.Length)
                throw Wrong("the text ends inside a string");
            char c = text[at++];
            switch (c)
            {
                case '"': case '\\': case '/': return c;
                case 'b': return '\b';
                case 'f': return '\f';
                case 'n': return '\n';
                case 'r': return '\r';
                case 't': return '\t';
                case 'u': return Code();
                default: at--; throw Wrong("no such escape");
            }
        }

        char Code()
        {
            int code = 0;
            for (int i = 0; i < 4; i++, at++)
            {
                int digit = at < text.Length ? Hex(text[at]) : -1;
                if (digit < 0)
                    throw Wrong("four hexadecimal digits are missing");
                code = code * 16 + digit;
            }
            return (char)code;
        }

        static int Hex(char c)
        {
            if (c >= '0' && c <= '9') return c - '0';
            if (c >= 'a' && c <= 'f') return c - 'a' + 10;
            if (c >= 'A' && c <= 'F') return c - 'A' + 10;
            return -1;
        }

        string Number()
        {
            int start = at;
            Take('-');
            if (!Take('0'))
                Digits();
            if (Take('.'))
                Digits();
            if (at < text.Length && (text[at] == 'e' || text[at] == 'E'))
            {
                at++;
                if (!Take('-'))
                    Take('+');
                Digits();
            }
            return text.Substring(start, at - start);
        }

        void Digits()
        {
            int start = at;
            while (at < text.Length && text[at] >= '0' && text[at] <= '9')
                at++;
            if (at == start)
                throw Wrong("not a value");
        }
    }
}
