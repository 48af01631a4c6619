using System;

namespace Multiverse.Editor
{
    /// <summary>
    /// One log entry. Immutable except for its serial, which <see cref="ConsoleBuffer"/> sets;
    /// texts are cut at MaxBytes.
    /// </summary>
    public sealed class ConsoleEntry
    {
        /// <summary>The limit for the message and for the stack trace.</summary>
        public const int MaxBytes = 4096;

        public readonly ConsoleType Type;
        public readonly string Message;
        /// <summary>Lines, innermost frame first; may be empty.</summary>
        public readonly string StackTrace;
        /// <summary>The source file if the compiler reported it, otherwise empty.</summary>
        public readonly string File;
        public readonly int Line;
        /// <summary>The assembly of a compiler message, otherwise empty.</summary>
        public readonly string Assembly;
        /// <summary>Ticks of DateTime, UTC.</summary>
        public readonly long Time;
        /// <summary>Counts up from 1; used in read_console's cursor.</summary>
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
