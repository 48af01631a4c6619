using System;

namespace Multiverse.Editor
{
    /// <summary>
    /// The last 5,000 console entries, as a ring buffer; any thread may add entries. Serials keep
    /// increasing when old entries are dropped.
    /// <code>
    ///     var console = new ConsoleBuffer("5fd3a1b2", 0);
    ///     console.Add(new ConsoleEntry(ConsoleType.Warning, "a script is missing", ""));
    ///     foreach (ConsoleEntry e in console.Snapshot()) ...      // oldest first
    /// </code>
    /// </summary>
    public sealed class ConsoleBuffer
    {
        public const int Capacity = 5000;

        readonly object gate = new object();
        readonly ConsoleEntry[] ring = new ConsoleEntry[Capacity];
        int first, count;
        long serial;
        Action<ConsoleEntry> observer;

        /// <summary>A cursor with another id belongs to another console.</summary>
        public readonly string Id;

        /// <param name="serial">of the newest entry so far; 0: there was none.</param>
        public ConsoleBuffer(string id, long serial)
        {
            Id = id;
            this.serial = serial;
        }

        /// <summary>The serial of the newest entry so far.</summary>
        public long Serial { get { lock (gate) return serial; } }

        public void Add(ConsoleEntry entry)
        {
            lock (gate)
            {
                entry.Serial = ++serial;
                InsertEntry(entry);
                if (observer != null)
                    observer(entry);
            }
        }

        /// <summary>Add an entry from before a domain reload, with its serial; call in their
        /// order.</summary>
        internal void Restore(ConsoleEntry entry)
        {
            lock (gate)
            {
                serial = Math.Max(serial, entry.Serial);
                InsertEntry(entry);
            }
        }

        void InsertEntry(ConsoleEntry entry)
        {
            ring[(first + count) % Capacity] = entry;
            if (count < Capacity)
                count++;
            else
                first = (first + 1) % Capacity;
        }

        /// <summary>Return all entries, oldest first.</summary>
        public ConsoleEntry[] Snapshot()
        {
            lock (gate)
                return CopyEntries();
        }

        /// <summary>Like Snapshot, with the serial of the newest entry at that moment.</summary>
        public ConsoleEntry[] Snapshot(out long newest)
        {
            lock (gate)
            {
                newest = serial;
                return CopyEntries();
            }
        }

        /// <summary>Pass all entries, oldest first, to one action and each later entry to another,
        /// without a gap. Both are called inside the lock.</summary>
        internal void Handover(Action<ConsoleEntry[]> all, Action<ConsoleEntry> later)
        {
            lock (gate)
            {
                observer = null;
                all(CopyEntries());
                observer = later;
            }
        }

        ConsoleEntry[] CopyEntries()
        {
            var all = new ConsoleEntry[count];
            for (int i = 0; i < count; i++)
                all[i] = ring[(first + i) % Capacity];
            return all;
        }

        /// <summary>Drop outdated entries, for example those of an assembly that was
        /// recompiled.</summary>
        public void Drop(Predicate<ConsoleEntry> isOld)
        {
            lock (gate)
            {
                ConsoleEntry[] all = CopyEntries();
                first = count = 0;
                Array.Clear(ring, 0, Capacity);
                foreach (ConsoleEntry e in all)
                    if (!isOld(e))
                        InsertEntry(e);
            }
        }
    }
}
