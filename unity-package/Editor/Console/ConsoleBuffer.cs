using System;

namespace Multiverse.Editor
{
    /// <summary>
    /// The last 5,000 entries of the console; any thread may add.
    /// <code>
    ///     var console = new ConsoleBuffer("5fd3a1b2", 0);
    ///     console.Add(new ConsoleEntry(ConsoleType.Warning, "a script is missing", ""));
    ///     foreach (ConsoleEntry e in console.Snapshot()) ...      // oldest first
    /// </code>
    /// A ring: the oldest entry goes when the 5,001st comes. Serials count on, whatever goes.
    /// </summary>
    public sealed class ConsoleBuffer
    {
        public const int Capacity = 5000;

        readonly object gate = new object();
        readonly ConsoleEntry[] ring = new ConsoleEntry[Capacity];
        int first, count;
        long serial;
        Action<ConsoleEntry> witness;

        /// <summary>Serials of a console with another id mean nothing here.</summary>
        public readonly string Id;

        /// <param name="serial">of the newest entry so far; 0: there was none.</param>
        public ConsoleBuffer(string id, long serial)
        {
            Id = id;
            this.serial = serial;
        }

        /// <summary>Of the newest entry so far.</summary>
        public long Serial { get { lock (gate) return serial; } }

        public void Add(ConsoleEntry entry)
        {
            lock (gate)
            {
                entry.Serial = ++serial;
                Put(entry);
                if (witness != null)
                    witness(entry);
            }
        }

        /// <summary>An entry that has its serial, from before a domain reload; in their order.</summary>
        internal void Restore(ConsoleEntry entry)
        {
            lock (gate)
            {
                serial = Math.Max(serial, entry.Serial);
                Put(entry);
            }
        }

        void Put(ConsoleEntry entry)
        {
            ring[(first + count) % Capacity] = entry;
            if (count < Capacity)
                count++;
            else
                first = (first + 1) % Capacity;
        }

        /// <summary>Oldest first.</summary>
        public ConsoleEntry[] Snapshot()
        {
            lock (gate)
                return Copy();
        }

        /// <summary>The same, with the serial of the newest at that moment.</summary>
        public ConsoleEntry[] Snapshot(out long newest)
        {
            lock (gate)
            {
                newest = serial;
                return Copy();
            }
        }

        /// <summary>Hands all entries to one, oldest first, and each later one to another; nothing falls
        /// between the two. Both are called inside the lock.</summary>
        internal void Handover(Action<ConsoleEntry[]> all, Action<ConsoleEntry> later)
        {
            lock (gate)
            {
                witness = null;
                all(Copy());
                witness = later;
            }
        }

        ConsoleEntry[] Copy()
        {
            var all = new ConsoleEntry[count];
            for (int i = 0; i < count; i++)
                all[i] = ring[(first + i) % Capacity];
            return all;
        }

        /// <summary>Drops the entries that are out of date, for example those of an assembly that was
        /// compiled again.</summary>
        public void Drop(Predicate<ConsoleEntry> isOld)
        {
            lock (gate)
            {
                ConsoleEntry[] all = Copy();
                first = count = 0;
                Array.Clear(ring, 0, Capacity);
                foreach (ConsoleEntry e in all)
                    if (!isOld(e))
                        Put(e);
            }
        }
    }
}
