using System.Collections.Generic;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>One thing that can be undone and redone. Undo and Redo are called in turns.</summary>
    internal abstract class UndoStep
    {
        public abstract void Undo();
        public abstract void Redo();
        /// <summary>The object it is about; ClearUndo looks for it.</summary>
        public abstract Object Target { get; }
        /// <summary>For the history that outlives a domain reload; see <see cref="UndoCodec"/>.</summary>
        public abstract List<object> Export(UndoCodec codec);
    }
}
