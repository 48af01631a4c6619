using UnityEditor;
using UnityEditor.SceneManagement;
using UnityEngine.SceneManagement;

namespace Multiverse.Editor
{
    /// <summary>
    /// Looks at the editor in each update, and makes a new <see cref="Snapshot"/> only when something is
    /// different. The path of a scene costs a text each time it is asked for, so it is asked for only
    /// after an event that may have changed it. What is new in the scene and in the console is gathered for
    /// <see cref="NewsMs"/>, so that one word tells all of it. Main thread only.
    /// </summary>
    public sealed class EditorWatch
    {
        public const int NewsMs = 50;

        Snapshot current;
        Scene scene;
        bool isStale = true;
        long newsDueMs; /* 0: nothing is gathered */

        public EditorWatch()
        {
            EditorSceneManager.sceneOpened += (opened, mode) => isStale = true;
            EditorSceneManager.sceneSaved += saved => isStale = true;
            EditorSceneManager.newSceneCreated += (made, setup, mode) => isStale = true;
            EditorSceneManager.activeSceneChangedInEditMode += (old, now) => isStale = true;
            SceneManager.activeSceneChanged += (old, now) => isStale = true;
            EditorApplication.projectChanged += () => isStale = true; /* it may have another name */
        }

        /// <summary>Something new is gathered: another look is due soon.</summary>
        public bool HasNews { get { return newsDueMs != 0; } }

        /// <summary>The same object as before if nothing has changed.</summary>
        public Snapshot Look()
        {
            Scene active = SceneManager.GetActiveScene();
            EditorState state = EditorApplication.isCompiling ? EditorState.Compiling : EditorState.Ready;
            bool isDirty = active.isDirty;
            bool isPlaying = EditorApplication.isPlaying, isPaused = EditorApplication.isPaused;
            if (!isStale && active == scene && state == current.State && isDirty == current.SceneDirty &&
                isPlaying == current.IsPlaying && isPaused == current.IsPaused && !NewsAreDue())
                return current;
            isStale = false;
            scene = active;
            var next = new Snapshot(state, active.path, isDirty, isPlaying, isPaused, SceneChanges.Count,
                                    ConsoleFeed.Buffer.Serial);
            if (next.IsSameButForNews(current) && !NewsAreDue())
                return current;
            newsDueMs = 0;
            return current = next;
        }

        bool NewsAreDue()
        {
            if (SceneChanges.Count == current.SceneSeq && ConsoleFeed.Buffer.Serial == current.ConsoleSeq)
                return false;
            long now = Clock.NowMs;
            if (newsDueMs == 0)
                newsDueMs = now + NewsMs;
            return now >= newsDueMs;
        }

        /// <summary>As Look, after a tool has run, which may have done anything.</summary>
        public Snapshot LookClosely()
        {
            isStale = true;
            return Look();
        }
    }
}
