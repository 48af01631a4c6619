using System.IO;

namespace Standin
{
    /// <summary>Files of the stand-in's own state: whole or not there at all.</summary>
    internal static class StateFile
    {
        /// <summary>Writes beside it and renames, so that no reader sees a part.</summary>
        public static void Write(string path, string text)
        {
            string fresh = path + ".new";
            File.WriteAllText(fresh, text);
            if (File.Exists(path))
                File.Replace(fresh, path, null);
            else
                File.Move(fresh, path);
        }

        /// <summary>null: there is none.</summary>
        public static string Read(string path) { return File.Exists(path) ? File.ReadAllText(path) : null; }
    }
}
