using System;
using System.Globalization;

namespace Standin
{
    /// <summary>Finds property paths of m_Modifications in data: "m_Materials.Array.data[0]".</summary>
    internal static class DataPaths
    {
        /// <summary>Return null if the path does not exist. Array.size is a number.</summary>
        public static DataNode Find(DataNode node, string path)
        {
            while (node != null && path.Length > 0)
            {
                if (!path.StartsWith("Array.", StringComparison.Ordinal))
                {
                    node = Key(node, ref path);
                    continue;
                }
                if (node.Kind != DataKind.List)
                    return null;
                if (path == "Array.size")
                    return DataNode.Scalar(Scalars.From((long)node.Count));
                node = Element(node, ref path);
            }
            return node;
        }

        static DataNode Element(DataNode list, ref string path)
        {
            const string start = "Array.data[";
            int close = path.IndexOf(']');
            int index;
            if (!path.StartsWith(start, StringComparison.Ordinal) || close < 0 || !int.TryParse(
                path.Substring(start.Length, close - start.Length), NumberStyles.None, CultureInfo.InvariantCulture,
                out index) || index >= list.Count)
                return null;
            path = path.Substring(Math.Min(path.Length, close + 2));
            return list[index];
        }

        /* A key may contain dots. */
        static DataNode Key(DataNode map, ref string path)
        {
            for (int dot = path.IndexOf('.'); ; dot = path.IndexOf('.', dot + 1))
            {
                DataNode found = map.Get(dot < 0 ? path : path.Substring(0, dot));
                if (found != null)
                {
                    path = dot < 0 ? "" : path.Substring(dot + 1);
                    return found;
                }
                if (dot < 0)
                    return null;
            }
        }

        /// <summary>The value in an override; empty if it is not text.</summary>
        public static string TextOf(DataNode node)
        {
            return node.Kind == DataKind.Scalar ? node.Text
                : node.Kind == DataKind.Managed ? Scalars.From(node.Rid) : "";
        }
    }
}
