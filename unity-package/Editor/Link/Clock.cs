using System.Diagnostics;

namespace Multiverse.Editor
{
    /// <summary>
    /// Milliseconds that only go forward: for waits and deadlines, on every thread, and the same
    /// before and after a domain reload.
    /// </summary>
    public static class Clock
    {
        static readonly double perTick = 1000.0 / Stopwatch.Frequency;

        public static long NowMs { get { return (long)(Stopwatch.GetTimestamp() * perTick); } }
    }
}
