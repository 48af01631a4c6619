using System;
using System.Collections.Generic;
using Standin;

namespace UnityEditor
{
    /// <summary>A scene in the build settings, and whether it is enabled.</summary>
    public class EditorBuildSettingsScene
    {
        public EditorBuildSettingsScene() { }

        public EditorBuildSettingsScene(string path, bool enabled)
        {
            this.path = path;
            this.enabled = enabled;
        }

        public bool enabled { get; set; }
        public string path { get; set; }
        public GUID guid { get; set; }
    }

    /// <summary>ProjectSettings/EditorBuildSettings.asset.</summary>
    public class EditorBuildSettings : UnityEngine.Object
    {
        static EditorBuildSettingsScene[] changed;

        public static event Action sceneListChanged;

        public static EditorBuildSettingsScene[] scenes
        {
            get { return changed ?? Read(); }
            set
            {
                changed = value;
                if (sceneListChanged != null)
                    sceneListChanged();
            }
        }

        static EditorBuildSettingsScene[] Read()
        {
            var found = new List<EditorBuildSettingsScene>();
            DataNode settings = ProjectFolder.Settings("EditorBuildSettings");
            DataNode list = settings == null ? null : settings.Get("m_Scenes");
            foreach (DataNode entry in (list == null ? null : list.Items) ?? new List<DataNode>())
            {
                DataNode path = entry.Get("path");
                DataNode isIn = entry.Get("enabled");
                DataNode guid = entry.Get("guid");
                if (path == null)
                    continue;
                found.Add(new EditorBuildSettingsScene(path.Text, isIn == null || isIn.Text != "0")
                {
                    guid = new GUID(guid == null ? "" : guid.Text)
                });
            }
            return found.ToArray();
        }

        /// <summary>The build index of a scene: its index among enabled scenes; -1: none.</summary>
        internal static int IndexOf(string path)
        {
            int at = 0;
            foreach (EditorBuildSettingsScene scene in scenes)
            {
                if (scene.enabled && scene.path == path)
                    return at;
                at += scene.enabled ? 1 : 0;
            }
            return -1;
        }
    }
}
