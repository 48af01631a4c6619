using System;
using System.IO;

namespace Standin.Host
{
    /// <summary>Unity's log: all console entries, in a file or, with "-logFile -", on standard
    /// output.</summary>
    static class HostLog
    {
        static readonly object gate = new object();
        static TextWriter writer;

        /// <summary>path null: the project's Temp/Editor.log.</summary>
        public static void Open(string path, TextWriter standardOutput)
        {
            if (path == "-")
                writer = standardOutput;
            else
                writer = new StreamWriter(path ?? HostState.ProjectPath + "/Temp/Editor.log", true) { AutoFlush = true };
            Console.Sink = Write;
        }

        static void Write(ConsoleEntry entry)
        {
            lock (gate)
            {
                writer.WriteLine(entry.Type + ": " + entry.Message);
                if (entry.StackTrace.Length > 0)
                    writer.WriteLine(entry.StackTrace.TrimEnd('\n'));
            }
        }
    }
}
