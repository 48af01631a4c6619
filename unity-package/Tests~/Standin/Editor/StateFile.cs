using System.IO;

namespace Standin
{
    /// <summary>Files with the stand-in's state, complete or absent.</summary>
    internal static class StateFile
    {
        /// <summary>Write a temporary file and rename it, so that readers never see a part.</summary>
        public static void Write(string path, string text)
        {
            string fresh = path + ".new";
            File.WriteAllText(fresh, text);
            if (File.Exists(path))
                File.Replace(fresh, path, null);
            else
                File.Move(fresh, path);
        }

        /// <summary>Return the text, or null if the file does not exist.</summary>
        public static string Read(string path) { return File.Exists(path) ? File.ReadAllText(path) : null; }
    }
}
