using System.Collections.Generic;

namespace Multiverse.Editor
{
    /// <summary>
    /// A queue between two threads. IsEmpty takes no lock, so every editor update can check it.
    /// Each entry has a weight, so that the sender can stop if the receiver does not read.
    /// </summary>
    public sealed class Mailbox<T>
    {
        struct Entry
        {
            public T Value;
            public int Weight;
        }

        readonly Queue<Entry> entries = new Queue<Entry>();
        volatile int count;
        volatile int weight;

        public bool IsEmpty { get { return count == 0; } }
        public int Count { get { return count; } }
        public int Weight { get { return weight; } }

        public void Put(T value, int valueWeight)
        {
            lock (entries)
            {
                entries.Enqueue(new Entry { Value = value, Weight = valueWeight });
                weight += valueWeight;
                count = entries.Count;
            }
        }

        public bool TryTake(out T value)
        {
            lock (entries)
            {
                bool any = entries.Count > 0;
                Entry first = any ? entries.Dequeue() : default(Entry);
                weight -= first.Weight;
                count = entries.Count;
                value = first.Value;
                return any;
            }
        }
    }
}
