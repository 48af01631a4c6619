using System.Collections.Generic;
using System.Reflection;
using Standin;
using UnityEngine.UIElements;

namespace UnityEditor
{
    public static class SettingsService
    {
        public static EditorWindow OpenProjectSettings(string settingsPath = null)
        {
            return SettingsPages.Open(settingsPath);
        }
        public static EditorWindow OpenUserPreferences(string settingsPath = null)
        {
            return SettingsPages.Open(settingsPath);
        }
        public static void NotifySettingsProviderChanged() { SettingsPages.Close(); }
        public static void RepaintAllSettingsWindow() { }
    }
}

namespace Standin
{
    /// <summary>
    /// The settings window without a screen; at most one page is open. An open page's
    /// OnInspectorUpdate is called ten times per second, as in Unity.
    /// </summary>
    internal static class SettingsPages
    {
        const double inspectorSeconds = 0.1;

        static UnityEditor.SettingsProvider open;
        static UnityEditor.EditorWindow window;
        static double nextUpdate;

        public static UnityEditor.SettingsProvider Current { get { return open; } }

        public static List<UnityEditor.SettingsProvider> All()
        {
            var pages = new List<UnityEditor.SettingsProvider>();
            foreach (MethodInfo method in Startup.Methods<UnityEditor.SettingsProviderAttribute>())
            {
                var page = Startup.Invoke(method) as UnityEditor.SettingsProvider;
                if (page != null)
                    pages.Add(page);
            }
            foreach (MethodInfo method in Startup.Methods<UnityEditor.SettingsProviderGroupAttribute>())
                pages.AddRange(Startup.Invoke(method) as UnityEditor.SettingsProvider[] ??
                               new UnityEditor.SettingsProvider[0]);
            return pages;
        }

        /// <summary>Open the page with this path (null: the first) and close the other one.</summary>
        public static UnityEditor.EditorWindow Open(string path)
        {
            if (window == null)
                window = UnityEngine.ScriptableObject.CreateInstance<UnityEditor.EditorWindow>();
            if (open != null && (path == null || open.settingsPath == path))
                return window;
            Close();
            foreach (UnityEditor.SettingsProvider page in All())
            {
                if (path != null && page.settingsPath != path)
                    continue;
                open = page;
                nextUpdate = EditorLoop.SecondsSinceStartup + inspectorSeconds;
                EditorLoop.Guarded(() => page.OnActivate("", new VisualElement()));
                break;
            }
            return window;
        }

        public static void Close()
        {
            UnityEditor.SettingsProvider page = open;
            open = null;
            if (page != null)
                EditorLoop.Guarded(page.OnDeactivate);
        }

        public static void Advance()
        {
            if (open == null || EditorLoop.SecondsSinceStartup < nextUpdate)
                return;
            nextUpdate = EditorLoop.SecondsSinceStartup + inspectorSeconds;
            EditorLoop.Guarded(open.OnInspectorUpdate);
        }
    }
}
