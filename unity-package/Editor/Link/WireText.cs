using System;
using System.Text;

namespace Multiverse.Editor
{
    /// <summary>
    /// A message to send. The main thread creates it without copying the body; the wire's thread
    /// joins and encodes it. If it is larger than the server accepts, a replacement is sent. Nobody
    /// may write to the body any more.
    /// </summary>
    public sealed class WireText
    {
        const int pieceChars = 8192;

        readonly string head, tail;
        readonly JsonWriter body; /* null: the head is the whole message */
        readonly Func<int, int, string> replacement;

        /// <summary>A short message.</summary>
        public WireText(string whole) : this(whole, null, "", null) { }

        /// <summary>replacement builds the message to send replacement; its arguments are the size in
        /// bytes and the server's limit.</summary>
        public WireText(string head, JsonWriter body, string tail, Func<int, int, string> replacement)
        {
            this.head = head;
            this.body = body;
            this.tail = tail;
            this.replacement = replacement;
        }

        /// <summary>The length in characters.</summary>
        public int Length { get { return head.Length + tail.Length + (body == null ? 0 : body.Length); } }

        /// <summary>Encode into the buffer, growing it as needed, and return the number of bytes. A
        /// message that is too large and has no replacement is encoded as it is.</summary>
        public int Encode(ref byte[] buffer, int mostBytes)
        {
            int count = replacement != null && Length > mostBytes ? CountBytes() : EncodeAll(ref buffer);
            if (replacement == null || count <= mostBytes)
                return count;
            return new WireText(replacement(count, mostBytes)).EncodeAll(ref buffer);
        }

        /// <summary>Like Encode, but return a string.</summary>
        public string ToText(int mostBytes)
        {
            if (replacement != null && Length > mostBytes / 3)
            {
                int count = CountBytes();
                if (count > mostBytes)
                    return replacement(count, mostBytes);
            }
            return body == null ? head + tail : head + body + tail;
        }

        int EncodeAll(ref byte[] buffer)
        {
            /* an Encoder, because a surrogate pair may be split between two pieces */
            Encoder encoder = Encoding.UTF8.GetEncoder();
            var piece = new char[Math.Min(pieceChars, Math.Max(1, Length))];
            int count = 0;
            for (int at = 0, n; (n = CopyChars(at, piece)) > 0; at += n)
            {
                int most = Encoding.UTF8.GetMaxByteCount(n);
                if (count + most > buffer.Length)
                    Array.Resize(ref buffer, Math.Max(buffer.Length * 2, count + most));
                count += encoder.GetBytes(piece, 0, n, buffer, count, at + n == Length);
            }
            return count;
        }

        int CountBytes()
        {
            Encoder encoder = Encoding.UTF8.GetEncoder();
            var piece = new char[pieceChars];
            var bytes = new byte[Encoding.UTF8.GetMaxByteCount(pieceChars)];
            int count = 0;
            for (int at = 0, n; (n = CopyChars(at, piece)) > 0; at += n)
                count += encoder.GetBytes(piece, 0, n, bytes, 0, at + n == Length);
            return count;
        }

        /* Copy the next characters from a position; 0: the end. */
        int CopyChars(int at, char[] to)
        {
            int bodyLength = body == null ? 0 : body.Length;
            if (at < head.Length)
                return CopyText(head, at, to);
            at -= head.Length;
            if (at >= bodyLength)
                return CopyText(tail, at - bodyLength, to);
            int n = Math.Min(to.Length, bodyLength - at);
            body.CopyTo(at, to, n);
            return n;
        }

        static int CopyText(string text, int at, char[] to)
        {
            int n = Math.Min(to.Length, text.Length - at);
            text.CopyTo(at, to, 0, n);
            return n;
        }
    }
}
