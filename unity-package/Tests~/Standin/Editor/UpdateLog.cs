using System;
using System.Diagnostics;

namespace Standin
{
    /// <summary>
    /// The duration of each update and its allocations on the main thread: the last <see
    /// cref="Capacity"/> updates, and sums since <see cref="Clear"/>. Adding does not allocate.
    /// </summary>
    internal static class UpdateLog
    {
        public const int Capacity = 4096;

        static readonly long[] ticks = new long[Capacity];
        static readonly long[] bytes = new long[Capacity];

        /// <summary>The number of updates in this domain.</summary>
        public static long Count { get; private set; }
        public static long SummedUpdates { get; private set; }
        public static long SummedBytes { get; private set; }
        public static long MostBytes { get; private set; }
        /// <summary>The number of updates that allocated.</summary>
        public static long Allocating { get; private set; }
        static long longestTicks;
        static long longestCpu;

        public static double LongestMilliseconds { get { return ToMilliseconds(longestTicks); } }
        public static double LongestCpuMilliseconds { get { return longestCpu / 1e6; } }

        public static void Add(long duration, long cpuNanoseconds, long allocated)
        {
            int at = (int)(Count++ % Capacity);
            ticks[at] = duration;
            bytes[at] = allocated;
            SummedUpdates++;
            SummedBytes += allocated;
            if (allocated > 0)
                Allocating++;
            MostBytes = Math.Max(MostBytes, allocated);
            longestTicks = Math.Max(longestTicks, duration);
            longestCpu = Math.Max(longestCpu, cpuNanoseconds);
        }

        public static void Clear()
        {
            SummedUpdates = SummedBytes = MostBytes = Allocating = 0;
            longestTicks = longestCpu = 0;
        }

        /// <summary>The number of updates that are kept.</summary>
        public static int Kept { get { return Count < Capacity ? (int)Count : Capacity; } }

        /// <summary>back: 0 is the last update.</summary>
        public static double Milliseconds(int back) { return ToMilliseconds(ticks[Place(back)]); }
        public static long Bytes(int back) { return bytes[Place(back)]; }

        static double ToMilliseconds(long duration) { return duration * 1000.0 / Stopwatch.Frequency; }
        static int Place(int back) { return (int)((Count - 1 - back) % Capacity); }
    }
}
