using System;

namespace UnityEngine
{
    [Serializable]
    public sealed class GUIStyleState
    {
        public Color textColor { get; set; }
    }

    /// <summary>A control's style; stored, never drawn.</summary>
    [Serializable]
    public sealed class GUIStyle
    {
        static readonly GUIStyle nothing = new GUIStyle();

        public GUIStyle()
        {
            name = "";
            normal = new GUIStyleState();
            hover = new GUIStyleState();
            active = new GUIStyleState();
            focused = new GUIStyleState();
            padding = new RectOffset();
            margin = new RectOffset();
        }

        public GUIStyle(GUIStyle other) : this()
        {
            name = other.name;
            wordWrap = other.wordWrap;
            richText = other.richText;
            fontSize = other.fontSize;
            fontStyle = other.fontStyle;
            alignment = other.alignment;
            fixedWidth = other.fixedWidth;
            fixedHeight = other.fixedHeight;
            normal.textColor = other.normal.textColor;
        }

        public static GUIStyle none { get { return nothing; } }

        public string name { get; set; }
        public bool wordWrap { get; set; }
        public bool richText { get; set; }
        public int fontSize { get; set; }
        public FontStyle fontStyle { get; set; }
        public TextAnchor alignment { get; set; }
        public float fixedWidth { get; set; }
        public float fixedHeight { get; set; }
        public bool stretchWidth { get; set; }
        public bool stretchHeight { get; set; }
        public GUIStyleState normal { get; set; }
        public GUIStyleState hover { get; set; }
        public GUIStyleState active { get; set; }
        public GUIStyleState focused { get; set; }
        public RectOffset padding { get; set; }
        public RectOffset margin { get; set; }
        public float lineHeight { get { return 16; } }

        public Vector2 CalcSize(GUIContent content) { return new Vector2(7 * content.text.Length, lineHeight); }
        public float CalcHeight(GUIContent content, float width) { return lineHeight; }

        public static implicit operator GUIStyle(string str) { return new GUIStyle { name = str }; }
    }

    public class GUISkin : ScriptableObject
    {
        readonly GUIStyle[] styles =
        {
            new GUIStyle { name = "label" }, new GUIStyle { name = "button" }, new GUIStyle { name = "textField" },
            new GUIStyle { name = "box" }, new GUIStyle { name = "toggle" }
        };

        public GUIStyle label { get { return styles[0]; } }
        public GUIStyle button { get { return styles[1]; } }
        public GUIStyle textField { get { return styles[2]; } }
        public GUIStyle box { get { return styles[3]; } }
        public GUIStyle toggle { get { return styles[4]; } }
    }
}
