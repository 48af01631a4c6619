using System.Collections.Generic;

namespace Standin
{
    /// <summary>A token of C# source: text[Start..End).</summary>
    internal struct SourceToken
    {
        public int Start;
        public int End;
        public bool IsWord;
    }

    /// <summary>
    /// The tokens of C# source, without comments, strings and preprocessor lines. "=>" is one
    /// token; other signs are single characters.
    /// </summary>
    internal static class SourceTokens
    {
        public static List<SourceToken> Read(char[] text)
        {
            var tokens = new List<SourceToken>();
            for (int at = 0; at < text.Length;)
            {
                int behind = SkipBlank(text, at);
                if (behind == at)
                    behind = SkipText(text, at);
                if (behind != at)
                {
                    at = behind;
                    continue;
                }
                int end = at + 1;
                bool isWord = IsWord(text[at]);
                while (isWord && end < text.Length && IsWord(text[end]))
                    end++;
                if (text[at] == '=' && end < text.Length && text[end] == '>')
                    end++;
                tokens.Add(new SourceToken { Start = at, End = end, IsWord = isWord });
                at = end;
            }
            return tokens;
        }

        static bool IsWord(char c) { return char.IsLetterOrDigit(c) || c == '_' || c == '@'; }

        static bool Follows(char[] text, int at, string what)
        {
            for (int i = 0; i < what.Length; i++)
                if (at + i >= text.Length || text[at + i] != what[i])
                    return false;
            return true;
        }

        static int LineEnd(char[] text, int at)
        {
            while (at < text.Length && text[at] != '\n')
                at++;
            return at;
        }

        /* Skip blanks, comments, and preprocessor lines. */
        static int SkipBlank(char[] text, int at)
        {
            if (char.IsWhiteSpace(text[at]))
                return at + 1;
            if (Follows(text, at, "//") || text[at] == '#')
                return LineEnd(text, at);
            if (!Follows(text, at, "/*"))
                return at;
            while (at < text.Length && !Follows(text, at, "*/"))
                at++;
            return System.Math.Min(text.Length, at + 2);
        }

        static int SkipText(char[] text, int at)
        {
            int start = at;
            bool isVerbatim = false;
            while (at < text.Length && (text[at] == '$' || text[at] == '@'))
                isVerbatim |= text[at++] == '@';
            if (at >= text.Length || (text[at] != '"' && (text[at] != '\'' || at != start)))
                return start;
            char quote = text[at++];
            for (; at < text.Length; at++)
            {
                if (!isVerbatim && text[at] == '\\')
                    at++;
                else if (!isVerbatim && text[at] == '\n')
                    return at;
                else if (text[at] == quote)
                {
                    if (!isVerbatim || at + 1 >= text.Length || text[at + 1] != quote)
                        return at + 1;
                    at++;
                }
            }
            return text.Length;
        }
    }
}
