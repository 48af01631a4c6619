using System;

namespace Standin
{
    /// <summary>Sorts keys of curves and gradients by time; the sort is stable.</summary>
    internal static class Sorting
    {
        public static void ByTime<T>(T[] keys, Func<T, float> time)
        {
            for (int i = 1; i < keys.Length; i++)
            {
                T key = keys[i];
                int at = i;
                for (; at > 0 && time(keys[at - 1]) > time(key); at--)
                    keys[at] = keys[at - 1];
                keys[at] = key;
            }
        }
    }
}
