using System;
using System.Collections.Generic;
using System.Reflection;
using UnityEngine;
using UnityEngine.UIElements;

namespace UnityEditor
{
    public enum SettingsScope { User, Project }

    [AttributeUsage(AttributeTargets.Method)]
    public class SettingsProviderAttribute : Attribute { }

    [AttributeUsage(AttributeTargets.Method)]
    public class SettingsProviderGroupAttribute : Attribute { }

    /// <summary>A page of Project Settings or Preferences.</summary>
    public class SettingsProvider
    {
        string ownLabel;

        public SettingsProvider(string path, SettingsScope scopes, IEnumerable<string> keywords = null)
        {
            settingsPath = path.Replace("\n", " ").Replace("\\", "/");
            scope = scopes;
            this.keywords = keywords ?? new string[0];
        }

        public string label
        {
            get
            {
                return string.IsNullOrEmpty(ownLabel) ? settingsPath.Substring(settingsPath.LastIndexOf('/') + 1)
                                                      : ownLabel;
            }
            set { ownLabel = value; }
        }
        public string settingsPath { get; private set; }
        public SettingsScope scope { get; private set; }
        public IEnumerable<string> keywords { get; set; }

        public Action<string> guiHandler { get; set; }
        public Action titleBarGuiHandler { get; set; }
        public Action footerBarGuiHandler { get; set; }
        public Action<string, VisualElement> activateHandler { get; set; }
        public Action deactivateHandler { get; set; }
        public Func<string, bool> hasSearchInterestHandler { get; set; }
        public Action inspectorUpdateHandler { get; set; }

        /// <summary>The number of requested repaints.</summary>
        internal int Repaints { get; private set; }

        public virtual void OnActivate(string searchContext, VisualElement rootElement)
        {
            if (activateHandler != null)
                activateHandler(searchContext, rootElement);
        }

        public virtual void OnDeactivate()
        {
            if (deactivateHandler != null)
                deactivateHandler();
        }

        public virtual void OnGUI(string searchContext)
        {
            if (guiHandler != null)
                guiHandler(searchContext);
        }

        public virtual void OnTitleBarGUI()
        {
            if (titleBarGuiHandler != null)
                titleBarGuiHandler();
        }

        public virtual void OnFooterBarGUI()
        {
            if (footerBarGuiHandler != null)
                footerBarGuiHandler();
        }

        public virtual void OnInspectorUpdate()
        {
            if (inspectorUpdateHandler != null)
                inspectorUpdateHandler();
        }

        public virtual bool HasSearchInterest(string searchContext)
        {
            if (hasSearchInterestHandler != null)
                return hasSearchInterestHandler(searchContext);
            foreach (string keyword in keywords)
                if (keyword.IndexOf(searchContext, StringComparison.OrdinalIgnoreCase) >= 0)
                    return true;
            return false;
        }

        public void Repaint() { Repaints++; }

        public void PopulateSearchKeywordsFromGUIContentProperties<T>()
        {
            keywords = GetSearchKeywordsFromGUIContentProperties<T>();
        }

        public static IEnumerable<string> GetSearchKeywordsFromGUIContentProperties<T>()
        {
            var found = new HashSet<string>();
            foreach (FieldInfo field in typeof(T).GetFields(BindingFlags.Static | BindingFlags.Public))
                if (typeof(GUIContent).IsAssignableFrom(field.FieldType))
                    found.Add(((GUIContent)field.GetValue(null)).text.ToLowerInvariant());
            return found;
        }
    }
}
