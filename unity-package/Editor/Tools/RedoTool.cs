using System.Collections.Generic;

namespace Multiverse.Editor
{
    /// <summary>redo: does steps again that <see cref="UndoTool"/> took back.</summary>
    public sealed class RedoTool : Tool
    {
        public override string Name { get { return "redo"; } }

        public override IEnumerator<Pause> Run(ToolCall call)
        {
            UndoTool.Walk(call, EditHistory.DoAgain);
            yield break;
        }
    }
}
