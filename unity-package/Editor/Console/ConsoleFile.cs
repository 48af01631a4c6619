using System;
using System.IO;
using System.Text;

namespace Multiverse.Editor
{
    /// <summary>
    /// The console's file for a domain reload: written by the old domain, read by the new one. A
    /// head (format, console id), then entries. Reading stops at the first damaged or truncated
    /// entry; a file of another console is ignored. It holds the newest entries, at most MaxBytes.
    /// </summary>
    public static class ConsoleFile
    {
        public const int MaxBytes = 8 << 20;
        const int Form = 0x3143564d; /* MVC1 */
        const byte EntryMark = 0xe5;
        /* The bytes of an entry without texts: mark, type, time, serial, line, four lengths. */
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

        /// <summary>Read the file's entries into an empty console. Return false if the file belongs
        /// to another console.</summary>
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
            catch (IOException) /* truncated or unreadable */
            {
                return false;
            }
        }

        static int FirstThatFits(ConsoleEntry[] all)
        {
            long bytes = 0;
            int i = all.Length;
            while (i > 0 && (bytes += CountBytes(all[i - 1])) <= MaxBytes)
                i--;
            return i;
        }

        static int CountBytes(ConsoleEntry e)
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

        /* Return the next entry, or null if it is missing or damaged. */
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

        /* Return the text, or null for an impossible length. */
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
