using System;
using System.Collections.Generic;
using System.Globalization;

namespace Multiverse.Editor
{
    /// <summary>
    /// read_console. Order of processing: pattern, type_summary, log_type, deduplicate,
    /// total_count, offset, max_entries, stack_trace_lines. If the answer would exceed MaxBytes it
    /// has fewer entries; the others are on the next page.
    /// </summary>
    public sealed class ReadConsole : Tool
    {
        const int MaxBytes = 768 << 10;
        const int EntriesPerStep = 100;
        static readonly string[] typeNames = { "log", "warning", "error", "assert", "exception" };

        readonly ConsoleBuffer console;

        public ReadConsole(ConsoleBuffer console) { this.console = console; }

        public override string Name { get { return "read_console"; } }

        /* One entry of the answer, or several identical neighbours. */
        struct Shown
        {
            public ConsoleEntry Entry;
            public int Count;
        }

        public override IEnumerator<Pause> Run(ToolCall call)
        {
            JsonValue arguments = call.Arguments;
            long newest, after = ReadCursor(arguments.Get("since"));
            Pattern pattern = Pattern.Of("message_pattern", arguments.GetString("message_pattern", ""));
            bool deduplicate = arguments.GetBool("deduplicate", true);
            bool[] asked = ReadTypes(arguments.Get("log_type"));
            ConsoleEntry[] all = console.Snapshot(out newest);
            var list = new List<Shown>(); /* newest first */
            var summary = new long[typeNames.Length];
            for (int i = all.Length - 1; i >= 0 && all[i].Serial > after; i--)
            {
                if (pattern == null || pattern.Matches(all[i].Message))
                {
                    summary[(int)all[i].Type]++;
                    if (asked[(int)all[i].Type])
                        AddEntry(list, all[i], deduplicate);
                }
                if (i % EntriesPerStep == 0)
                    yield return Pause.Step;
            }
            Write(call, list, newest, summary);
        }

        /* "5fd3a1b2-42": a serial of this console. A cursor of an earlier run of Unity is older
           than all entries. */
        long ReadCursor(JsonValue since)
        {
            string text = since.AsString;
            int dash = text.IndexOf('-');
            long after = 0;
            if (since.IsNull)
                return 0;
            if (dash != console.Id.Length || !long.TryParse(text.Substring(dash + 1), NumberStyles.None,
                                                            CultureInfo.InvariantCulture, out after))
                throw new ToolError("ERR_INVALID_PARAMS",
                                    "since must be the cursor of an earlier answer of read_console");
            return text.StartsWith(console.Id, StringComparison.Ordinal) ? after : 0;
        }

        static bool[] ReadTypes(JsonValue types)
        {
            var asked = new bool[typeNames.Length];
            for (int i = 0; i < asked.Length; i++)
            {
                asked[i] = !types.IsArray;
                foreach (JsonValue type in types.Items)
                    asked[i] |= type.AsString == typeNames[i];
            }
            return asked;
        }

        static void AddEntry(List<Shown> list, ConsoleEntry e, bool deduplicate)
        {
            int last = list.Count - 1;
            if (deduplicate && last >= 0 && list[last].Entry.Type == e.Type && list[last].Entry.Message == e.Message)
                list[last] = new Shown { Entry = list[last].Entry, Count = list[last].Count + 1 };
            else
                list.Add(new Shown { Entry = e, Count = 1 });
        }

        void Write(ToolCall call, List<Shown> list, long newest, long[] summary)
        {
            JsonWriter w = call.Out;
            long lines = call.Arguments.GetLong("stack_trace_lines", 1);
            var page = new ToolPage(call.Arguments, call.Arguments.GetLong("max_entries", 10), list.Count);
            w.BeginObject();
            w.Key("entries");
            w.BeginArray();
            int bytes = 0;
            for (int i = page.From; i < page.To; i++)
            {
                string entry = Write(list[i], lines);
                bytes += Utf8.Count(entry) + 1;
                if (bytes > MaxBytes)
                    page.To = i;
                else
                    w.Raw(entry);
            }
            w.EndArray();
            page.Write(w);
            w.Member("cursor", console.Id + "-" + newest.ToString(CultureInfo.InvariantCulture));
            w.Key("type_summary");
            w.BeginObject();
            for (int i = 0; i < summary.Length; i++)
                w.Member(typeNames[i], summary[i]);
            w.EndObject();
            w.EndObject();
        }

        static string Write(Shown shown, long lines)
        {
            var w = new JsonWriter();
            ConsoleEntry e = shown.Entry;
            string file;
            int line;
            w.BeginObject();
            w.Member("type", typeNames[(int)e.Type]);
            w.Member("message", e.Message);
            if (lines > 0 && e.StackTrace.Length > 0)
                w.Member("stack_trace", ConsoleText.FirstLines(e.StackTrace, lines));
            if (shown.Count > 1)
                w.Member("count", shown.Count);
            w.Member("time", new DateTime(e.Time, DateTimeKind.Utc).ToString("yyyy-MM-dd'T'HH:mm:ss.fff'Z'",
                                                                             CultureInfo.InvariantCulture));
            if (ConsoleText.Place(e, out file, out line))
            {
                w.Member("file", file);
                if (line > 0)
                    w.Member("line", line);
            }
            w.EndObject();
            return w.ToString();
        }
    }
}
