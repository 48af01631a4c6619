using System;

namespace Multiverse.Editor
{
    /// <summary>
    /// One thing that was logged. Immutable but for its serial, which <see cref="ConsoleBuffer"/> gives
    /// it; texts are cut at MaxBytes.
    /// </summary>
    public sealed class ConsoleEntry
    {
        /// <summary>Of the message, of the stack trace.</summary>
        public const int MaxBytes = 4096;

        public readonly ConsoleType Type;
        public readonly string Message;
        /// <summary>Lines, the innermost first; empty: none.</summary>
        public readonly string StackTrace;
        /// <summary>Where it was said, if that is known outright (the compiler says it); else empty.</summary>
        public readonly string File;
        public readonly int Line;
        /// <summary>The assembly whose compiler said it; else empty.</summary>
        public readonly string Assembly;
        /// <summary>Ticks of DateTime, UTC.</summary>
        public readonly long Time;
        /// <summary>Counts up from 1: the cursor of read_console.</summary>
        public long Serial { get; internal set; }

        public ConsoleEntry(ConsoleType type, string message, string stackTrace, string file = "", int line = 0,
                            string assembly = "", long time = 0)
        {
            Type = type;
            Message = Utf8.Head(message ?? "", MaxBytes);
            StackTrace = Utf8.Head(stackTrace ?? "", MaxBytes);
            File = Utf8.Head(file ?? "", MaxBytes);
            Line = line;
            Assembly = assembly ?? "";
            Time = time != 0 ? time : DateTime.UtcNow.Ticks;
        }
    }
}
