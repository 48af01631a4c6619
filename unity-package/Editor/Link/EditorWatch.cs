using UnityEditor;
using UnityEditor.SceneManagement;
using UnityEngine.SceneManagement;

namespace Multiverse.Editor
{
    /// <summary>
    /// Reads the editor's state in each update and makes a new <see cref="Snapshot"/> only after a
    /// change. Reading a scene's path allocates, so the path is read only after an event that may
    /// have changed it. Changes of the scene and the console are collected for <see
    /// cref="GatherMs"/> and reported together. Main thread only.
    /// </summary>
    public sealed class EditorWatch
    {
        public const int GatherMs = 50;

        Snapshot current;
        Scene scene;
        bool isStale = true;
        long changesDueMs; /* 0: no change is being collected */

        public EditorWatch()
        {
            EditorSceneManager.sceneOpened += (opened, mode) => isStale = true;
            EditorSceneManager.sceneSaved += saved => isStale = true;
            EditorSceneManager.newSceneCreated += (created, setup, mode) => isStale = true;
            EditorSceneManager.activeSceneChangedInEditMode += (old, now) => isStale = true;
            SceneManager.activeSceneChanged += (old, now) => isStale = true;
            /* the scene's file may have been renamed */
            EditorApplication.projectChanged += () => isStale = true;
        }

        /// <summary>Changes are being collected: a new snapshot is due soon.</summary>
        public bool HasPendingChanges { get { return changesDueMs != 0; } }

        /// <summary>Return the state now; the same object as before if nothing changed.</summary>
        public Snapshot TakeSnapshot()
        {
            Scene active = SceneManager.GetActiveScene();
            EditorState state = EditorApplication.isCompiling ? EditorState.Compiling : EditorState.Ready;
            bool isDirty = active.isDirty;
            bool isPlaying = EditorApplication.isPlaying, isPaused = EditorApplication.isPaused;
            if (!isStale && active == scene && state == current.State && isDirty == current.SceneDirty &&
                isPlaying == current.IsPlaying && isPaused == current.IsPaused && !ChangesAreDue())
                return current;
            isStale = false;
            scene = active;
            var next = new Snapshot(state, active.path, isDirty, isPlaying, isPaused, SceneChanges.Count,
                                    ConsoleFeed.Buffer.Serial);
            if (next.HasSameState(current) && !ChangesAreDue())
                return current;
            changesDueMs = 0;
            return current = next;
        }

        bool ChangesAreDue()
        {
            if (SceneChanges.Count == current.SceneSeq && ConsoleFeed.Buffer.Serial == current.ConsoleSeq)
                return false;
            long now = Clock.NowMs;
            if (changesDueMs == 0)
                changesDueMs = now + GatherMs;
            return now >= changesDueMs;
        }

        /// <summary>Like TakeSnapshot, but read everything again: a tool has run and may have changed
        /// anything.</summary>
        public Snapshot TakeFreshSnapshot()
        {
            isStale = true;
            return TakeSnapshot();
        }
    }
}
