using System.Collections.Generic;
using UnityEditor.SceneManagement;
using UnityEngine.SceneManagement;

namespace Standin.Testing
{
    /// <summary>
    /// Tests run in a new scene; the open scenes are restored after the run. Unity asks about
    /// unsaved changes first, with a modal dialog unless it runs in batch mode.
    /// </summary>
    static class TestScenes
    {
        /// <summary>Return false, without a change, if the dialog was cancelled.</summary>
        public static bool Leave(List<string> open)
        {
            for (int i = 0; i < SceneManager.sceneCount; i++)
            {
                Scene scene = SceneManager.GetSceneAt(i);
                if (scene.isDirty && !HostState.IsBatchMode)
                {
                    Dialogs.Show("Scene(s) Have Been Modified", "Do you want to save the changes you made?");
                    return false;
                }
            }
            Scene active = SceneManager.GetActiveScene();
            for (int i = 0; i < SceneManager.sceneCount; i++)
            {
                Scene scene = SceneManager.GetSceneAt(i);
                if (scene.path.Length > 0)
                    open.Insert(scene == active ? 0 : open.Count, scene.path);
            }
            EditorSceneManager.NewScene(NewSceneSetup.DefaultGameObjects, NewSceneMode.Single);
            return true;
        }

        /// <summary>The first scene was the active one.</summary>
        public static void Return(List<string> open)
        {
            if (open.Count == 0)
                EditorSceneManager.NewScene(NewSceneSetup.DefaultGameObjects, NewSceneMode.Single);
            for (int i = 0; i < open.Count; i++)
                EditorSceneManager.OpenScene(open[i], i == 0 ? OpenSceneMode.Single : OpenSceneMode.Additive);
        }
    }
}
