using System.Text;

namespace Multiverse.Editor
{
    /// <summary>Bounds of texts are counted in bytes of UTF-8: that is what goes over the wire.</summary>
    public static class Utf8
    {
        public static int Count(string text) { return Encoding.UTF8.GetByteCount(text); }

        /// <summary>The beginning of a text with at most so many bytes, cut between characters. The text
        /// itself if it fits: nothing is allocated then.</summary>
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
