namespace Standin
{
    /// <summary>
    /// What is written of an object that was read: its fields as they are now, in the order the file had,
    /// and keys of the file that its class does not have here. Unity would drop those, but it knows all
    /// of its classes; the tables do not.
    /// </summary>
    internal static class DataMerge
    {
        /// <summary>A new tree; now decides wherever both have a key.</summary>
        public static DataNode Merge(DataNode read, DataNode now)
        {
            if (read == null || read.Kind != DataKind.Map || now.Kind != DataKind.Map || now.IsFlow)
                return now;
            DataNode merged = DataNode.Map();
            int at = 0;
            for (int i = 0; i < read.Count; i++)
            {
                string key = read.Keys[i];
                int place = now.IndexOf(key);
                if (place < 0)
                {
                    if (!IsObsolete(key))
                        merged.Add(key, read[i]);
                    continue;
                }
                for (; at < place; at++)
                    if (read.IndexOf(now.Keys[at]) < 0 && merged.IndexOf(now.Keys[at]) < 0)
                        merged.Add(now.Keys[at], now[at]);
                if (merged.IndexOf(key) < 0)
                    merged.Add(key, Merge(read[i], now[place]));
            }
            for (int i = 0; i < now.Count; i++)
                if (merged.IndexOf(now.Keys[i]) < 0)
                    merged.Add(now.Keys[i], now[i]);
            return merged;
        }

        /* Link keys of editors before 2018.3, which have new names. */
        static bool IsObsolete(string key) { return key == "m_PrefabParentObject" || key == "m_PrefabInternal"; }
    }
}
