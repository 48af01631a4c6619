using System;
using System.Runtime.InteropServices;

namespace Standin.Host
{
    /// <summary>What .NET has no word for: waiting for input with a time limit, and dying with a parent.</summary>
    static class Native
    {
        public const short PollIn = 1;
        const int setParentDeathSignal = 1;
        const int sigKill = 9;
        const int threadCpuClock = 3;

        [StructLayout(LayoutKind.Sequential)]
        public struct PollFd
        {
            public int Fd;
            public short Events;
            public short Revents;
        }

        [StructLayout(LayoutKind.Sequential)]
        struct TimeSpec
        {
            public long Seconds;
            public long Nanoseconds;
        }

        [DllImport("libc", SetLastError = true)]
        public static extern int poll([In, Out] PollFd[] fds, ulong count, int timeout);
        [DllImport("libc", SetLastError = true)]
        public static extern IntPtr read(int fd, byte[] buffer, IntPtr count);
        [DllImport("libc", SetLastError = true)]
        public static extern IntPtr write(int fd, byte[] buffer, IntPtr count);
        [DllImport("libc", SetLastError = true)]
        public static extern int pipe(int[] fds);
        [DllImport("libc", SetLastError = true)]
        static extern int prctl(int option, ulong a, ulong b, ulong c, ulong d);
        [DllImport("libc")]
        static extern int clock_gettime(int clock, out TimeSpec time);

        /// <summary>CPU time of this thread in nanoseconds; 0 where the system does not tell.</summary>
        public static long ThreadCpuNanoseconds()
        {
            TimeSpec time;
            return clock_gettime(threadCpuClock, out time) == 0 ? time.Seconds * 1000000000 + time.Nanoseconds : 0;
        }

        /// <summary>Nobody is left who would start the next domain: end with the script that started us.</summary>
        public static void DieWithParent()
        {
            try
            {
                prctl(setParentDeathSignal, sigKill, 0, 0, 0);
            }
            catch (EntryPointNotFoundException)
            {
                /* Only Linux has it; elsewhere the end of standard input has to do. */
            }
        }
    }
}
