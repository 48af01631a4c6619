namespace UnityEngine
{
    public class GUIContent
    {
        public static GUIContent none = new GUIContent("");

        public GUIContent() { text = tooltip = ""; }
        public GUIContent(string text) : this(text, "") { }
        public GUIContent(string text, string tooltip)
        {
            this.text = text ?? "";
            this.tooltip = tooltip ?? "";
        }
        public GUIContent(GUIContent src) : this(src.text, src.tooltip) { }

        public string text { get; set; }
        public string tooltip { get; set; }
    }
}
