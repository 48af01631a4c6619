namespace Standin
{
    /// <summary>
    /// The written form of an object that was read: its current fields in class order, and keys of
    /// the file that its class does not have, each after the key it followed. Unity would drop
    /// those, but it knows all classes and the tables do not.
    /// </summary>
    internal static class DataMerge
    {
        /// <summary>Return a new tree; the value of now wins for common keys.</summary>
        public static DataNode Merge(DataNode read, DataNode now)
        {
            if (read == null || read.Kind != DataKind.Map || now.Kind != DataKind.Map || now.IsFlow)
                return now;
            DataNode merged = DataNode.Map();
            for (int i = 0; i < now.Count; i++)
                merged.Add(now.Keys[i], Merge(read.Get(now.Keys[i]), now[i]));
            for (int i = 0; i < read.Count; i++)
                if (merged.IndexOf(read.Keys[i]) < 0 && !IsObsolete(read.Keys[i]))
                {
                    int behind = i == 0 ? -1 : merged.IndexOf(read.Keys[i - 1]);
                    merged.Keys.Insert(behind + 1, read.Keys[i]);
                    merged.Items.Insert(behind + 1, read[i]);
                }
            return merged;
        }

        /* Link keys that were renamed in 2018.3. */
        static bool IsObsolete(string key) { return key == "m_PrefabParentObject" || key == "m_PrefabInternal"; }
    }
}
