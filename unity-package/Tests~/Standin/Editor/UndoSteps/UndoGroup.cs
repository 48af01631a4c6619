using System.Collections.Generic;

namespace Standin
{
    /// <summary>The steps that one undo reverts.</summary>
    internal sealed class UndoGroup
    {
        public readonly int Id;
        public readonly List<UndoStep> Steps = new List<UndoStep>();
        string name = "";
        /// <summary>Set by SetCurrentGroupName; step names then do not change it.</summary>
        public bool IsNamed;

        public UndoGroup(int id) { Id = id; }

        public string Name { get { return name; } }

        public void Rename(string to)
        {
            name = to ?? "";
            IsNamed = true;
        }

        public void Add(UndoStep step, string stepName)
        {
            Steps.Add(step);
            if (!IsNamed && !string.IsNullOrEmpty(stepName))
                name = stepName;
        }

        public void Undo()
        {
            for (int i = Steps.Count - 1; i >= 0; i--)
                Steps[i].Undo();
        }

        public void Redo()
        {
            foreach (UndoStep step in Steps)
                step.Redo();
        }
    }
}
