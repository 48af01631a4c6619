using System.Collections.Generic;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>One undoable change. Undo and Redo are called alternately.</summary>
    internal abstract class UndoStep
    {
        public abstract void Undo();
        public abstract void Redo();
        /// <summary>The changed object; ClearUndo searches for it.</summary>
        public abstract Object Target { get; }
        /// <summary>Export the step for a domain reload; see <see cref="UndoCodec"/>.</summary>
        public abstract List<object> Export(UndoCodec codec);
    }
}
