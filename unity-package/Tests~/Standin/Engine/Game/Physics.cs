namespace UnityEngine
{
    public struct Ray
    {
        Vector3 from;
        Vector3 towards;

        public Ray(Vector3 origin, Vector3 direction)
        {
            from = origin;
            towards = direction.normalized;
        }

        public Vector3 origin { get { return from; } set { from = value; } }
        public Vector3 direction { get { return towards; } set { towards = value.normalized; } }

        public Vector3 GetPoint(float distance) { return from + towards * distance; }
    }

    public struct RaycastHit
    {
        public Vector3 point { get; set; }
        public Vector3 normal { get; set; }
        public float distance { get; set; }
        public Collider collider { get { return null; } }
        public Transform transform { get { return null; } }
        public Rigidbody rigidbody { get { return null; } }
    }

    public struct RaycastHit2D
    {
        public Vector2 point { get; set; }
        public Vector2 normal { get; set; }
        public float distance { get; set; }
        public Collider2D collider { get { return null; } }
        public Transform transform { get { return null; } }

        public static implicit operator bool(RaycastHit2D hit) { return false; }
    }

    /// <summary>There is no simulation; scripts only have to run.</summary>
    public class Physics
    {
        static readonly Collider[] none = new Collider[0];

        public const int DefaultRaycastLayers = -5;
        public const int AllLayers = -1;

        public static Vector3 gravity { get; set; } = new Vector3(0, -9.81f, 0);

        public static bool Raycast(Ray ray, out RaycastHit hitInfo) { return Miss(out hitInfo); }
        public static bool Raycast(Ray ray, out RaycastHit hitInfo, float maxDistance) { return Miss(out hitInfo); }
        public static bool Raycast(Ray ray, out RaycastHit hitInfo, float maxDistance, int layerMask)
        {
            return Miss(out hitInfo);
        }
        public static bool Raycast(Vector3 origin, Vector3 direction) { return false; }
        public static bool Raycast(Vector3 origin, Vector3 direction, float maxDistance) { return false; }
        public static bool Raycast(Vector3 origin, Vector3 direction, float maxDistance, int layerMask)
        {
            return false;
        }
        public static bool Raycast(Vector3 origin, Vector3 direction, out RaycastHit hitInfo)
        {
            return Miss(out hitInfo);
        }
        public static bool Raycast(Vector3 origin, Vector3 direction, out RaycastHit hitInfo, float maxDistance)
        {
            return Miss(out hitInfo);
        }
        public static bool Raycast(Vector3 origin, Vector3 direction, out RaycastHit hitInfo, float maxDistance,
                                   int layerMask)
        {
            return Miss(out hitInfo);
        }
        public static Collider[] OverlapSphere(Vector3 position, float radius) { return none; }
        public static Collider[] OverlapSphere(Vector3 position, float radius, int layerMask) { return none; }
        public static bool CheckSphere(Vector3 position, float radius) { return false; }
        public static bool CheckSphere(Vector3 position, float radius, int layerMask) { return false; }
        public static void IgnoreCollision(Collider collider1, Collider collider2) { }
        public static void IgnoreCollision(Collider collider1, Collider collider2, bool ignore) { }

        static bool Miss(out RaycastHit hit)
        {
            hit = new RaycastHit();
            return false;
        }
    }

    public class Physics2D
    {
        static readonly Collider2D[] none = new Collider2D[0];

        public static Vector2 gravity { get; set; } = new Vector2(0, -9.81f);

        public static RaycastHit2D Raycast(Vector2 origin, Vector2 direction) { return new RaycastHit2D(); }
        public static RaycastHit2D Raycast(Vector2 origin, Vector2 direction, float distance)
        {
            return new RaycastHit2D();
        }
        public static RaycastHit2D Raycast(Vector2 origin, Vector2 direction, float distance, int layerMask)
        {
            return new RaycastHit2D();
        }
        public static Collider2D OverlapCircle(Vector2 point, float radius) { return null; }
        public static Collider2D OverlapCircle(Vector2 point, float radius, int layerMask) { return null; }
        public static Collider2D[] OverlapCircleAll(Vector2 point, float radius) { return none; }
        public static Collider2D[] OverlapCircleAll(Vector2 point, float radius, int layerMask) { return none; }
    }

    public class Collision
    {
        public GameObject gameObject { get { return null; } }
        public Transform transform { get { return null; } }
        public Collider collider { get { return null; } }
        public Rigidbody rigidbody { get { return null; } }
        public Vector3 relativeVelocity { get { return Vector3.zero; } }
        public int contactCount { get { return 0; } }
    }

    public class Collision2D
    {
        public GameObject gameObject { get { return null; } }
        public Transform transform { get { return null; } }
        public Collider2D collider { get { return null; } }
        public Rigidbody2D rigidbody { get { return null; } }
        public Vector2 relativeVelocity { get { return Vector2.zero; } }
        public int contactCount { get { return 0; } }
    }
}
