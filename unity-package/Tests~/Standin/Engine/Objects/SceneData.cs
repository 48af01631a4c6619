using System.Collections.Generic;
using UnityEngine;
using UnityEngine.SceneManagement;

namespace Standin
{
    /// <summary>
    /// A scene; UnityEngine.SceneManagement.Scene is its handle. Who loads a scene makes one, adds the
    /// roots' transforms to Roots in order and puts it into All.
    /// </summary>
    internal sealed class SceneData
    {
        static int lastHandle;

        public static readonly List<SceneData> All = new List<SceneData>();
        public static SceneData Active;

        public readonly int Handle = ++lastHandle;
        public string Name = "";
        /// <summary>Below the project: "Assets/Main.unity"; empty where it was never saved.</summary>
        public string Path = "";
        public string Guid = "";
        public bool IsLoaded = true;
        public bool IsDirty { get; set; }
        /// <summary>Contents of a prefab file or a preview: no scene of the hierarchy.</summary>
        public bool IsPreview { get; set; }
        public int BuildIndex = -1;
        public readonly SceneRoots Order = new SceneRoots();
        /// <summary>What else who loaded it wants to keep with it.</summary>
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

        /// <summary>The active scene; an untitled one is made where there is none.</summary>
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
