using System;

namespace Multiverse.Editor
{
    public enum EditorState { Ready, Compiling, Reloading }

    /// <summary>
    /// The reported state of the editor at one moment. Immutable: the main thread creates it, the
    /// wire's thread sends it as heartbeat.
    /// </summary>
    public sealed class Snapshot
    {
        public readonly EditorState State;
        /// <summary>"Assets/Scenes/Main.unity", or null if the scene was never saved.</summary>
        public readonly string ActiveScene;
        public readonly bool SceneDirty, IsPlaying, IsPaused;
        /// <summary>Counters that change when the scene or the console has changed.</summary>
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

        public bool HasSameState(Snapshot other)
        {
            return other != null && State == other.State && SceneDirty == other.SceneDirty &&
                   IsPlaying == other.IsPlaying && IsPaused == other.IsPaused &&
                   string.Equals(ActiveScene, other.ActiveScene, StringComparison.Ordinal);
        }
    }
}
