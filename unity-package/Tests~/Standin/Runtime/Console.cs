using System;
using System.Collections.Generic;
using UnityEngine;

namespace Standin
{
    /// <summary>One line of the editor's console.</summary>
    public sealed class ConsoleEntry
    {
        public LogType Type;
        public string Message;
        public string StackTrace;
        /// <summary>A compiler message; kept until the next compilation.</summary>
        public bool FromCompiler;
    }

    /// <summary>
    /// The editor's console with entries from any thread, and the callbacks of
    /// Application.logMessageReceived. Keeps the last <see cref="Capacity"/> entries.
    /// </summary>
    public static class Console
    {
        public const int Capacity = 10000;

        static readonly object gate = new object();
        static readonly List<ConsoleEntry> entries = new List<ConsoleEntry>();
        [ThreadStatic] static int depth;

        /// <summary>Debug.Break was called; the host pauses after this update.</summary>
        public static bool BreakRequested;
        /// <summary>Called for each entry on the logging thread, for the host's log file.</summary>
        public static Action<ConsoleEntry> Sink;

        public static void Write(LogType type, string message, string stackTrace, bool fromCompiler = false)
        {
            var entry = new ConsoleEntry
            {
                Type = type, Message = message ?? "", StackTrace = stackTrace ?? "", FromCompiler = fromCompiler
            };
            Add(entry);
            if (Sink != null)
                Sink(entry);
            /* Prevent endless recursion if a callback logs; Unity skips the callback too. */
            if (depth > 0)
                return;
            depth++;
            try
            {
                Application.CallLogCallback(entry.Message, entry.StackTrace, type, HostState.OnMainThread);
            }
            finally
            {
                depth--;
            }
        }

        static void Add(ConsoleEntry entry)
        {
            lock (gate)
            {
                if (entries.Count >= Capacity)
                    entries.RemoveAt(0);
                entries.Add(entry);
            }
        }

        public static ConsoleEntry[] Entries()
        {
            lock (gate)
                return entries.ToArray();
        }

        /// <summary>Restore entries after a domain reload, without callbacks.</summary>
        public static void Restore(IEnumerable<ConsoleEntry> earlier)
        {
            lock (gate)
                entries.InsertRange(0, earlier);
        }

        /// <summary>Clear the console except compiler messages.</summary>
        public static void Clear()
        {
            lock (gate)
                entries.RemoveAll(e => !e.FromCompiler);
        }

        /// <summary>Remove the last compilation's messages when a new one begins.</summary>
        public static void ClearCompiler()
        {
            lock (gate)
                entries.RemoveAll(e => e.FromCompiler);
        }
    }
}
