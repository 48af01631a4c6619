using System;
using System.Globalization;
using System.Text.RegularExpressions;

namespace Multiverse.Editor
{
    /// <summary>Extracts source positions and stack frames from an entry's texts.</summary>
    public static class ConsoleText
    {
        /* Frames of the logging functions themselves, which precede the caller's. */
        static readonly string[] loggers = {
            "UnityEngine.Debug:", "UnityEngine.Logger:", "UnityEngine.DebugLogHandler:",
            "UnityEngine.StackTraceUtility:", "UnityEngine.Assertions.Assert:"
        };

        /// <summary>The first lines of a stack trace, starting at the frame that logged.</summary>
        public static string FirstLines(string trace, long lines)
        {
            int from = 0, to;
            while (from < trace.Length && IsLogger(trace, from))
                from = NextLine(trace, from);
            if (from >= trace.Length)
                from = 0;
            for (to = from; lines > 0 && to < trace.Length; lines--)
                to = NextLine(trace, to);
            return trace.Substring(from, to - from).TrimEnd();
        }

        static bool IsLogger(string trace, int at)
        {
            foreach (string name in loggers)
                if (string.CompareOrdinal(trace, at, name, 0, name.Length) == 0)
                    return true;
            return false;
        }

        static int NextLine(string text, int at)
        {
            int end = text.IndexOf('\n', at);
            return end < 0 ? text.Length : end + 1;
        }

        /// <summary>Find an entry's source position: from the compiler, at the beginning of the
        /// message, or from the first frame below Assets. False: unknown.</summary>
        public static bool Place(ConsoleEntry e, out string file, out int line)
        {
            file = e.File;
            line = e.Line;
            return file.Length > 0 || PlaceInMessage(e.Message, out file, out line) ||
                   PlaceInTrace(e.StackTrace, out file, out line);
        }

        /// <summary>Whether the message begins like the compiler's: "Assets/A.cs(12,5): error CS0246:
        /// ...". Unity logs these too. The file may be anywhere ("Library/PackageCache/...", a local
        /// package) and has \ on Windows.</summary>
        public static bool IsCompilerMessage(string message)
        {
            int at = message.IndexOf("): ", StringComparison.Ordinal);
            return at >= 0 && (IsAt(message, at + 3, "error CS") || IsAt(message, at + 3, "warning CS")) &&
                   compilerForm.IsMatch(message);
        }

        static readonly Regex compilerForm = new Regex(@"^[^\n]*?\.cs\([0-9]+,[0-9]+\): (?:error|warning) CS[0-9]",
                                                       RegexOptions.CultureInvariant);

        static bool IsAt(string text, int at, string word)
        {
            return string.CompareOrdinal(text, at, word, 0, word.Length) == 0;
        }

        /* "Assets/A.cs(12,5): ..." or "Assets/A.unity:12:5: ..." */
        static readonly Regex placeForm =
            new Regex(@"^([^\n]*?)(?:\(([0-9]{1,9}),[0-9]+\)|:([0-9]{1,9})(?::[0-9]+)?): ",
                      RegexOptions.CultureInvariant);

        static Match PlaceIn(string message)
        {
            bool isAsset = IsAt(message, 0, "Assets/") || IsAt(message, 0, "Packages/") ||
                           IsAt(message, 0, "Assets\\") || IsAt(message, 0, "Packages\\");
            return isAsset ? placeForm.Match(message) : Match.Empty;
        }

        static bool PlaceInMessage(string message, out string file, out int line)
        {
            Match place = PlaceIn(message);
            file = place.Groups[1].Value.Replace('\\', '/');
            line = 0;
            return place.Success && int.TryParse(place.Groups[2].Value + place.Groups[3].Value, NumberStyles.None,
                                                 CultureInfo.InvariantCulture, out line);
        }

        /* "A.B () (at Assets/A.cs:12)", or "at A.B () [0x00000] in /project/Assets/A.cs:12 " */
        static bool PlaceInTrace(string trace, out string file, out int line)
        {
            file = "";
            line = 0;
            for (int at = 0; at < trace.Length; at = NextLine(trace, at))
            {
                int end = NextLine(trace, at);
                int from = trace.IndexOf("(at Assets/", at, end - at, StringComparison.Ordinal);
                int begin = from >= 0 ? from + 4 : AssetsIn(trace, at, end);
                if (begin >= 0 && FileAndLine(trace.Substring(begin, end - begin), out file, out line))
                    return true;
            }
            return false;
        }

        static int AssetsIn(string trace, int at, int end)
        {
            int from = trace.IndexOf("] in ", at, end - at, StringComparison.Ordinal);
            int slash = from < 0 ? -1 : trace.IndexOf("/Assets/", from, end - from, StringComparison.Ordinal);
            return slash < 0 ? -1 : slash + 1;
        }

        /* "Assets/A.cs:12)" */
        static bool FileAndLine(string text, out string file, out int line)
        {
            string place = text.TrimEnd('\n', '\r', ' ', ')');
            int colon = place.LastIndexOf(':');
            file = colon < 0 ? "" : place.Substring(0, colon);
            line = 0;
            return colon > 0 && int.TryParse(place.Substring(colon + 1), NumberStyles.None,
                                             CultureInfo.InvariantCulture, out line);
        }
    }
}
