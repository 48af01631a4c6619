using System;
using System.Collections.Generic;

namespace Multiverse.Editor
{
    /// <summary>undo: undoes steps of tools. See <see cref="EditHistory"/>.</summary>
    public sealed class UndoTool : Tool
    {
        public override string Name { get { return "undo"; } }

        public override IEnumerator<Pause> Run(ToolCall call)
        {
            RunSteps(call, EditHistory.UndoStep);
            yield break;
        }

        /// <summary>Run undo or redo steps; both have the same answer.</summary>
        internal static void RunSteps(ToolCall call, Func<EditStep> one)
        {
            EditGuard.Check();
            ScenePaths.OfActiveScene(); /* throws ERR_NO_SCENE */
            long steps = call.Arguments.GetLong("steps", 1);
            call.Out.BeginObject();
            call.Out.Key("undone");
            call.Out.BeginArray();
            for (long i = 0; i < steps; i++)
            {
                EditStep step = OneStep(one, i > 0);
                if (step == null)
                    break;
                call.Out.BeginObject();
                call.Out.Member("name", step.Name);
                call.Out.Member("tool", step.Tool);
                call.Out.EndObject();
            }
            call.Out.EndArray();
            call.Out.Member("remaining_undo", EditHistory.UndoCount);
            call.Out.Member("remaining_redo", EditHistory.RedoCount);
            call.Out.EndObject();
        }

        static EditStep OneStep(Func<EditStep> one, bool isLater)
        {
            try
            {
                return one();
            }
            catch (ToolError error)
            {
                error.WasExecuted |= isLater;
                throw;
            }
        }
    }
}
