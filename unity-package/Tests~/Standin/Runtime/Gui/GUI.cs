using System;
using Standin;

namespace UnityEngine
{
    public sealed class ExitGUIException : Exception { }

    public partial class GUI
    {
        public abstract class Scope : IDisposable
        {
            bool closed;

            protected abstract void CloseScope();

            public void Dispose()
            {
                if (closed)
                    return;
                closed = true;
                CloseScope();
            }
        }

        static GUISkin ownSkin;

        public static bool enabled { get; set; }
        public static bool changed { get; set; }
        public static Color color { get; set; }
        public static Color backgroundColor { get; set; }
        public static Color contentColor { get; set; }
        public static string tooltip { get { return ""; } }
        public static int depth { get; set; }
        public static GUISkin skin
        {
            get { return ownSkin ?? (ownSkin = ScriptableObject.CreateInstance<GUISkin>()); }
            set { ownSkin = value; }
        }

        public static void Label(Rect position, string text) { Gui.Show("label", text); }
        public static void Label(Rect position, GUIContent content) { Gui.Show("label", content.text); }
        public static void Label(Rect position, string text, GUIStyle style) { Gui.Show("label", text); }
        public static bool Button(Rect position, string text) { return Gui.Button(text); }
        public static bool Button(Rect position, GUIContent content) { return Gui.Button(content.text); }
        public static bool Button(Rect position, string text, GUIStyle style) { return Gui.Button(text); }
        public static string TextField(Rect position, string text) { return Gui.Field("text", "", text); }
        public static bool Toggle(Rect position, bool value, string text) { return Gui.Field("toggle", text, value); }
        public static void Box(Rect position, string text) { Gui.Show("label", text); }
        public static void SetNextControlName(string name) { }
        public static string GetNameOfFocusedControl() { return ""; }
        public static void FocusControl(string name) { }
    }

    public partial class GUIUtility
    {
        public static string systemCopyBuffer { get; set; }
        public static int hotControl { get; set; }
        public static int keyboardControl { get; set; }

        public static void ExitGUI() { throw new ExitGUIException(); }
    }
}
