using System;
using System.IO;

namespace Multiverse.Editor
{
    /// <summary>Where a <see cref="Wire"/> connects and as whom. Immutable once it is used.</summary>
    public sealed class WireOptions
    {
        const int mostTokenBytes = 4096;

        public int Port = 48091;
        /// <summary>File with the server's token in its first line, from the project's folder if it is
        /// no whole path, or "" for none.</summary>
        public string TokenFile = "";
        public EditorIdentity Editor;
        /// <summary>Called on the thread of the wire when the main thread has something to take.</summary>
        public Action Wake = Nothing;
        public int Seed;

        /// <summary>null: there is none, and the problem says why if a file was set. Read for each
        /// connection, so a new one counts at once.</summary>
        public string ReadToken(out string problem)
        {
            problem = null;
            string file = (TokenFile ?? "").Trim().Trim('"'); /* as Windows copies a path */
            if (file.Length == 0)
                return null;
            string token;
            try
            {
                token = FirstLine(Path.Combine(Editor.ProjectPath, file));
            }
            catch (Exception e)
            {
                problem = "the token file cannot be read: " + e.Message;
                return null;
            }
            if (IsToken(token))
                return token;
            problem = "the first line of " + file + " is no token";
            return null;
        }

        static string FirstLine(string file)
        {
            var buffer = new char[mostTokenBytes];
            using (var reader = new StreamReader(file))
            {
                int length = reader.ReadBlock(buffer, 0, buffer.Length);
                string[] lines = new string(buffer, 0, length).Split('\n');
                return lines[0].Trim();
            }
        }

        /* What can stand in a header of HTTP. */
        static bool IsToken(string text)
        {
            foreach (char c in text)
            {
                if (c <= ' ' || c > '~')
                    return false;
            }
            return text.Length > 0 && text.Length < mostTokenBytes;
        }

        static void Nothing() { }
    }
}
