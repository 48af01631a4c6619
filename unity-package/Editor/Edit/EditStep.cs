namespace Multiverse.Editor
{
    /// <summary>A step of <see cref="EditHistory"/>.</summary>
    public sealed class EditStep
    {
        /// <summary>"manage_component: add", also shown in Unity's Edit menu.</summary>
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
