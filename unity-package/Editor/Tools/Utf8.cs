using System.Text;

namespace Multiverse.Editor
{
    /// <summary>Text limits are counted in UTF-8 bytes, because those are sent over the wire.</summary>
    public static class Utf8
    {
        public static int Count(string text) { return Encoding.UTF8.GetByteCount(text); }

        /// <summary>Return the longest beginning of a text with at most maxBytes that does not split
        /// a character. A text that fits is returned itself, without allocation.</summary>
        public static string Head(string text, int maxBytes)
        {
            if (text.Length <= maxBytes / 3)
                return text;
            int bytes = 0, i = 0;
            while (i < text.Length)
            {
                bool pair = i + 1 < text.Length && char.IsSurrogatePair(text[i], text[i + 1]);
                bytes += text[i] < 0x80 ? 1 : text[i] < 0x800 ? 2 : pair ? 4 : 3;
                if (bytes > maxBytes)
                    return text.Substring(0, i);
                i += pair ? 2 : 1;
            }
            return text;
        }
    }
}
