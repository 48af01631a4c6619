using System;
using System.Collections.Generic;
using UnityEditor;
using UnityEditor.SceneManagement;
using UnityEngine.SceneManagement;

namespace Multiverse.Editor
{
    /// <summary>
    /// open_scene: replaces all open scenes, without a dialog. Unsaved changes are an error that
    /// names them, unless discard_changes is set.
    /// </summary>
    public sealed class OpenScene : Tool
    {
        public override string Name { get { return "open_scene"; } }

        public override IEnumerator<Pause> Run(ToolCall call)
        {
            string path = call.Arguments.GetString("path", "");
            bool discard = call.Arguments.GetBool("discard_changes", false);
            if (!path.EndsWith(SceneFiles.Extension, StringComparison.Ordinal))
                throw NotFound(path);
            if (EditorApplication.isPlayingOrWillChangePlaymode)
                throw new ToolError("ERR_PLAY_MODE_ACTIVE", "scenes are not opened in play mode: " +
                                                            "control_play_mode stop first");
            ToolError unsaved = discard ? null : Unsaved.Error(", or open_scene with discard_changes");
            if (unsaved != null)
                throw unsaved;
            if (!SceneFiles.Exists(path))
                throw NotFound(path);
            if (SceneFiles.IsReadOnly(path))
                throw new ToolError("ERR_PACKAGE_READ_ONLY",
                                    path + " belongs to a package in Unity's cache, whose scenes Unity does not " +
                                    "open: copy it to Assets and open the copy");
            string previous = SceneManager.GetActiveScene().path;
            Compat.DiscardUnsavedPrefab(); /* otherwise Unity asks when it leaves Prefab Mode */
            LoadScene(path);
            WriteAnswer(call.Out, path, previous);
            yield break;
        }

        static void LoadScene(string path)
        {
            Scene scene;
            try
            {
                scene = EditorSceneManager.OpenScene(path, OpenSceneMode.Single);
            }
            catch (ArgumentException e)
            {
                throw new ToolError("ERR_SCENE_UNREADABLE", path + ": " + e.Message);
            }
            catch (InvalidOperationException e)
            {
                throw new ToolError("ERR_SCENE_UNREADABLE", path + ": " + e.Message);
            }
            if (!scene.IsValid() || SceneManager.GetActiveScene().path != path)
                throw new ToolError("ERR_SCENE_UNREADABLE", path + ": Unity did not open it; read_console may say why");
        }

        static void WriteAnswer(JsonWriter w, string path, string previous)
        {
            w.BeginObject();
            w.Member("scene_name", SceneFiles.NameOf(path));
            w.Member("scene_path", path);
            w.Member("previous_scene_path", previous.Length > 0 ? previous : null);
            w.EndObject();
        }

        static ToolError NotFound(string path)
        {
            string near = SuggestScene(path);
            return new ToolError("ERR_SCENE_NOT_FOUND", "there is no scene at " + path +
                                 (near != null ? "; did you mean " + near + "?"
                                               : "; list_scenes shows the existing scenes"));
        }

        /* Suggest a scene for a path that does not exist: one with the same name (any if the
           name is empty), or a similar path. */
        static string SuggestScene(string path)
        {
            List<string> all = SceneFiles.All();
            string name = SceneFiles.NameOf(path);
            foreach (string candidate in all)
                if ((name.Length == 0 || SceneFiles.NameOf(candidate) == name) && candidate != path)
                    return candidate;
            var near = new Nearest(path);
            foreach (string candidate in all)
                if (candidate != path)
                    near.Offer(candidate);
            return near.Best;
        }
    }
}
