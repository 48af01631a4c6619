using System;
using System.IO;

namespace Multiverse.Editor
{
    /// <summary>Where a <see cref="Wire"/> connects and as whom. Immutable once it is used.</summary>
    public sealed class WireOptions
    {
        const int mostTokenBytes = 4096;

        public int Port = 48091;
        /// <summary>File with the server's token in its first line, or "" for none.</summary>
        public string TokenFile = "";
        public EditorIdentity Editor;
        /// <summary>Called on the thread of the wire when the main thread has something to take.</summary>
        public Action Wake = Nothing;
        public int Seed;

        /// <summary>null: there is none. Read for each connection, so a new one counts at once.</summary>
        public string ReadToken()
        {
            if (string.IsNullOrEmpty(TokenFile))
                return null;
            try
            {
                if (new FileInfo(TokenFile).Length > mostTokenBytes)
                    return null;
                using (var reader = new StreamReader(TokenFile))
                    return (reader.ReadLine() ?? "").Trim();
            }
            catch (Exception)
            {
                return null; /* the server says that it needs one */
            }
        }

        static void Nothing() { }
    }
}
