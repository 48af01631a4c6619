using System;
using System.Collections.Generic;

namespace Standin
{
    /// <summary>
    /// The declarations of C# source, so that parts can be removed: each is replaced by blanks,
    /// lines keep their numbers. See <see cref="ScriptPruner"/>.
    /// </summary>
    internal sealed class SourceOutline
    {
        enum Part { Attribute, Base, Initial, Member, Type, Using }

        struct Span
        {
            public Part Part;
            public int Start;
            public int End;
        }

        const string Body = "throw null;";

        readonly char[] text;
        readonly List<SourceToken> tokens;
        readonly List<Span> spans = new List<Span>();
        readonly List<Span> bodies = new List<Span>();

        public SourceOutline(string source)
        {
            text = source.Replace('\t', ' ').ToCharArray();
            tokens = SourceTokens.Read(text);
            ReadMembers(0, tokens.Count);
        }

        public string Text { get { return new string(text); } }

        /* ---- reading */

        bool Is(int token, string what)
        {
            if (token < 0 || token >= tokens.Count || tokens[token].End - tokens[token].Start != what.Length)
                return false;
            for (int i = 0; i < what.Length; i++)
                if (text[tokens[token].Start + i] != what[i])
                    return false;
            return true;
        }

        bool IsOpen(int token) { return Is(token, "{") || Is(token, "(") || Is(token, "["); }
        bool IsClose(int token) { return Is(token, "}") || Is(token, ")") || Is(token, "]"); }

        /* Return the token that closes the one at `open`. */
        int Match(int open, int end)
        {
            int depth = 0;
            for (int i = open; i < end; i++)
            {
                depth += IsOpen(i) ? 1 : IsClose(i) ? -1 : 0;
                if (depth == 0)
                    return i;
            }
            return end - 1;
        }

        void Add(Part part, int first, int last)
        {
            if (first <= last && last < tokens.Count)
                spans.Add(new Span { Part = part, Start = tokens[first].Start, End = tokens[last].End });
        }

        void ReadMembers(int at, int end)
        {
            while (at < end)
            {
                int first = at;
                for (; Is(at, "["); at = Math.Min(at, end - 1) + 1)
                {
                    int close = Match(at, end);
                    Add(Part.Attribute, at, close);
                    at = close;
                }
                at = ReadMember(first, at, end);
            }
        }

        /* Read a member from its first token after the attributes; return the token after it. */
        int ReadMember(int first, int at, int end)
        {
            int start = at;
            for (; at < end; at++)
            {
                if (Is(at, ";"))
                {
                    Add(Is(start, "using") ? Part.Using : Part.Member, first, at);
                    return at + 1;
                }
                if (Is(at, "=>") || Is(at, "="))
                    return ReadValue(first, start, at, end);
                if (Is(at, "{"))
                    return ReadBraces(first, start, at, end);
                if (Is(at, "(") || Is(at, "["))
                    at = Match(at, end);
            }
            return end;
        }

        int ReadValue(int first, int start, int at, int end)
        {
            int stop = at;
            while (stop < end && !Is(stop, ";"))
                stop = IsOpen(stop) ? Match(stop, end) + 1 : stop + 1;
            if (stop >= end)
                return end;
            bool isConstant = false;
            for (int i = start; i < at; i++)
                isConstant |= Is(i, "const");
            if (Is(at, "=>"))
                bodies.Add(new Span { Start = tokens[at].End, End = tokens[stop].End });
            else if (!isConstant)
                Add(Part.Initial, at, stop - 1);
            Add(Part.Member, first, stop);
            return stop + 1;
        }

        int ReadBraces(int first, int start, int open, int end)
        {
            int close = Match(open, end);
            int keyword = -1;
            for (int i = start; i < open && keyword < 0; i++)
                if (Is(i, "class") || Is(i, "struct") || Is(i, "interface") || Is(i, "namespace") || Is(i, "enum"))
                    keyword = i;
            if (keyword >= 0)
            {
                if (!Is(keyword, "enum"))
                    ReadMembers(open + 1, close);
                if (!Is(keyword, "namespace"))
                    Add(Part.Type, first, close);
                ReadBases(keyword, open);
                return close + 1;
            }
            bool isMethod = false;
            for (int i = start; i < open; i++)
                isMethod |= Is(i, "(") || Is(i, "where");
            if (isMethod)
                bodies.Add(new Span { Start = tokens[open].End, End = tokens[close].Start });
            else
                ReadAccessors(open + 1, close);
            if (!isMethod && Is(close + 1, "="))
                return ReadValue(first, start, close + 1, end);
            Add(Part.Member, first, close);
            return close + 1;
        }

        void ReadAccessors(int at, int end)
        {
            for (; at < end; at++)
                if (Is(at, "{"))
                {
                    int close = Match(at, end);
                    bodies.Add(new Span { Start = tokens[at].End, End = tokens[close].Start });
                    at = close;
                }
                else if (Is(at, "=>"))
                {
                    int stop = at;
                    while (stop < end && !Is(stop, ";"))
                        stop = IsOpen(stop) ? Match(stop, end) + 1 : stop + 1;
                    if (stop < end)
                        bodies.Add(new Span { Start = tokens[at].End, End = tokens[stop].End });
                    at = stop;
                }
        }

        void ReadBases(int keyword, int open)
        {
            int at = keyword;
            while (at < open && !Is(at, ":") && !Is(at, "where"))
                at++;
            if (at >= open || Is(at, "where"))
                return;
            int item = at + 1;
            int angle = 0;
            for (int i = item; i <= open; i++)
            {
                angle += Is(i, "<") ? 1 : Is(i, ">") ? -1 : 0;
                bool isLast = i == open || Is(i, "where");
                if (!isLast && (angle > 0 || !Is(i, ",")))
                    continue;
                Add(Part.Base, item, i - 1);
                item = i + 1;
                if (isLast)
                    return;
            }
        }

        /* ---- cutting */

        /// <summary>Make all methods and accessors throw.</summary>
        public void CutBodies()
        {
            foreach (Span body in bodies)
            {
                if (Room(body) < Body.Length)
                    continue; /* too short for the replacement */
                Blank(body.Start, body.End);
                for (int i = 0, at = body.Start; i < Body.Length; at++)
                    if (text[at] != '\n' && text[at] != '\r')
                        text[at] = Body[i++];
            }
        }

        int Room(Span body)
        {
            int room = 0;
            for (int i = body.Start; i < body.End; i++)
                room += text[i] == '\n' || text[i] == '\r' ? 0 : 1;
            return room;
        }

        void Blank(int start, int end)
        {
            for (int i = start; i < end; i++)
                if (text[i] != '\n' && text[i] != '\r')
                    text[i] = ' ';
        }

        /// <summary>Remove the part with an error at this position; return false if there is
        /// none.</summary>
        public bool CutAt(int line, int column, string error)
        {
            int offset = OffsetOf(line, column);
            int best = -1;
            for (int i = 0; i < spans.Count; i++)
                if (spans[i].Start <= offset && offset < spans[i].End
                    && (best < 0 || spans[i].End - spans[i].Start < spans[best].End - spans[best].Start))
                    best = i;
            if (best < 0)
                return false;
            if (spans[best].Part == Part.Type && CutNamedBase(spans[best], error))
                return true;
            Cut(best);
            return true;
        }

        int OffsetOf(int line, int column)
        {
            int at = 0;
            for (; line > 1 && at < text.Length; at++)
                if (text[at] == '\n')
                    line--;
            return at + Math.Max(0, column - 1);
        }

        /* "`A' does not implement interface member `I.M()'": remove I from A's base types. */
        bool CutNamedBase(Span type, string error)
        {
            bool isAny = false;
            for (int i = spans.Count - 1; i >= 0; i--)
            {
                Span span = spans[i];
                if (span.Part != Part.Base || span.Start < type.Start || span.End > type.End)
                    continue;
                string name = new string(text, span.Start, span.End - span.Start).Trim();
                int generic = name.IndexOf('<');
                name = generic < 0 ? name : name.Substring(0, generic);
                name = name.Substring(name.LastIndexOf('.') + 1);
                if (name.Length == 0 || !error.Contains("`" + name + ".") && !error.Contains("." + name + ".")
                    && !error.Contains("." + name + "<") && !error.Contains("`" + name + "<"))
                    continue;
                Cut(i);
                isAny = true;
            }
            return isAny;
        }

        void Cut(int index)
        {
            Span span = spans[index];
            spans.RemoveAt(index);
            if (span.Part == Part.Base)
                CutComma(span);
            Blank(span.Start, span.End);
        }

        /* Remove the comma or colon before or after the item. */
        void CutComma(Span span)
        {
            int before = span.Start - 1;
            int behind = span.End;
            while (before >= 0 && char.IsWhiteSpace(text[before]))
                before--;
            while (behind < text.Length && char.IsWhiteSpace(text[behind]))
                behind++;
            if (before >= 0 && text[before] == ',')
                text[before] = ' ';
            else if (behind < text.Length && text[behind] == ',')
                text[behind] = ' ';
            else if (before >= 0 && text[before] == ':')
                text[before] = ' ';
        }
    }
}
