using System;
using System.IO;

namespace Multiverse.Editor
{
    /// <summary>Where a <see cref="Wire"/> connects, and as which editor. Immutable after the wire
    /// has started.</summary>
    public sealed class WireOptions
    {
        const int mostTokenBytes = 4096;

        public int Port = 48091;
        /// <summary>A file with the server's token in its first line, absolute or relative to the
        /// project's folder; "": no token.</summary>
        public string TokenFile = "";
        public EditorIdentity Editor;
        /// <summary>Called on the wire's thread when the inbox has an event for the main
        /// thread.</summary>
        public Action Wake = Nothing;
        public int Seed;

        /// <summary>Read the token, for each connection, so that a changed file takes effect at once.
        /// null: no token; problem is set if the file cannot be used.</summary>
        public string ReadToken(out string problem)
        {
            problem = null;
            string file = (TokenFile ?? "").Trim().Trim('"'); /* Windows copies paths with quotes */
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

        /* Whether the text is valid in an HTTP header. */
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
