namespace UnityEngine.UIElements
{
    /// <summary>What a settings page is given as its root; it may be ignored where IMGUI is used.</summary>
    public partial class VisualElement
    {
        public string name { get; set; }
        public void MarkDirtyRepaint() { }
    }
}
