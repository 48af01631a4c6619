namespace UnityEngine
{
    public sealed class Screen
    {
        public static int width { get { return 1920; } }
        public static int height { get { return 1080; } }
        public static float dpi { get { return 96; } }
        public static bool fullScreen { get; set; }
    }

    public class Cursor
    {
        public static bool visible { get; set; } = true;
        public static CursorLockMode lockState { get; set; }
    }
}
