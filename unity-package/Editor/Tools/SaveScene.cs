using System;
using System.Collections.Generic;
using System.IO;
using UnityEditor;
using UnityEditor.SceneManagement;
using UnityEngine.SceneManagement;

namespace Multiverse.Editor
{
    /// <summary>
    /// save_scene: saves the active scene to its file. Cases in which Unity would open a dialog (no
    /// name, file not writable) are checked first.
    /// </summary>
    public sealed class SaveScene : Tool
    {
        public override string Name { get { return "save_scene"; } }

        public override IEnumerator<Pause> Run(ToolCall call)
        {
            Scene scene = SceneManager.GetActiveScene();
            long bytes = 0;
            if (!scene.IsValid())
                throw new ToolError("ERR_NO_SCENE", "no scene is open: open one with open_scene");
            if (EditorApplication.isPlayingOrWillChangePlaymode)
                throw new ToolError("ERR_PLAY_MODE_ACTIVE", "scenes are not saved in play mode: " +
                                                            "control_play_mode stop first");
            bool isDirty = scene.isDirty;
            if (isDirty)
                bytes = SaveFile(scene);
            JsonWriter w = call.Out;
            w.BeginObject();
            w.Member("scene_path", scene.path);
            w.Member("saved", isDirty);
            w.Member("bytes", bytes);
            w.EndObject();
            yield break;
        }

        static long SaveFile(Scene scene)
        {
            string path = scene.path;
            CheckPlace(path);
            string file = SceneFiles.OnDisk(path);
            CheckFile(path, file);
            long before = ConsoleFeed.Buffer.Serial;
            if (!EditorSceneManager.SaveScene(scene))
                throw Io("Unity did not save " + path + FindReason(before));
            var written = new FileInfo(file);
            return written.Exists ? written.Length : 0;
        }

        static void CheckPlace(string path)
        {
            if (path.Length == 0)
                throw new ToolError("ERR_SCENE_UNTITLED",
                                    "the open scene has no file yet: save it once in Unity with a name " +
                                    "(File > Save As), then save_scene saves it");
            if (SceneFiles.IsReadOnly(path))
                throw new ToolError("ERR_PACKAGE_READ_ONLY",
                                    path + " belongs to a package in Unity's cache, where changes are lost: copy " +
                                    "the package from Library/PackageCache to Packages, or the scene to Assets, " +
                                    "and change the copy");
            if (SceneFiles.IsOutside(path))
                throw new ToolError("ERR_OUTSIDE_PROJECT",
                                    path + " is outside the project's folder and cannot be written: copy the scene " +
                                    "to Assets and change the copy");
        }

        /* Unity would open a dialog for a file that cannot be written. */
        static void CheckFile(string path, string file)
        {
            string reason;
            if (!AssetDatabase.IsOpenForEdit(path, out reason))
                throw Io("cannot write " + path + ": " + (string.IsNullOrEmpty(reason) ? "it is not open for edit" : reason));
            try
            {
                if (!File.Exists(file))
                    return; /* deleted outside: it will be created */
                if ((File.GetAttributes(file) & FileAttributes.ReadOnly) != 0)
                    throw Io("cannot write " + path + ": it is read-only");
                using (new FileStream(file, FileMode.Open, FileAccess.ReadWrite,
                                      FileShare.ReadWrite | FileShare.Delete))
                {
                }
            }
            catch (IOException e)
            {
                throw Io("cannot write " + path + ": " + e.Message);
            }
            catch (UnauthorizedAccessException e)
            {
                throw Io("cannot write " + path + ": " + e.Message);
            }
        }

        static string FindReason(long before)
        {
            foreach (ConsoleEntry e in ConsoleFeed.Buffer.Snapshot())
                if (e.Serial > before && e.Type >= ConsoleType.Error)
                    return ": " + e.Message;
            return "";
        }

        static ToolError Io(string message) { return new ToolError("ERR_IO", message); }
    }
}
