using System.Diagnostics;

namespace Multiverse.Editor
{
    /// <summary>
    /// A monotonic clock in milliseconds for waits and deadlines. It is valid on every thread and
    /// continues across a domain reload.
    /// </summary>
    public static class Clock
    {
        static readonly double perTick = 1000.0 / Stopwatch.Frequency;

        public static long NowMs { get { return (long)(Stopwatch.GetTimestamp() * perTick); } }
    }
}
