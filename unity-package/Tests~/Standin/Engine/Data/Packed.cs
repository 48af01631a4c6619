using System.Collections.Generic;
using System.Globalization;

namespace Standin
{
    /// <summary>Arrays of integers that the file stores as one hexadecimal text, lowest byte
    /// first.</summary>
    internal static class Packed
    {
        public static List<DataNode> Split(string text, int bytes)
        {
            var items = new List<DataNode>();
            if (bytes == 0)
                return items;
            for (int at = 0; at + 2 * bytes <= text.Length; at += 2 * bytes)
            {
                ulong value = 0;
                for (int i = bytes - 1; i >= 0; i--)
                {
                    byte part;
                    byte.TryParse(text.Substring(at + 2 * i, 2), NumberStyles.AllowHexSpecifier,
                                  CultureInfo.InvariantCulture, out part);
                    value = value << 8 | part;
                }
                int shift = 64 - 8 * bytes;
                items.Add(DataNode.Scalar(Scalars.From(unchecked((long)value << shift >> shift))));
            }
            return items;
        }

        /// <summary>Return the text of a packed list.</summary>
        public static string Join(DataNode list)
        {
            var text = new System.Text.StringBuilder(list.Count * list.PackedBytes * 2);
            foreach (DataNode item in list.Items)
            {
                ulong value = unchecked((ulong)Scalars.ToLong(item.Text));
                for (int i = 0; i < list.PackedBytes; i++, value >>= 8)
                    text.Append(((byte)value).ToString("x2", CultureInfo.InvariantCulture));
            }
            return text.ToString();
        }
    }
}
