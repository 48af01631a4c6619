namespace UnityEngine
{
    /// <summary>Does nothing: there is no screen.</summary>
    public sealed class Gizmos
    {
        public static Color color { get; set; } = Color.white;
        public static Matrix4x4 matrix { get; set; } = Matrix4x4.identity;

        public static void DrawLine(Vector3 from, Vector3 to) { }
        public static void DrawRay(Vector3 from, Vector3 direction) { }
        public static void DrawRay(Ray r) { }
        public static void DrawSphere(Vector3 center, float radius) { }
        public static void DrawWireSphere(Vector3 center, float radius) { }
        public static void DrawCube(Vector3 center, Vector3 size) { }
        public static void DrawWireCube(Vector3 center, Vector3 size) { }
        public static void DrawIcon(Vector3 center, string name) { }
        public static void DrawIcon(Vector3 center, string name, bool allowScaling) { }
    }
}
