using System.Collections.Generic;
using UnityEngine;

namespace UnityEditor
{
    /// <summary>A window without a screen.</summary>
    public class EditorWindow : ScriptableObject
    {
        static readonly List<EditorWindow> shown = new List<EditorWindow>();

        public GUIContent titleContent { get; set; }
        public bool hasFocus { get { return focusedWindow == this; } }
        public static EditorWindow focusedWindow { get; private set; }
        public static EditorWindow mouseOverWindow { get { return null; } }

        public static T GetWindow<T>() where T : EditorWindow { return GetWindow<T>(false); }
        public static T GetWindow<T>(bool utility) where T : EditorWindow
        {
            foreach (EditorWindow window in shown)
                if (window is T)
                    return (T)window;
            T created = CreateInstance<T>();
            created.Show();
            return created;
        }
        public static bool HasOpenInstances<T>() where T : EditorWindow { return shown.Exists(w => w is T); }

        public void Show()
        {
            if (!shown.Contains(this))
                shown.Add(this);
        }
        public void Focus() { focusedWindow = this; }
        public void Repaint() { }
        public void Close()
        {
            shown.Remove(this);
            if (focusedWindow == this)
                focusedWindow = null;
            DestroyImmediate(this);
        }
    }

    public class SceneView : EditorWindow
    {
        public static SceneView lastActiveSceneView { get { return null; } }
        public static void RepaintAll() { }
    }
}
