using Standin;
using UnityEngine;

namespace UnityEditor
{
    public enum MessageType { None = 0, Info = 1, Warning = 2, Error = 3 }

    /// <summary>The editor's controls; see <see cref="Standin.Gui"/>.</summary>
    public sealed partial class EditorGUILayout
    {
        public class HorizontalScope : GUILayout.HorizontalScope
        {
            public Rect rect { get { return new Rect(); } }
            public HorizontalScope(params GUILayoutOption[] options) : base(options) { }
            public HorizontalScope(GUIStyle style, params GUILayoutOption[] options) : base(style, options) { }
        }

        public class VerticalScope : GUILayout.VerticalScope
        {
            public Rect rect { get { return new Rect(); } }
            public VerticalScope(params GUILayoutOption[] options) : base(options) { }
            public VerticalScope(GUIStyle style, params GUILayoutOption[] options) : base(style, options) { }
        }

        public static void LabelField(string label, params GUILayoutOption[] options) { Gui.Show("label", label); }
        public static void LabelField(string label, GUIStyle style, params GUILayoutOption[] options)
        {
            Gui.Show("label", label);
        }
        public static void LabelField(GUIContent label, params GUILayoutOption[] options)
        {
            Gui.Show("label", label.text);
        }
        public static void LabelField(GUIContent label, GUIStyle style, params GUILayoutOption[] options)
        {
            Gui.Show("label", label.text);
        }
        public static void LabelField(string label, string label2, params GUILayoutOption[] options)
        {
            Gui.Show("label", label, label2);
        }
        public static void LabelField(string label, string label2, GUIStyle style, params GUILayoutOption[] options)
        {
            Gui.Show("label", label, label2);
        }
        public static void LabelField(GUIContent label, GUIContent label2, params GUILayoutOption[] options)
        {
            Gui.Show("label", label.text, label2.text);
        }
        public static void LabelField(GUIContent label, GUIContent label2, GUIStyle style,
                                      params GUILayoutOption[] options)
        {
            Gui.Show("label", label.text, label2.text);
        }

        public static void SelectableLabel(string text, params GUILayoutOption[] options)
        {
            Gui.Show("selectable", text);
        }
        public static void SelectableLabel(string text, GUIStyle style, params GUILayoutOption[] options)
        {
            Gui.Show("selectable", text);
        }
        public static void PrefixLabel(string label) { Gui.Prefix(label); }
        public static void PrefixLabel(GUIContent label) { Gui.Prefix(label.text); }
        public static void HelpBox(string message, MessageType type) { Gui.Show("help", message, type.ToString()); }
        public static void HelpBox(string message, MessageType type, bool wide)
        {
            Gui.Show("help", message, type.ToString());
        }

        public static string TextField(string text, params GUILayoutOption[] options)
        {
            return Gui.Field("text", "", text);
        }
        public static string TextField(string label, string text, params GUILayoutOption[] options)
        {
            return Gui.Field("text", label, text);
        }
        public static string TextField(GUIContent label, string text, params GUILayoutOption[] options)
        {
            return Gui.Field("text", label.text, text);
        }
        public static string DelayedTextField(string text, params GUILayoutOption[] options)
        {
            return Gui.Field("text", "", text);
        }
        public static string DelayedTextField(string label, string text, params GUILayoutOption[] options)
        {
            return Gui.Field("text", label, text);
        }
        public static string DelayedTextField(GUIContent label, string text, params GUILayoutOption[] options)
        {
            return Gui.Field("text", label.text, text);
        }
        public static string TextArea(string text, params GUILayoutOption[] options)
        {
            return Gui.Field("text", "", text);
        }
        public static string TextArea(string text, GUIStyle style, params GUILayoutOption[] options)
        {
            return Gui.Field("text", "", text);
        }

        public static int IntField(int value, params GUILayoutOption[] options) { return Gui.Field("int", "", value); }
        public static int IntField(string label, int value, params GUILayoutOption[] options)
        {
            return Gui.Field("int", label, value);
        }
        public static int IntField(GUIContent label, int value, params GUILayoutOption[] options)
        {
            return Gui.Field("int", label.text, value);
        }
        public static int DelayedIntField(int value, params GUILayoutOption[] options)
        {
            return Gui.Field("int", "", value);
        }
        public static int DelayedIntField(string label, int value, params GUILayoutOption[] options)
        {
            return Gui.Field("int", label, value);
        }
        public static int DelayedIntField(GUIContent label, int value, params GUILayoutOption[] options)
        {
            return Gui.Field("int", label.text, value);
        }
        public static float FloatField(string label, float value, params GUILayoutOption[] options)
        {
            return Gui.Field("float", label, value);
        }

        public static bool Toggle(bool value, params GUILayoutOption[] options)
        {
            return Gui.Field("toggle", "", value);
        }
        public static bool Toggle(string label, bool value, params GUILayoutOption[] options)
        {
            return Gui.Field("toggle", label, value);
        }
        public static bool Toggle(GUIContent label, bool value, params GUILayoutOption[] options)
        {
            return Gui.Field("toggle", label.text, value);
        }
        public static bool ToggleLeft(string label, bool value, params GUILayoutOption[] options)
        {
            return Gui.Field("toggle", label, value);
        }
        public static bool Foldout(bool foldout, string content) { return Gui.Field("foldout", content, foldout); }
        public static bool Foldout(bool foldout, string content, bool toggleOnLabelClick)
        {
            return Gui.Field("foldout", content, foldout);
        }

        public static int Popup(int selectedIndex, string[] displayedOptions, params GUILayoutOption[] options)
        {
            return Gui.Field("popup", "", selectedIndex);
        }
        public static int Popup(string label, int selectedIndex, string[] displayedOptions,
                                params GUILayoutOption[] options)
        {
            return Gui.Field("popup", label, selectedIndex);
        }

        public static void Space() { }
#if UNITY_2019_3_OR_NEWER
        public static void Space(float width) { }
#endif
        public static Rect BeginHorizontal(params GUILayoutOption[] options) { return new Rect(); }
        public static Rect BeginHorizontal(GUIStyle style, params GUILayoutOption[] options) { return new Rect(); }
        public static void EndHorizontal() { }
        public static Rect BeginVertical(params GUILayoutOption[] options) { return new Rect(); }
        public static Rect BeginVertical(GUIStyle style, params GUILayoutOption[] options) { return new Rect(); }
        public static void EndVertical() { }
        public static Vector2 BeginScrollView(Vector2 scrollPosition, params GUILayoutOption[] options)
        {
            return scrollPosition;
        }
        public static void EndScrollView() { }
        public static Rect GetControlRect(params GUILayoutOption[] options) { return new Rect(0, 0, 200, 18); }
        public static Rect GetControlRect(bool hasLabel, params GUILayoutOption[] options)
        {
            return new Rect(0, 0, 200, 18);
        }
        public static Rect GetControlRect(bool hasLabel, float height, params GUILayoutOption[] options)
        {
            return new Rect(0, 0, 200, height);
        }
    }
}
