using UnityEditor;

namespace Multiverse.Editor
{
    /// <summary>When nothing may be edited.</summary>
    public static class EditGuard
    {
        /// <summary>Throws ERR_PLAY_MODE_ACTIVE in play mode, and on the way into it and out of it.</summary>
        public static void Check()
        {
            if (EditorApplication.isPlaying || EditorApplication.isPlayingOrWillChangePlaymode)
                throw new ToolError("ERR_PLAY_MODE_ACTIVE",
                    "the editor is in play mode, and what is changed then is lost when it ends: stop it with " +
                    "control_play_mode first");
        }
    }
}
