namespace UnityEngine.UIElements
{
    /// <summary>The root of a settings page; unused with IMGUI.</summary>
    public partial class VisualElement
    {
        public string name { get; set; }
        public void MarkDirtyRepaint() { }
    }
}
