namespace UnityEngine
{
    public static class Time
    {
        internal static float frameSeconds;
        internal static float seconds;
        internal static int frames;

        public static float deltaTime { get { return frameSeconds * timeScale; } }
        public static float unscaledDeltaTime { get { return frameSeconds; } }
        public static float time { get { return seconds; } }
        public static float unscaledTime { get { return seconds; } }
        public static int frameCount { get { return frames; } }
        public static float fixedDeltaTime { get; set; } = 0.02f;
        public static float timeScale { get; set; } = 1;
        public static float realtimeSinceStartup { get { return (float)clock.Elapsed.TotalSeconds; } }

        static readonly System.Diagnostics.Stopwatch clock = System.Diagnostics.Stopwatch.StartNew();
    }
}
