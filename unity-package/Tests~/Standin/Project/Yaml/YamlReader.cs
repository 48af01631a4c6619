using System;
using System.Collections.Generic;
using System.Globalization;

namespace Standin
{
    /// <summary>
    /// Parses Unity's dialect of YAML into <see cref="DataNode"/>.
    /// A key with a value on its line includes the following lines that are blank or deeper
    /// (wrapped texts and braces). A key without a value has the deeper lines as a map, or the
    /// dashes at its own indent as a list. Values are not typed by their appearance, except that
    /// braces with a fileID are a reference. Sizes and nesting are limited; other texts throw <see
    /// cref="YamlError"/>.
    /// </summary>
    internal sealed class YamlReader
    {
        const int MaxChars = 256 << 20;
        const int MaxDepth = 64;

        struct Line
        {
            public int Start, End, Indent;
            public bool IsBlank;
        }

        readonly string text;
        readonly List<Line> lines = new List<Line>();
        int at;
        int depth;

        public YamlReader(string text)
        {
            this.text = text;
            if (text.Length > MaxChars)
                throw new YamlError(1, 1, "the file is too large");
            if (text.StartsWith("version https://git-lfs", StringComparison.Ordinal))
                throw new YamlError(1, 1, "this is a Git LFS pointer, not the file itself");
            if (text.IndexOf('\0') >= 0)
                throw new YamlError(1, 1, "this is a binary file; Unity must be set to write text");
            SplitLines();
        }

        void SplitLines()
        {
            int start = text.Length > 0 && text[0] == '\uFEFF' ? 1 : 0;
            while (start < text.Length)
            {
                int end = text.IndexOf('\n', start);
                int next = end < 0 ? text.Length : end + 1;
                end = end < 0 ? text.Length : end;
                if (end > start && text[end - 1] == '\r')
                    end--;
                int content = start;
                while (content < end && text[content] == ' ')
                    content++;
                lines.Add(new Line { Start = content, End = end, Indent = content - start, IsBlank = content == end });
                start = next;
            }
        }

        public YamlFile ReadFile()
        {
            if (lines.Count == 0 || !StartsWith(0, "%YAML"))
                throw new YamlError(1, 1, "this is no YAML file of Unity: it does not begin with %YAML");
            var file = new YamlFile();
            while (at < lines.Count && !StartsWith(at, "---"))
                at++;
            while (at < lines.Count)
                file.Documents.Add(ReadDocument());
            return file;
        }

        public DataNode ReadPlain()
        {
            while (at < lines.Count && (lines[at].IsBlank || StartsWith(at, "%") || StartsWith(at, "---")))
                at++;
            DataNode map = ReadBlock(0);
            if (at < lines.Count)
                throw Error(at, "this line belongs to nothing");
            return map.Kind == DataKind.Map ? map : DataNode.Map();
        }

        YamlDocument ReadDocument()
        {
            YamlDocument document = ReadHeader(Text(at));
            at++;
            SkipBlank();
            if (at == lines.Count || StartsWith(at, "---"))
            {
                document.Body = DataNode.Map();
                return document;
            }
            DataNode map = ReadBlock(0);
            if (map.Kind != DataKind.Map || map.Count != 1)
                throw Error(at - 1, "a document holds one object");
            if (at < lines.Count && !StartsWith(at, "---"))
                throw Error(at, "this line belongs to nothing");
            document.ClassName = map.Keys[0];
            document.Body = map.Items[0].Kind == DataKind.Map ? map.Items[0] : DataNode.Map();
            ManagedData.Link(document.Body);
            return document;
        }

        /* --- !u!54 &1392866527 stripped */
        YamlDocument ReadHeader(string line)
        {
            string[] words = line.Split(new[] { ' ' }, StringSplitOptions.RemoveEmptyEntries);
            var document = new YamlDocument();
            bool isGood = words.Length >= 3 && words[0] == "---" && words[1].StartsWith("!u!", StringComparison.Ordinal)
                && int.TryParse(words[1].Substring(3), NumberStyles.Integer, CultureInfo.InvariantCulture,
                    out document.ClassId)
                && words[2][0] == '&' && long.TryParse(words[2].Substring(1), NumberStyles.Integer,
                    CultureInfo.InvariantCulture, out document.FileId);
            if (!isGood)
                throw Error(at, "this is no head of a document (--- !u!CLASS &ID)");
            document.IsStripped = words.Length > 3 && words[3] == "stripped";
            return document;
        }

        /* ---- lines */

        string Text(int line) { return text.Substring(lines[line].Start, lines[line].End - lines[line].Start); }

        bool StartsWith(int line, string start)
        {
            return lines[line].Indent == 0 && string.CompareOrdinal(text, lines[line].Start, start, 0, start.Length) == 0;
        }

        void SkipBlank()
        {
            while (at < lines.Count && lines[at].IsBlank)
                at++;
        }

        YamlError Error(int line, string message)
        {
            int index = Math.Max(0, Math.Min(line, lines.Count - 1));
            return new YamlError(index + 1, lines.Count == 0 ? 1 : lines[index].Indent + 1, message);
        }

        bool IsDash(int line)
        {
            Line l = lines[line];
            return l.Start < l.End && text[l.Start] == '-' && (l.Start + 1 == l.End || text[l.Start + 1] == ' ');
        }

        bool IsInBlock(int indent)
        {
            SkipBlank();
            return at < lines.Count && lines[at].Indent == indent && !(indent == 0 && StartsWith(at, "---"));
        }

        /* ---- blocks */

        DataNode ReadBlock(int indent)
        {
            if (++depth > MaxDepth)
                throw Error(at, "this is nested too deeply");
            SkipBlank();
            DataNode block = at < lines.Count && IsDash(at) ? ReadList(indent) : ReadMap(indent);
            depth--;
            return block;
        }

        DataNode ReadMap(int indent)
        {
            DataNode map = DataNode.Map();
            while (IsInBlock(indent) && !IsDash(at))
            {
                Line line = lines[at];
                int colon = FindColon(line.Start, line.End);
                if (colon < 0)
                    throw Error(at, "a key is expected here");
                string key = YamlText.Decode(text.Substring(line.Start, colon - line.Start));
                map.Add(key, ReadValue(colon + 1, indent, true));
            }
            return map;
        }

        DataNode ReadList(int indent)
        {
            DataNode list = DataNode.List();
            while (IsInBlock(indent) && IsDash(at))
            {
                Line line = lines[at];
                int start = line.Start + 1;
                while (start < line.End && text[start] == ' ')
                    start++;
                bool isNested = start < line.End && (FindColon(start, line.End) >= 0 || IsDashAt(start, line.End));
                if (!isNested)
                {
                    list.Add(ReadValue(line.Start + 1, indent, false));
                    continue;
                }
                int column = indent + (start - line.Start);
                lines[at] = new Line { Start = start, End = line.End, Indent = column };
                list.Add(ReadBlock(column));
            }
            return list;
        }

        bool IsDashAt(int start, int end)
        {
            return text[start] == '-' && (start + 1 == end || text[start + 1] == ' ');
        }

        /* The end of the key in a line; -1: no key. */
        int FindColon(int start, int end)
        {
            if (start == end || text[start] == '{' || text[start] == '[')
                return -1;
            int from = start;
            if (text[start] == '"' || text[start] == '\'')
            {
                from = YamlText.FindQuote(text, start, end);
                if (from < 0 || from + 1 >= end || text[from + 1] != ':')
                    return -1;
                from++;
            }
            for (int i = from; i < end; i++)
                if (text[i] == ':' && (i + 1 == end || text[i + 1] == ' '))
                    return i;
            return -1;
        }

        /* ---- values */

        /* The value after a colon or dash of the current line, which has this indent. */
        DataNode ReadValue(int start, int indent, bool isKey)
        {
            Line line = lines[at];
            while (start < line.End && (text[start] == ' ' || text[start] == '\t'))
                start++;
            if (start == line.End)
            {
                at++;
                return ReadBelow(indent, isKey);
            }
            char first = text[start];
            if (first == '{' || first == '[')
                return ReadFlow(start);
            if (first == '"' || first == '\'')
                return ReadQuoted(start);
            return ReadPlainText(start, indent);
        }

        DataNode ReadBelow(int indent, bool isKey)
        {
            int before = at;
            SkipBlank();
            if (at < lines.Count && !(lines[at].Indent == 0 && StartsWith(at, "---")))
            {
                if (lines[at].Indent > indent)
                    return ReadBlock(lines[at].Indent);
                if (isKey && lines[at].Indent == indent && IsDash(at))
                    return ReadBlock(indent);
            }
            at = before;
            return DataNode.Scalar("");
        }

        /* Read a value from `start` to the end of its last line. */
        DataNode ReadPlainText(int start, int indent)
        {
            int end = lines[at].End;
            at++;
            int last = at;
            for (int i = at; i < lines.Count && (lines[i].IsBlank || lines[i].Indent > indent); i++)
                if (!lines[i].IsBlank)
                {
                    last = i + 1;
                    end = lines[i].End;
                }
            at = last;
            return DataNode.Scalar(YamlText.Decode(text.Substring(start, end - start)));
        }

        DataNode ReadQuoted(int start)
        {
            int end = YamlText.FindQuote(text, start, text.Length);
            if (end < 0)
                throw Error(at, "this quote is not closed");
            PassTo(end);
            return DataNode.String(YamlText.Decode(text.Substring(start, end + 1 - start)));
        }

        DataNode ReadFlow(int start)
        {
            int first = at;
            int end = start;
            DataNode node = ReadFlowValue(ref end, first);
            PassTo(end - 1);
            return node;
        }

        /* Continue after the line that contains this position. */
        void PassTo(int place)
        {
            while (at < lines.Count && lines[at].End <= place)
                at++;
            at++;
        }

        /* ---- braces */

        DataNode ReadFlowValue(ref int place, int line)
        {
            SkipSpace(ref place);
            if (place >= text.Length)
                throw Error(line, "this brace is not closed");
            if (text[place] == '{')
                return ReadFlowMap(ref place, line);
            if (text[place] == '[')
                return ReadFlowList(ref place, line);
            return ReadFlowText(ref place, line, ",}]");
        }

        void SkipSpace(ref int place)
        {
            while (place < text.Length && (text[place] == ' ' || text[place] == '\n' || text[place] == '\r'
                || text[place] == '\t'))
                place++;
        }

        DataNode ReadFlowText(ref int place, int line, string stops)
        {
            int start = place;
            if (text[place] == '"' || text[place] == '\'')
            {
                int end = YamlText.FindQuote(text, place, text.Length);
                if (end < 0)
                    throw Error(line, "this quote is not closed");
                place = end + 1;
                return DataNode.String(YamlText.Decode(text.Substring(start, place - start)));
            }
            while (place < text.Length && stops.IndexOf(text[place]) < 0)
                place++;
            return DataNode.Scalar(YamlText.Decode(text.Substring(start, place - start).Trim()));
        }

        DataNode ReadFlowMap(ref int place, int line)
        {
            if (++depth > MaxDepth)
                throw Error(line, "this is nested too deeply");
            DataNode map = DataNode.Map();
            map.IsFlow = true;
            place++;
            for (SkipSpace(ref place); place < text.Length && text[place] != '}'; SkipSpace(ref place))
            {
                string key = ReadFlowText(ref place, line, ":,}").Text;
                SkipSpace(ref place);
                if (place >= text.Length || text[place] != ':')
                    throw Error(line, "a colon is missing in these braces");
                place++;
                map.Add(key, ReadFlowValue(ref place, line));
                SkipComma(ref place, '}', line);
            }
            place++;
            depth--;
            return AsReference(map);
        }

        DataNode ReadFlowList(ref int place, int line)
        {
            if (++depth > MaxDepth)
                throw Error(line, "this is nested too deeply");
            DataNode list = DataNode.List();
            place++;
            for (SkipSpace(ref place); place < text.Length && text[place] != ']'; SkipSpace(ref place))
            {
                list.Add(ReadFlowValue(ref place, line));
                SkipComma(ref place, ']', line);
            }
            place++;
            depth--;
            return list;
        }

        void SkipComma(ref int place, char close, int line)
        {
            SkipSpace(ref place);
            if (place >= text.Length || (text[place] != ',' && text[place] != close))
                throw Error(line, "this brace is not closed");
            if (text[place] == ',')
                place++;
        }

        static DataNode AsReference(DataNode map)
        {
            DataNode id = map.Get("fileID");
            long fileId;
            if (id == null || map.Count > 3
                || !long.TryParse(id.Text, NumberStyles.Integer, CultureInfo.InvariantCulture, out fileId))
                return map;
            DataNode guid = map.Get("guid");
            DataNode type = map.Get("type");
            int fileType = 0;
            if (type != null)
                int.TryParse(type.Text, NumberStyles.Integer, CultureInfo.InvariantCulture, out fileType);
            return DataNode.Reference(fileId, guid == null ? "" : guid.Text, fileType);
        }
    }
}
