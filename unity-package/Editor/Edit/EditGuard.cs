using UnityEditor;

namespace Multiverse.Editor
{
    /// <summary>Checks whether editing is allowed.</summary>
    public static class EditGuard
    {
        /// <summary>Throw ERR_PLAY_MODE_ACTIVE in play mode and during its start and end.</summary>
        public static void Check()
        {
            if (EditorApplication.isPlaying || EditorApplication.isPlayingOrWillChangePlaymode)
                throw new ToolError("ERR_PLAY_MODE_ACTIVE",
                    "the editor is in play mode, and what is changed then is lost when it ends: stop it with " +
                    "control_play_mode first");
        }
    }
}
