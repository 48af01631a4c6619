using System;
using System.IO;
using System.Text;

namespace Multiverse.Editor
{
    /// <summary>
    /// The console on its way over a domain reload: a file that the old domain writes and the new one
    /// reads. A head (form, id of the console), then entries until it ends.
    /// What is read is checked: it ends at the first entry that is damaged or cut, and a file of another
    /// console is none at all. At most MaxBytes, the newest entries.
    /// </summary>
    public static class ConsoleFile
    {
        public const int MaxBytes = 8 << 20;
        const int Form = 0x3143564d; /* MVC1 */
        const byte EntryMark = 0xe5;
        /* What is not text: mark, type, time, serial, line, four lengths. */
        const int EntryBytes = 1 + 1 + 8 + 8 + 4 + 4 * 4;

        public static void Write(Stream to, string id, ConsoleEntry[] oldestFirst)
        {
            var w = new BinaryWriter(to, Encoding.UTF8);
            w.Write(Form);
            Write(w, id);
            for (int i = FirstThatFits(oldestFirst); i < oldestFirst.Length; i++)
                Write(w, oldestFirst[i]);
            w.Flush();
        }

        public static void Append(Stream to, ConsoleEntry entry)
        {
            var w = new BinaryWriter(to, Encoding.UTF8);
            Write(w, entry);
            w.Flush();
        }

        /// <summary>Puts what the file holds into a console that is empty yet. False: it is not the
        /// file of this console.</summary>
        public static bool Read(Stream from, ConsoleBuffer into)
        {
            if (from.Length > 2L * MaxBytes)
                return false;
            var r = new BinaryReader(from, Encoding.UTF8);
            try
            {
                if (r.ReadInt32() != Form || ReadText(r) != into.Id)
                    return false;
                long last = 0;
                ConsoleEntry e;
                while ((e = ReadEntry(r, last)) != null)
                {
                    into.Restore(e);
                    last = e.Serial;
                }
                return true;
            }
            catch (IOException) /* it ends in the middle of something, or cannot be read further */
            {
                return false;
            }
        }

        static int FirstThatFits(ConsoleEntry[] all)
        {
            long bytes = 0;
            int i = all.Length;
            while (i > 0 && (bytes += Size(all[i - 1])) <= MaxBytes)
                i--;
            return i;
        }

        static int Size(ConsoleEntry e)
        {
            return EntryBytes + Utf8.Count(e.Message) + Utf8.Count(e.StackTrace) + Utf8.Count(e.File) +
                   Utf8.Count(e.Assembly);
        }

        static void Write(BinaryWriter w, ConsoleEntry e)
        {
            w.Write(EntryMark);
            w.Write((byte)e.Type);
            w.Write(e.Time);
            w.Write(e.Serial);
            w.Write(e.Line);
            Write(w, e.Message);
            Write(w, e.StackTrace);
            Write(w, e.File);
            Write(w, e.Assembly);
        }

        static void Write(BinaryWriter w, string text)
        {
            byte[] bytes = Encoding.UTF8.GetBytes(text);
            w.Write(bytes.Length);
            w.Write(bytes);
        }

        /* null: there is none that is sound. */
        static ConsoleEntry ReadEntry(BinaryReader r, long last)
        {
            if (r.BaseStream.Length - r.BaseStream.Position < EntryBytes || r.ReadByte() != EntryMark)
                return null;
            byte type = r.ReadByte();
            long time = r.ReadInt64(), serial = r.ReadInt64();
            int line = r.ReadInt32();
            string message = ReadText(r), trace = ReadText(r), file = ReadText(r), assembly = ReadText(r);
            bool isSound = message != null && trace != null && file != null && assembly != null &&
                           type <= (byte)ConsoleType.Exception && serial > last && line >= 0 && time > 0 &&
                           time <= DateTime.MaxValue.Ticks;
            return isSound
                ? new ConsoleEntry((ConsoleType)type, message, trace, file, line, assembly, time) { Serial = serial }
                : null;
        }

        /* null: a length that cannot be. */
        static string ReadText(BinaryReader r)
        {
            if (r.BaseStream.Length - r.BaseStream.Position < 4)
                return null;
            int n = r.ReadInt32();
            if (n < 0 || n > 2 * ConsoleEntry.MaxBytes || n > r.BaseStream.Length - r.BaseStream.Position)
                return null;
            return Encoding.UTF8.GetString(r.ReadBytes(n));
        }
    }
}
