using System.Collections.Generic;

namespace Multiverse.Editor
{
    /// <summary>redo: repeats steps that <see cref="UndoTool"/> has undone.</summary>
    public sealed class RedoTool : Tool
    {
        public override string Name { get { return "redo"; } }

        public override IEnumerator<Pause> Run(ToolCall call)
        {
            UndoTool.RunSteps(call, EditHistory.RedoStep);
            yield break;
        }
    }
}
