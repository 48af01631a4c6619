using System;
using System.Collections.Generic;
using System.Text;

namespace Standin.Host
{
    /// <summary>
    /// Reads standard input line by line on the main thread, never a byte beyond the requested
    /// line: the following lines stay in the pipe for the process after a domain reload. The loop
    /// also waits for its next update here.
    /// </summary>
    sealed class Input
    {
        const int maxLine = 1 << 20;

        readonly byte[] one = new byte[1];
        readonly List<byte> line = new List<byte>();
        readonly Native.PollFd[] fds = new Native.PollFd[2];
        readonly int wakeFd;

        public bool IsOver { get; private set; }

        public Input()
        {
            var ends = new int[2];
            if (Native.pipe(ends) != 0)
                throw new InvalidOperationException("no pipe");
            wakeFd = ends[1];
            fds[0] = new Native.PollFd { Fd = 0, Events = Native.PollIn };
            fds[1] = new Native.PollFd { Fd = ends[0], Events = Native.PollIn };
        }

        /// <summary>The part of an incomplete line that was read, for the next process.</summary>
        public string Partial
        {
            get { return Encoding.UTF8.GetString(line.ToArray()); }
            set
            {
                line.Clear();
                line.AddRange(Encoding.UTF8.GetBytes(value));
            }
        }

        /// <summary>Do not read standard input, in batch mode.</summary>
        public void Ignore() { fds[0].Fd = -1; }

        /// <summary>End a wait. Callable on any thread.</summary>
        public void Wake()
        {
            var signal = new byte[] { 1 };
            Native.write(wakeFd, signal, (IntPtr)1);
        }

        /// <summary>Wait for input (if forInput), a wake-up, or the timeout.</summary>
        public void Wait(int milliseconds, bool forInput)
        {
            int fd = fds[0].Fd;
            if (!forInput)
                fds[0].Fd = -1;
            if (Native.poll(fds, 2, Math.Max(0, milliseconds)) > 0 && (fds[1].Revents & Native.PollIn) != 0)
                Drain();
            fds[0].Fd = fd;
        }

        void Drain()
        {
            var sink = new byte[256];
            Native.read(fds[1].Fd, sink, (IntPtr)sink.Length);
        }

        /// <summary>Return the next line if it is available, otherwise null.</summary>
        public string TryLine()
        {
            while (!IsOver && fds[0].Fd >= 0 && IsReadable())
            {
                long n = (long)Native.read(0, one, (IntPtr)1);
                if (n <= 0)
                {
                    IsOver = true;
                    break;
                }
                if (one[0] == (byte)'\n')
                    return TakeLine();
                if (line.Count < maxLine)
                    line.Add(one[0]);
            }
            return null;
        }

        bool IsReadable()
        {
            return Native.poll(fds, 2, 0) > 0 && fds[0].Revents != 0;
        }

        string TakeLine()
        {
            string text = Partial;
            line.Clear();
            return text;
        }
    }
}
