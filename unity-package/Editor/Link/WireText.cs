using System;
using System.Text;

namespace Multiverse.Editor
{
    /// <summary>
    /// A message on its way: made on the main thread without a copy of its body, put together and
    /// encoded on the thread of the wire. If it turns out to be larger than the server takes, another
    /// message takes its place. Nobody may write to the body any more.
    /// </summary>
    public sealed class WireText
    {
        const int pieceChars = 8192;

        readonly string head, tail;
        readonly JsonWriter body; /* null: all of it is in the head */
        readonly Func<int, int, string> instead;

        /// <summary>A small one.</summary>
        public WireText(string whole) : this(whole, null, "", null) { }

        /// <summary>instead: makes the message that is sent if this one has so many bytes (the first number)
        /// and the server takes so many (the second).</summary>
        public WireText(string head, JsonWriter body, string tail, Func<int, int, string> instead)
        {
            this.head = head;
            this.body = body;
            this.tail = tail;
            this.instead = instead;
        }

        /// <summary>In characters.</summary>
        public int Length { get { return head.Length + tail.Length + (body == null ? 0 : body.Length); } }

        /// <summary>Into the buffer, or a larger one that takes its place; answers the number of bytes. A
        /// message that is too large and has no other for it is encoded all the same.</summary>
        public int Encode(ref byte[] buffer, int mostBytes)
        {
            int count = instead != null && Length > mostBytes ? CountBytes() : EncodeAll(ref buffer);
            if (instead == null || count <= mostBytes)
                return count;
            return new WireText(instead(count, mostBytes)).EncodeAll(ref buffer);
        }

        /// <summary>As Encode, as a text.</summary>
        public string ToText(int mostBytes)
        {
            if (instead != null && Length > mostBytes / 3)
            {
                int count = CountBytes();
                if (count > mostBytes)
                    return instead(count, mostBytes);
            }
            return body == null ? head + tail : head + body + tail;
        }

        int EncodeAll(ref byte[] buffer)
        {
            Encoder encoder = Encoding.UTF8.GetEncoder(); /* a character may lie in two pieces */
            var piece = new char[Math.Min(pieceChars, Math.Max(1, Length))];
            int count = 0;
            for (int at = 0, n; (n = Copy(at, piece)) > 0; at += n)
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
            for (int at = 0, n; (n = Copy(at, piece)) > 0; at += n)
                count += encoder.GetBytes(piece, 0, n, bytes, 0, at + n == Length);
            return count;
        }

        /* The next characters from a place on; 0: there are none. */
        int Copy(int at, char[] to)
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
