using System;
using System.Collections.Generic;

namespace Multiverse.Editor
{
    /// <summary>
    /// The last answers by request id. A server that lost the connection asks for them again; an
    /// answer already sent over the current connection is not resent.
    /// </summary>
    public sealed class Answers
    {
        public const int Most = 64;
        const int mostChars = 16 << 20, mostSavedChars = 4 << 20;

        sealed class Entry
        {
            public string RequestId;
            public WireText Text;
            public int SentOn;
        }

        readonly LinkedList<Entry> entries = new LinkedList<Entry>(); /* the oldest first */
        long chars;

        public void Put(string requestId, WireText text, int sentOn)
        {
            entries.AddLast(new Entry { RequestId = requestId, Text = text, SentOn = sentOn });
            chars += text.Length;
            while (entries.Count > Most || (chars > mostChars && entries.Count > 1))
            {
                chars -= entries.First.Value.Text.Length;
                entries.RemoveFirst();
            }
        }

        public bool Has(string requestId) { return Find(requestId) != null; }

        /// <summary>Return the answer and mark it as sent over this connection, or null if it was
        /// sent there already.</summary>
        public WireText TakeForResend(string requestId, int epoch)
        {
            Entry entry = Find(requestId);
            if (entry == null || entry.SentOn == epoch)
                return null;
            entry.SentOn = epoch;
            return entry.Text;
        }

        /// <summary>Write the newest answers as an array for the next domain: as many as fit, the
        /// last one always. Each is encoded for a server that accepts mostBytes.</summary>
        public void Write(JsonWriter w, int mostBytes)
        {
            long room = mostSavedChars;
            LinkedListNode<Entry> first = entries.Last;
            for (LinkedListNode<Entry> at = first; at != null; at = at.Previous)
            {
                room -= at.Value.Text.Length;
                if (room < 0 && at != entries.Last)
                    break;
                first = at;
            }
            w.BeginArray();
            for (; first != null; first = first.Next)
            {
                w.BeginObject();
                w.Member("id", first.Value.RequestId);
                w.Member("text", first.Value.Text.ToText(mostBytes));
                w.EndObject();
            }
            w.EndArray();
        }

        public void Read(JsonValue saved)
        {
            foreach (JsonValue item in saved.Items)
                Put(item.GetString("id", ""), new WireText(item.GetString("text", "")), 0);
        }

        Entry Find(string requestId)
        {
            for (LinkedListNode<Entry> at = entries.Last; at != null; at = at.Previous)
                if (string.Equals(at.Value.RequestId, requestId, StringComparison.Ordinal))
                    return at.Value;
            return null;
        }
    }
}
