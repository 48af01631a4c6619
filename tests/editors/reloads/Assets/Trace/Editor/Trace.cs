using System;
using System.Globalization;
using System.IO;
using System.Text;

namespace Multiverse.Trace
{
    /// <summary>
    /// The truth about what happened in this editor: one line of JSON per event in the file
    /// MULTIVERSE_TRACE. When Write returns, the line is written: a kill loses nothing.
    /// <code>
    ///     Trace.Write("begin", "request_id", call.RequestId, "tool", "undo");
    /// </code>
    /// </summary>
    public static class Trace
    {
        static readonly string path = Environment.GetEnvironmentVariable("MULTIVERSE_TRACE");
        static readonly int process = System.Diagnostics.Process.GetCurrentProcess().Id;

        public static bool IsOn { get { return !string.IsNullOrEmpty(path); } }

        /// <summary>Alternating names and values, which need no escapes.</summary>
        public static void Write(string what, params string[] pairs)
        {
            if (!IsOn)
                return;
            double ms = (DateTime.UtcNow - new DateTime(1970, 1, 1, 0, 0, 0, DateTimeKind.Utc)).TotalMilliseconds;
            var line = new StringBuilder();
            line.Append("{\"ms\":").Append(ms.ToString("F3", CultureInfo.InvariantCulture));
            line.Append(",\"process\":").Append(process).Append(",\"what\":\"").Append(what).Append('"');
            for (int i = 0; i + 1 < pairs.Length; i += 2)
                line.Append(",\"").Append(pairs[i]).Append("\":\"").Append(pairs[i + 1]).Append('"');
            byte[] bytes = Encoding.UTF8.GetBytes(line.Append("}\n").ToString());
            using (var file = new FileStream(path, FileMode.Append, FileAccess.Write, FileShare.ReadWrite))
                file.Write(bytes, 0, bytes.Length);
        }
    }
}
