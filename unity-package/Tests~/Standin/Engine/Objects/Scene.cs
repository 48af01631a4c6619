using System;
using System.Collections.Generic;
using Standin;

namespace UnityEngine.SceneManagement
{
    public enum LoadSceneMode { Single = 0, Additive = 1 }

    /// <summary>A handle of a <see cref="SceneData"/>.</summary>
    [Serializable]
    public struct Scene
    {
        [SerializeField] int m_Handle;

        internal Scene(int handle) { m_Handle = handle; }

        internal SceneData Data { get { return SceneData.Of(m_Handle); } }

        public int handle { get { return m_Handle; } }
        public bool IsValid() { return Data != null; }
        public string path { get { return Data == null ? "" : Data.Path; } }
        public string name
        {
            get { return Data == null ? "" : Data.Name; }
            set { throw new InvalidOperationException("Setting a name on a saved scene is not allowed"); }
        }
        public bool isLoaded { get { return Data != null && Data.IsLoaded; } }
        public int buildIndex { get { return Data == null ? -1 : Data.BuildIndex; } }
        public bool isDirty { get { return Data != null && Data.IsDirty; } }
        public int rootCount { get { return Data == null ? 0 : Data.Roots.Count; } }
        public bool isSubScene { get { return false; } set { } }

        public GameObject[] GetRootGameObjects()
        {
            var roots = new List<GameObject>();
            GetRootGameObjects(roots);
            return roots.ToArray();
        }

        public void GetRootGameObjects(List<GameObject> rootGameObjects)
        {
            if (!IsValid())
                throw new ArgumentException("The scene is invalid.");
            if (!isLoaded)
                throw new ArgumentException("The scene is not loaded.");
            rootGameObjects.Clear();
            foreach (Transform root in Data.Roots)
                rootGameObjects.Add(root.m_GameObject);
        }

        public static bool operator ==(Scene a, Scene b) { return a.m_Handle == b.m_Handle; }
        public static bool operator !=(Scene a, Scene b) { return a.m_Handle != b.m_Handle; }
        public override bool Equals(object other) { return other is Scene && this == (Scene)other; }
        public override int GetHashCode() { return m_Handle; }
    }
}
