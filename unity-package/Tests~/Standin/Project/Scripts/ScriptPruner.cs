using System.Collections.Generic;
using System.IO;

namespace Standin
{
    /// <summary>
    /// A script that mcs is to take as far as it can. While it has no error it is compiled as it is. With
    /// the first error its methods lose their bodies, which use far more of Unity than is there; after
    /// that what has an error is cut out (an attribute, a base type, a member, a type), and in the end
    /// the whole file. What a class serializes are its fields, and those stay as long as they can.
    /// </summary>
    internal sealed class ScriptPruner
    {
        /// <summary>As Unity shows it.</summary>
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

        /// <summary>Whether these errors changed what is compiled.</summary>
        public bool Take(List<CompilerFault> faults)
        {
            List<CompilerFault> own = faults.FindAll(fault => Is(fault.File));
            if (own.Count == 0 || IsLeftOut)
                return false;
            if (outline == null)
            {
                outline = new SourceOutline(File.ReadAllText(original));
                outline.CutBodies();
                File.WriteAllText(changed, outline.Text);
                return true;
            }
            foreach (CompilerFault fault in own)
                if (!outline.CutAt(fault.Line, fault.Column, fault.Text))
                    IsLeftOut = true;
            File.WriteAllText(changed, outline.Text);
            return true;
        }
    }
}
