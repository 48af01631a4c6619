using System;
using System.Runtime.InteropServices;

namespace Standin.Host
{
    /// <summary>System calls that .NET lacks: waiting for input with a timeout, and ending with the
    /// parent process.</summary>
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

        /// <summary>The thread's CPU time in nanoseconds; 0 if not supported.</summary>
        public static long ThreadCpuNanoseconds()
        {
            TimeSpec time;
            return clock_gettime(threadCpuClock, out time) == 0 ? time.Seconds * 1000000000 + time.Nanoseconds : 0;
        }

        /// <summary>End with the script that started this process, because nobody would start the
        /// next domain.</summary>
        public static void DieWithParent()
        {
            try
            {
                prctl(setParentDeathSignal, sigKill, 0, 0, 0);
            }
            catch (EntryPointNotFoundException)
            {
                /* Linux only; elsewhere the end of standard input has to suffice. */
            }
        }
    }
}
