using System;
using System.Diagnostics;

namespace Standin
{
    /// <summary>
    /// How long each update took and what it allocated on the main thread: the last
    /// <see cref="Capacity"/> ones, and sums since <see cref="Clear"/>. Adding costs nothing.
    /// </summary>
    internal static class UpdateLog
    {
        public const int Capacity = 4096;

        static readonly long[] ticks = new long[Capacity];
        static readonly long[] bytes = new long[Capacity];

        /// <summary>Updates since the start of this domain.</summary>
        public static long Count { get; private set; }
        public static long SummedUpdates { get; private set; }
        public static long SummedBytes { get; private set; }
        public static long MostBytes { get; private set; }
        /// <summary>Updates that allocated anything.</summary>
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

        /// <summary>How many of the last updates are there to ask for.</summary>
        public static int Kept { get { return Count < Capacity ? (int)Count : Capacity; } }

        /// <summary>0 is the last one.</summary>
        public static double Milliseconds(int back) { return ToMilliseconds(ticks[Place(back)]); }
        public static long Bytes(int back) { return bytes[Place(back)]; }

        static double ToMilliseconds(long duration) { return duration * 1000.0 / Stopwatch.Frequency; }
        static int Place(int back) { return (int)((Count - 1 - back) % Capacity); }
    }
}
