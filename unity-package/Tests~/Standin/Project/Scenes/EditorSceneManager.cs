using System;
using System.Collections.Generic;
using System.IO;
using Standin;
using UnityEngine;
using UnityEngine.Events;
using UnityEngine.SceneManagement;

namespace UnityEditor.SceneManagement
{
    /// <summary>
    /// Opens, creates, saves and closes scenes. As in Unity, unsaved changes are lost without a
    /// question when another scene is opened instead.
    /// </summary>
    public sealed partial class EditorSceneManager : SceneManager
    {
        public delegate void NewSceneCreatedCallback(Scene scene, NewSceneSetup setup, NewSceneMode mode);
        public delegate void SceneOpeningCallback(string path, OpenSceneMode mode);
        public delegate void SceneOpenedCallback(Scene scene, OpenSceneMode mode);
        public delegate void SceneClosingCallback(Scene scene, bool removingScene);
        public delegate void SceneClosedCallback(Scene scene);
        public delegate void SceneSavingCallback(Scene scene, string path);
        public delegate void SceneSavedCallback(Scene scene);
        public delegate void SceneDirtiedCallback(Scene scene);

        public static event NewSceneCreatedCallback newSceneCreated;
        public static event SceneOpeningCallback sceneOpening;
        public static event SceneOpenedCallback sceneOpened;
        public static event SceneClosingCallback sceneClosing;
        public static event SceneClosedCallback sceneClosed;
        public static event SceneSavingCallback sceneSaving;
        public static event SceneSavedCallback sceneSaved;
        public static event SceneDirtiedCallback sceneDirtied;
        public static event UnityAction<Scene, Scene> activeSceneChangedInEditMode;

        public static bool preventCrossSceneReferences { get; set; }
        public static SceneAsset playModeStartScene { get; set; }

        public static Scene OpenScene(string scenePath) { return OpenScene(scenePath, OpenSceneMode.Single); }

        public static Scene OpenScene(string scenePath, OpenSceneMode mode)
        {
            RefuseInPlayMode();
            string path = Clean(scenePath);
            string disk = path == null ? null : ProjectFolder.Assets.DiskPath(path);
            if (disk == null || !File.Exists(disk))
                throw new ArgumentException("Scene file not found: '" + scenePath + "'.");
            Raise(sceneOpening, path, mode);
            SceneData known = SceneData.All.Find(other => other.Path == path && !other.IsPreview);
            if (known != null && mode != OpenSceneMode.Single && known.IsLoaded)
                return known.Scene;
            SceneData scene = Load(path);
            if (scene == null)
                return new Scene();
            if (mode == OpenSceneMode.Single)
                CloseAll();
            else if (known != null)
                SceneFile.Close(known);
            SceneData.All.Add(scene);
            if (mode == OpenSceneMode.AdditiveWithoutLoading)
                scene.IsLoaded = false;
            if (mode == OpenSceneMode.Single || SceneData.Active == null)
                Activate(scene);
            EditorEvents.HierarchyChanged();
            Raise(sceneOpened, scene.Scene, mode);
            return scene.Scene;
        }

        static SceneData Load(string path)
        {
            try
            {
                FlatFiles.Forget();
                return SceneFile.Load(path);
            }
            catch (YamlError e)
            {
                Debug.LogError("Unable to parse file " + path + ": " + e.Message);
            }
            catch (IOException e)
            {
                Debug.LogError("Unable to open scene file " + path + ": " + e.Message);
            }
            return null;
        }

        public static Scene NewScene(NewSceneSetup setup) { return NewScene(setup, NewSceneMode.Single); }

        public static Scene NewScene(NewSceneSetup setup, NewSceneMode mode)
        {
            RefuseInPlayMode();
            SceneData scene = SceneFile.New();
            if (mode == NewSceneMode.Single)
                CloseAll();
            else if (SceneData.All.Exists(other => other.Path.Length == 0 && !other.IsPreview))
                throw new InvalidOperationException("Cannot create a new scene additively with an untitled scene unsaved.");
            SceneData.All.Add(scene);
            if (mode == NewSceneMode.Single)
                Activate(scene);
            if (setup == NewSceneSetup.DefaultGameObjects)
                AddDefaults(scene);
            EditorEvents.HierarchyChanged();
            if (newSceneCreated != null)
                newSceneCreated(scene.Scene, setup, mode);
            return scene.Scene;
        }

        static void AddDefaults(SceneData scene)
        {
            var camera = new GameObject("Main Camera", typeof(Camera), typeof(AudioListener)) { tag = "MainCamera" };
            var light = new GameObject("Directional Light", typeof(Light));
            camera.transform.localPosition = new Vector3(0, 1, -10);
            light.transform.localPosition = new Vector3(0, 3, 0);
            light.transform.localEulerAngles = new Vector3(50, -30, 0);
            light.GetComponent<Light>().type = LightType.Directional;
            MoveGameObjectToScene(camera, scene.Scene);
            MoveGameObjectToScene(light, scene.Scene);
        }

        public static bool CloseScene(Scene scene, bool removeScene)
        {
            SceneData data = scene.Data;
            bool isLast = SceneData.All.FindAll(other => !other.IsPreview).Count <= 1;
            if (data == null || data.IsPreview || isLast)
                return false;
            if (sceneClosing != null)
                sceneClosing(scene, removeScene);
            int at = SceneData.All.IndexOf(data);
            bool wasActive = ReferenceEquals(SceneData.Active, data);
            SceneFile.Close(data);
            if (!removeScene)
            {
                data.IsLoaded = false;
                data.IsDirty = false;
                data.Roots.Clear();
                SceneData.All.Insert(at, data);
            }
            if (wasActive)
                Activate(SceneData.All.Find(other => !other.IsPreview && other.IsLoaded) ?? SceneData.ActiveOrNew());
            EditorEvents.HierarchyChanged();
            if (sceneClosed != null)
                sceneClosed(scene);
            return true;
        }

        static void CloseAll()
        {
            foreach (SceneData scene in SceneData.All.ToArray())
            {
                if (scene.IsPreview)
                    continue;
                if (sceneClosing != null)
                    sceneClosing(scene.Scene, true);
                Scene handle = scene.Scene;
                SceneFile.Close(scene);
                if (sceneClosed != null)
                    sceneClosed(handle);
            }
            Undo.ClearAll(); /* the objects it could restore are gone with their scene */
        }

        internal static void Activate(SceneData scene)
        {
            Scene before = SceneData.Active == null ? new Scene() : SceneData.Active.Scene;
            SceneData.Active = scene;
            if (activeSceneChangedInEditMode != null && before != scene.Scene)
                activeSceneChangedInEditMode(before, scene.Scene);
        }

        /* ---- saving */

        public static bool SaveScene(Scene scene) { return SaveScene(scene, "", false); }
        public static bool SaveScene(Scene scene, string dstScenePath) { return SaveScene(scene, dstScenePath, false); }

        public static bool SaveScene(Scene scene, string dstScenePath, bool saveAsCopy)
        {
            RefuseInPlayMode();
            SceneData data = scene.Data;
            if (data == null || !data.IsLoaded)
                throw new ArgumentException("Cannot save an invalid or unloaded scene.");
            string path = string.IsNullOrEmpty(dstScenePath) ? data.Path : Clean(dstScenePath);
            string disk = string.IsNullOrEmpty(path) ? null : ProjectFolder.Assets.DiskPath(path);
            if (disk == null)
                return false;
            if (sceneSaving != null)
                sceneSaving(scene, path);
            if (!Write(data, disk))
                return false;
            if (!saveAsCopy)
            {
                data.Path = path;
                data.Name = ProjectFolder.Stem(path);
                data.IsDirty = false;
            }
            AssetImports.EnsureAll();
            AssetEntry entry = ProjectFolder.Assets.ByPath(path);
            if (!saveAsCopy && entry != null)
                data.Guid = entry.Guid;
            if (sceneSaved != null)
                sceneSaved(scene);
            return true;
        }

        static bool Write(SceneData scene, string disk)
        {
            try
            {
                ProjectFolder.WriteText(disk, SceneSaver.Text(scene));
                return true;
            }
            catch (IOException e)
            {
                Debug.LogError("Unable to save " + scene.Path + ": " + e.Message);
            }
            catch (UnauthorizedAccessException e)
            {
                Debug.LogError("Unable to save " + scene.Path + ": " + e.Message);
            }
            return false;
        }

        public static bool SaveScenes(Scene[] scenes)
        {
            bool isGood = true;
            foreach (Scene scene in scenes)
                isGood &= SaveScene(scene);
            return isGood;
        }

        public static bool SaveOpenScenes()
        {
            bool isGood = true;
            foreach (SceneData scene in SceneData.All.ToArray())
                if (scene.IsDirty && scene.IsLoaded && !scene.IsPreview)
                    isGood &= SaveScene(scene.Scene);
            return isGood;
        }

        /* ---- changes */

        public static bool MarkSceneDirty(Scene scene)
        {
            SceneData data = scene.Data;
            if (data == null || !data.IsLoaded || HostState.IsPlaying)
                return false;
            if (data.IsDirty)
                return true;
            data.IsDirty = true;
            if (sceneDirtied != null)
                sceneDirtied(scene);
            return true;
        }

        public static void MarkAllScenesDirty()
        {
            foreach (SceneData scene in SceneData.All.ToArray())
                MarkSceneDirty(scene.Scene);
        }

        public static bool IsPreviewScene(Scene scene) { return scene.Data != null && scene.Data.IsPreview; }

        public static Scene NewPreviewScene()
        {
            SceneData scene = SceneFile.New();
            scene.IsPreview = true;
            SceneData.All.Add(scene);
            return scene.Scene;
        }

        public static bool ClosePreviewScene(Scene scene)
        {
            if (!IsPreviewScene(scene))
                return false;
            SceneFile.Close(scene.Data);
            return true;
        }

        static void RefuseInPlayMode()
        {
            if (HostState.IsPlaying)
                throw new InvalidOperationException("This cannot be used during play mode, please use "
                    + "SceneManager.LoadScene()/EditorSceneManager.LoadSceneInPlayMode() instead.");
        }

        /* The path relative to the project, with slashes; null: outside. */
        static string Clean(string path)
        {
            if (string.IsNullOrEmpty(path))
                return null;
            string clean = path.Replace('\\', '/');
            if (clean.StartsWith(ProjectFolder.Root + "/", StringComparison.Ordinal))
                clean = clean.Substring(ProjectFolder.Root.Length + 1);
            return new List<string>(clean.Split('/')).Contains("..") ? null : clean;
        }

        static void Raise(SceneOpeningCallback callback, string path, OpenSceneMode mode)
        {
            if (callback != null)
                callback(path, mode);
        }

        static void Raise(SceneOpenedCallback callback, Scene scene, OpenSceneMode mode)
        {
            if (callback != null)
                callback(scene, mode);
        }
    }
}
