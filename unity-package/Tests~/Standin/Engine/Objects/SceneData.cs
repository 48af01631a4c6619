using System.Collections.Generic;
using UnityEngine;
using UnityEngine.SceneManagement;

namespace Standin
{
    /// <summary>
    /// A scene; UnityEngine.SceneManagement.Scene is its handle. A loader creates one, adds the
    /// roots' transforms to Roots in order, and adds it to All.
    /// </summary>
    internal sealed class SceneData
    {
        static int lastHandle;

        public static readonly List<SceneData> All = new List<SceneData>();
        public static SceneData Active;

        public readonly int Handle = ++lastHandle;
        public string Name = "";
        /// <summary>Relative to the project: "Assets/Main.unity"; empty if never saved.</summary>
        public string Path = "";
        public string Guid = "";
        public bool IsLoaded = true;
        public bool IsDirty { get; set; }
        /// <summary>The contents of a prefab file or a preview, not part of the hierarchy.</summary>
        public bool IsPreview { get; set; }
        public int BuildIndex = -1;
        public readonly SceneRoots Order = new SceneRoots();
        /// <summary>Additional data of the loader.</summary>
        public object Document { get; set; }

        public List<Transform> Roots { get { return Order.m_Roots; } }
        public Scene Scene { get { return new Scene(Handle); } }

        public static SceneData Of(int handle)
        {
            foreach (SceneData scene in All)
                if (scene.Handle == handle)
                    return scene;
            return null;
        }

        /// <summary>Return the active scene; create an untitled one if there is none.</summary>
        public static SceneData ActiveOrNew()
        {
            if (Active != null && All.Contains(Active))
                return Active;
            Active = null;
            foreach (SceneData scene in All)
                if (Active == null && !scene.IsPreview)
                    Active = scene;
            if (Active == null)
            {
                Active = new SceneData();
                All.Add(Active);
            }
            return Active;
        }
    }
}
