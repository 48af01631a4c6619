namespace Standin
{
    /// <summary>
    /// What is written of an object that was read: its fields as they are now, in the order of its class,
    /// and keys of the file that its class does not have here, each behind the key that it stood behind.
    /// Unity would drop those, but it knows all of its classes; the tables do not.
    /// </summary>
    internal static class DataMerge
    {
        /// <summary>A new tree; now decides wherever both have a key.</summary>
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

        /* Link keys of editors before 2018.3, which have new names. */
        static bool IsObsolete(string key) { return key == "m_PrefabParentObject" || key == "m_PrefabInternal"; }
    }
}
