using System.Collections.Generic;
using UnityEngine.SceneManagement;

namespace Multiverse.Editor
{
    /// <summary>
    /// Finds what Unity would ask the user about before it closes scenes. The user may be absent,
    /// so tools check first and report what is unsaved and what to do.
    /// </summary>
    public static class Unsaved
    {
        /// <summary>The open scenes with unsaved changes, the active one first.</summary>
        public static List<Scene> Scenes()
        {
            var unsaved = new List<Scene>();
            Scene active = SceneManager.GetActiveScene();
            for (int i = 0; i < SceneManager.sceneCount; i++)
            {
                Scene scene = SceneManager.GetSceneAt(i);
                if (scene.isDirty)
                    unsaved.Insert(scene == active ? 0 : unsaved.Count, scene);
            }
            return unsaved;
        }

        /// <summary>The asset path of the prefab open in Prefab Mode with unsaved changes, or
        /// null.</summary>
        public static string Prefab() { return Compat.UnsavedPrefab(); }

        /// <summary>ERR_UNSAVED_CHANGES: what is unsaved, and what to do; null: nothing is.</summary>
        /// <param name="orElse">", or open_scene with discard_changes": the other way out; may be empty.</param>
        public static ToolError Error(string orElse)
        {
            List<Scene> scenes = Scenes();
            string prefab = Prefab();
            if (scenes.Count == 0 && prefab == null)
                return null;
            /* save_scene can save only the active scene, and only if it has a file. */
            bool canSave = scenes.Count == 1 && prefab == null && scenes[0].path.Length > 0 &&
                           scenes[0] == SceneManager.GetActiveScene();
            var names = new List<string>();
            foreach (Scene scene in scenes)
                names.Add(scene.path.Length > 0 ? scene.path : "the scene that has no file yet");
            if (prefab != null)
                names.Add(prefab + " (open in Prefab Mode)");
            return new ToolError("ERR_UNSAVED_CHANGES", string.Join(" and ", names.ToArray()) +
                                 (names.Count > 1 ? " have" : " has") + " unsaved changes: " +
                                 (canSave ? "save_scene first" : "save in Unity first") + orElse);
        }
    }
}
