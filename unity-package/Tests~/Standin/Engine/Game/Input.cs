namespace UnityEngine
{
    /// <summary>There is no input.</summary>
    public class Input
    {
        public static Vector3 mousePosition { get { return Vector3.zero; } }
        public static Vector2 mouseScrollDelta { get { return Vector2.zero; } }
        public static bool anyKey { get { return false; } }
        public static bool anyKeyDown { get { return false; } }
        public static string inputString { get { return ""; } }
        public static int touchCount { get { return 0; } }

        public static float GetAxis(string axisName) { return 0; }
        public static float GetAxisRaw(string axisName) { return 0; }
        public static bool GetButton(string buttonName) { return false; }
        public static bool GetButtonDown(string buttonName) { return false; }
        public static bool GetButtonUp(string buttonName) { return false; }
        public static bool GetKey(KeyCode key) { return false; }
        public static bool GetKeyDown(KeyCode key) { return false; }
        public static bool GetKeyUp(KeyCode key) { return false; }
        public static bool GetKey(string name) { return false; }
        public static bool GetKeyDown(string name) { return false; }
        public static bool GetMouseButton(int button) { return false; }
        public static bool GetMouseButtonDown(int button) { return false; }
        public static bool GetMouseButtonUp(int button) { return false; }
    }
}
