using System;

namespace Multiverse.Editor
{
    public enum EditorState { Ready, Compiling, Reloading }

    /// <summary>
    /// What the server is told about the editor, at one moment. Immutable: the main thread makes it,
    /// the thread of the connection repeats it as a sign of life.
    /// </summary>
    public sealed class Snapshot
    {
        public readonly EditorState State;
        /// <summary>"Assets/Scenes/Main.unity", or null for a scene that was never saved.</summary>
        public readonly string ActiveScene;
        public readonly bool SceneDirty, IsPlaying, IsPaused;
        /// <summary>Other numbers than before: there is something new in the scene, in the console.</summary>
        public readonly long SceneSeq, ConsoleSeq;

        public Snapshot(EditorState state, string activeScene, bool sceneDirty, bool isPlaying, bool isPaused,
                        long sceneSeq, long consoleSeq)
        {
            State = state;
            ActiveScene = string.IsNullOrEmpty(activeScene) ? null : activeScene;
            SceneDirty = sceneDirty;
            IsPlaying = isPlaying;
            IsPaused = isPaused;
            SceneSeq = sceneSeq;
            ConsoleSeq = consoleSeq;
        }

        public Snapshot With(EditorState state)
        {
            return new Snapshot(state, ActiveScene, SceneDirty, IsPlaying, IsPaused, SceneSeq, ConsoleSeq);
        }

        public bool IsSameButForNews(Snapshot other)
        {
            return other != null && State == other.State && SceneDirty == other.SceneDirty &&
                   IsPlaying == other.IsPlaying && IsPaused == other.IsPaused &&
                   string.Equals(ActiveScene, other.ActiveScene, StringComparison.Ordinal);
        }
    }
}
