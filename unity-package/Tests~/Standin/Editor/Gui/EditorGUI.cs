using System.Collections.Generic;
using Standin;
using UnityEngine;

namespace UnityEditor
{
    public sealed partial class EditorGUI
    {
        static readonly Stack<bool> changes = new Stack<bool>();
        static readonly Stack<bool> enabledBefore = new Stack<bool>();

        public class DisabledScope : GUI.Scope
        {
            public DisabledScope(bool disabled) { BeginDisabledGroup(disabled); }
            protected override void CloseScope() { EndDisabledGroup(); }
        }

        public class IndentLevelScope : GUI.Scope
        {
            readonly int step;
            public IndentLevelScope() : this(1) { }
            public IndentLevelScope(int increment)
            {
                step = increment;
                indentLevel += step;
            }
            protected override void CloseScope() { indentLevel -= step; }
        }

        public class ChangeCheckScope : GUI.Scope
        {
            bool ended;
            bool found;
            public ChangeCheckScope() { BeginChangeCheck(); }
            public bool changed
            {
                get
                {
                    if (!ended)
                        found = EndChangeCheck();
                    ended = true;
                    return found;
                }
            }
            protected override void CloseScope()
            {
                if (!ended)
                    EndChangeCheck();
            }
        }

        public static int indentLevel { get; set; }
        public static bool showMixedValue { get; set; }

        public static void BeginChangeCheck()
        {
            changes.Push(GUI.changed);
            GUI.changed = false;
        }

        public static bool EndChangeCheck()
        {
            bool changed = GUI.changed;
            GUI.changed |= changes.Pop();
            return changed;
        }

        public static void BeginDisabledGroup(bool disabled)
        {
            enabledBefore.Push(GUI.enabled);
            GUI.enabled &= !disabled;
        }

        public static void EndDisabledGroup() { GUI.enabled = enabledBefore.Pop(); }

        public static void LabelField(Rect position, string label) { Gui.Show("label", label); }
        public static void LabelField(Rect position, string label, string label2) { Gui.Show("label", label, label2); }
        public static void SelectableLabel(Rect position, string text) { Gui.Show("selectable", text); }
        public static void SelectableLabel(Rect position, string text, GUIStyle style) { Gui.Show("selectable", text); }
        public static void HelpBox(Rect position, string message, MessageType type)
        {
            Gui.Show("help", message, type.ToString());
        }
        public static string TextField(Rect position, string text) { return Gui.Field("text", "", text); }
        public static string TextField(Rect position, string label, string text) { return Gui.Field("text", label, text); }
        public static int IntField(Rect position, string label, int value) { return Gui.Field("int", label, value); }
        public static bool Toggle(Rect position, string label, bool value) { return Gui.Field("toggle", label, value); }
    }

    public sealed partial class EditorGUIUtility
    {
        public static string systemCopyBuffer
        {
            get { return GUIUtility.systemCopyBuffer ?? ""; }
            set { GUIUtility.systemCopyBuffer = value; }
        }
        public static float singleLineHeight { get { return 18; } }
        public static float standardVerticalSpacing { get { return 2; } }
        public static float labelWidth { get; set; }
        public static float fieldWidth { get; set; }
        public static float currentViewWidth { get { return 600; } }
        public static float pixelsPerPoint { get { return 1; } }
        public static bool wideMode { get; set; }
        public static bool isProSkin { get { return true; } }
        public static bool editingTextField { get; set; }

        public static GUIContent TrTextContent(string text, string tooltip = null)
        {
            return new GUIContent(text, tooltip);
        }
        public static GUIContent IconContent(string name) { return new GUIContent(); }
        public static void PingObject(Object obj) { }
    }

    public sealed partial class EditorStyles
    {
        static readonly Dictionary<string, GUIStyle> styles = new Dictionary<string, GUIStyle>();

        static GUIStyle Style(string name)
        {
            GUIStyle style;
            if (!styles.TryGetValue(name, out style))
                styles[name] = style = new GUIStyle { name = name };
            return style;
        }

        public static GUIStyle label { get { return Style("label"); } }
        public static GUIStyle miniLabel { get { return Style("miniLabel"); } }
        public static GUIStyle largeLabel { get { return Style("largeLabel"); } }
        public static GUIStyle boldLabel { get { return Style("boldLabel"); } }
        public static GUIStyle wordWrappedLabel { get { return Style("wordWrappedLabel"); } }
        public static GUIStyle wordWrappedMiniLabel { get { return Style("wordWrappedMiniLabel"); } }
        public static GUIStyle textField { get { return Style("textField"); } }
        public static GUIStyle textArea { get { return Style("textArea"); } }
        public static GUIStyle helpBox { get { return Style("helpBox"); } }
        public static GUIStyle miniButton { get { return Style("miniButton"); } }
        public static GUIStyle miniButtonLeft { get { return Style("miniButtonLeft"); } }
        public static GUIStyle miniButtonRight { get { return Style("miniButtonRight"); } }
        public static GUIStyle foldout { get { return Style("foldout"); } }
        public static GUIStyle toolbar { get { return Style("toolbar"); } }
        public static GUIStyle linkLabel { get { return Style("linkLabel"); } }
    }
}
