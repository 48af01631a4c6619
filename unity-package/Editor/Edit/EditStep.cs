namespace Multiverse.Editor
{
    /// <summary>A step of <see cref="EditHistory"/>.</summary>
    public sealed class EditStep
    {
        /// <summary>"manage_component: add", which is also what Unity's Edit menu says.</summary>
        public readonly string Name;
        /// <summary>"manage_component".</summary>
        public readonly string Tool;

        public EditStep(string name, string tool)
        {
            Name = name;
            Tool = tool;
        }
    }
}
