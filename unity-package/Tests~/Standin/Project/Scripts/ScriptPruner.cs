using System.Collections.Generic;
using System.IO;

namespace Standin
{
    /// <summary>
    /// A script that mcs should compile as far as possible. Without errors it is compiled
    /// unchanged. After the first error, method bodies are removed, because they use most of the
    /// missing APIs; then each part with an error is removed (an attribute, a base type, a member,
    /// a type), and finally the whole file. Fields are kept as long as possible, because they are
    /// serialized.
    /// </summary>
    internal sealed class ScriptPruner
    {
        /// <summary>Unity's path.</summary>
        public readonly string Path;
        readonly string original;
        readonly string changed;
        SourceOutline outline;

        public bool IsLeftOut { get; private set; }
        public string FileToCompile { get { return outline == null ? original : changed; } }

        public ScriptPruner(string path, string disk, string temporary)
        {
            Path = path;
            original = disk;
            changed = temporary;
        }

        public bool Is(string file) { return file == original || file == changed; }

        /// <summary>Remove the parts with these errors; return whether something changed.</summary>
        public bool RemoveErrors(List<CompilerError> errors)
        {
            List<CompilerError> own = errors.FindAll(error => Is(error.File));
            if (own.Count == 0 || IsLeftOut)
                return false;
            if (outline == null)
            {
                outline = new SourceOutline(File.ReadAllText(original));
                outline.CutBodies();
                File.WriteAllText(changed, outline.Text);
                return true;
            }
            foreach (CompilerError error in own)
                if (!outline.CutAt(error.Line, error.Column, error.Text))
                    IsLeftOut = true;
            File.WriteAllText(changed, outline.Text);
            return true;
        }
    }
}
