using Standin;

namespace UnityEngine
{
    public sealed class GUILayoutOption
    {
        internal GUILayoutOption() { }
    }

    /// <summary>Controls with automatic layout; here without positions.</summary>
    public partial class GUILayout
    {
        static readonly GUILayoutOption option = new GUILayoutOption();

        public class HorizontalScope : GUI.Scope
        {
            public HorizontalScope(params GUILayoutOption[] options) { BeginHorizontal(options); }
            public HorizontalScope(GUIStyle style, params GUILayoutOption[] options) { BeginHorizontal(style, options); }
            protected override void CloseScope() { EndHorizontal(); }
        }

        public class VerticalScope : GUI.Scope
        {
            public VerticalScope(params GUILayoutOption[] options) { BeginVertical(options); }
            public VerticalScope(GUIStyle style, params GUILayoutOption[] options) { BeginVertical(style, options); }
            protected override void CloseScope() { EndVertical(); }
        }

        public static void Label(string text, params GUILayoutOption[] options) { Gui.Show("label", text); }
        public static void Label(GUIContent content, params GUILayoutOption[] options)
        {
            Gui.Show("label", content.text);
        }
        public static void Label(string text, GUIStyle style, params GUILayoutOption[] options)
        {
            Gui.Show("label", text);
        }
        public static void Label(GUIContent content, GUIStyle style, params GUILayoutOption[] options)
        {
            Gui.Show("label", content.text);
        }

        public static bool Button(string text, params GUILayoutOption[] options) { return Gui.Button(text); }
        public static bool Button(GUIContent content, params GUILayoutOption[] options)
        {
            return Gui.Button(content.text);
        }
        public static bool Button(string text, GUIStyle style, params GUILayoutOption[] options)
        {
            return Gui.Button(text);
        }
        public static bool Button(GUIContent content, GUIStyle style, params GUILayoutOption[] options)
        {
            return Gui.Button(content.text);
        }

        public static string TextField(string text, params GUILayoutOption[] options)
        {
            return Gui.Field("text", "", text);
        }
        public static string TextArea(string text, params GUILayoutOption[] options)
        {
            return Gui.Field("text", "", text);
        }
        public static bool Toggle(bool value, string text, params GUILayoutOption[] options)
        {
            return Gui.Field("toggle", text, value);
        }
        public static void Box(string text, params GUILayoutOption[] options) { Gui.Show("label", text); }

        public static void Space(float pixels) { }
        public static void FlexibleSpace() { }
        public static void BeginHorizontal(params GUILayoutOption[] options) { }
        public static void BeginHorizontal(GUIStyle style, params GUILayoutOption[] options) { }
        public static void EndHorizontal() { }
        public static void BeginVertical(params GUILayoutOption[] options) { }
        public static void BeginVertical(GUIStyle style, params GUILayoutOption[] options) { }
        public static void EndVertical() { }
        public static Vector2 BeginScrollView(Vector2 scrollPosition, params GUILayoutOption[] options)
        {
            return scrollPosition;
        }
        public static void EndScrollView() { }

        public static GUILayoutOption Width(float width) { return option; }
        public static GUILayoutOption MinWidth(float minWidth) { return option; }
        public static GUILayoutOption MaxWidth(float maxWidth) { return option; }
        public static GUILayoutOption Height(float height) { return option; }
        public static GUILayoutOption MinHeight(float minHeight) { return option; }
        public static GUILayoutOption MaxHeight(float maxHeight) { return option; }
        public static GUILayoutOption ExpandWidth(bool expand) { return option; }
        public static GUILayoutOption ExpandHeight(bool expand) { return option; }
    }

    public class GUILayoutUtility
    {
        public static Rect GetRect(float width, float height, params GUILayoutOption[] options)
        {
            return new Rect(0, 0, width, height);
        }
        public static Rect GetRect(GUIContent content, GUIStyle style, params GUILayoutOption[] options)
        {
            return new Rect(0, 0, 200, style.lineHeight);
        }
        public static Rect GetLastRect() { return new Rect(0, 0, 200, 16); }
    }
}
