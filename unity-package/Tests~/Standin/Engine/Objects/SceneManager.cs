using System;
using Standin;
using UnityEngine.Events;

namespace UnityEngine.SceneManagement
{
    /// <summary>The open scenes. SceneLoader reads the files.</summary>
    public partial class SceneManager
    {
        /// <summary>Load a scene by name or path in play mode; set by the editor's side.</summary>
        internal static Action<string, LoadSceneMode> Loader = (name, mode) => { };

        public static event UnityAction<Scene, LoadSceneMode> sceneLoaded;
        public static event UnityAction<Scene> sceneUnloaded;
        public static event UnityAction<Scene, Scene> activeSceneChanged;

        /* Read in every update, so it must not allocate. */
        public static int sceneCount
        {
            get
            {
                int count = 0;
                foreach (SceneData scene in SceneData.All)
                    count += scene.IsPreview ? 0 : 1;
                return count;
            }
        }

        public static int loadedSceneCount
        {
            get
            {
                int count = 0;
                foreach (SceneData scene in SceneData.All)
                    count += scene.IsPreview || !scene.IsLoaded ? 0 : 1;
                return count;
            }
        }

        public static Scene GetActiveScene()
        {
            return SceneData.Active == null ? new Scene() : SceneData.Active.Scene;
        }

        public static bool SetActiveScene(Scene scene)
        {
            SceneData data = scene.Data, before = SceneData.Active;
            if (data == null)
                throw new ArgumentException("SceneManager.SetActiveScene failed; invalid scene");
            if (!data.IsLoaded)
                throw new ArgumentException("SceneManager.SetActiveScene failed; scene '" + data.Name
                    + "' is not loaded and therefore cannot be set active");
            SceneData.Active = data;
            if (!ReferenceEquals(before, data))
                RaiseActiveSceneChanged(before == null ? new Scene() : before.Scene, scene);
            return true;
        }

        public static Scene GetSceneAt(int index)
        {
            int left = index;
            foreach (SceneData scene in SceneData.All)
                if (!scene.IsPreview && left-- == 0)
                    return scene.Scene;
            throw new IndexOutOfRangeException("Scene index \"" + index + "\" is out of range.");
        }

        public static Scene GetSceneByPath(string scenePath) { return First(scene => scene.Path == scenePath); }
        public static Scene GetSceneByName(string name) { return First(scene => scene.Name == name); }

        static Scene First(Predicate<SceneData> fits)
        {
            SceneData found = SceneData.All.Find(scene => !scene.IsPreview && fits(scene));
            return found == null ? new Scene() : found.Scene;
        }

        public static void MoveGameObjectToScene(GameObject go, Scene scene)
        {
            if (go == null || scene.Data == null)
                throw new ArgumentException("the GameObject or the scene is not there");
            if ((object)go.transform.m_Father != null)
                throw new ArgumentException("Gameobject is not a root in a scene");
            SceneTree.AddRoot(scene.Data, go.transform);
        }

        public static void LoadScene(string sceneName) { LoadScene(sceneName, LoadSceneMode.Single); }
        public static void LoadScene(string sceneName, LoadSceneMode mode) { Loader(sceneName, mode); }

        internal static void RaiseSceneLoaded(Scene scene, LoadSceneMode mode)
        {
            if (sceneLoaded != null)
                sceneLoaded(scene, mode);
        }

        internal static void RaiseSceneUnloaded(Scene scene)
        {
            if (sceneUnloaded != null)
                sceneUnloaded(scene);
        }

        internal static void RaiseActiveSceneChanged(Scene before, Scene now)
        {
            if (activeSceneChanged != null)
                activeSceneChanged(before, now);
        }
    }
}
