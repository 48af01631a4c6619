namespace UnityEngine
{
    /* The members of engine components that scripts use most. There is no simulation, so most
       have no visible effect. The fields are in the generated parts of these classes. */

    public partial class Rigidbody
    {
        public Vector3 velocity { get; set; }
#if UNITY_6000_0_OR_NEWER
        public Vector3 linearVelocity { get; set; }
#endif
        public Vector3 angularVelocity { get; set; }
        public Vector3 position { get { return transform.position; } set { transform.position = value; } }
        public Quaternion rotation { get { return transform.rotation; } set { transform.rotation = value; } }

        public void AddForce(Vector3 force) { }
        public void AddForce(Vector3 force, ForceMode mode) { }
        public void AddForce(float x, float y, float z) { }
        public void AddRelativeForce(Vector3 force) { }
        public void AddTorque(Vector3 torque) { }
        public void AddTorque(Vector3 torque, ForceMode mode) { }
        public void MovePosition(Vector3 position) { transform.position = position; }
        public void MoveRotation(Quaternion rot) { transform.rotation = rot; }
        public void Sleep() { }
        public void WakeUp() { }
    }

    public partial class Rigidbody2D
    {
        public Vector2 velocity { get; set; }
#if UNITY_6000_0_OR_NEWER
        public Vector2 linearVelocity { get; set; }
#endif
        public Vector2 position { get { return transform.position; } set { transform.position = value; } }

        public void AddForce(Vector2 force) { }
        public void AddForce(Vector2 force, ForceMode2D mode) { }
        public void MovePosition(Vector2 position) { transform.position = position; }
    }

    public partial class CharacterController
    {
        public bool isGrounded { get { return false; } }
        public Vector3 velocity { get { return Vector3.zero; } }

        public bool SimpleMove(Vector3 speed) { return false; }

        public CollisionFlags Move(Vector3 motion)
        {
            transform.position += motion;
            return CollisionFlags.None;
        }
    }

    public partial class AudioSource
    {
        public bool isPlaying { get { return false; } }
        public float time { get; set; }

        public void Play() { }
        public void Stop() { }
        public void Pause() { }
        public void UnPause() { }
        public void PlayDelayed(float delay) { }
        public void PlayOneShot(AudioClip clip) { }
        public void PlayOneShot(AudioClip clip, float volumeScale) { }
        public static void PlayClipAtPoint(AudioClip clip, Vector3 position) { }
        public static void PlayClipAtPoint(AudioClip clip, Vector3 position, float volume) { }
    }

    public partial class Animator
    {
        public void SetBool(string name, bool value) { }
        public void SetBool(int id, bool value) { }
        public void SetFloat(string name, float value) { }
        public void SetFloat(int id, float value) { }
        public void SetInteger(string name, int value) { }
        public void SetInteger(int id, int value) { }
        public void SetTrigger(string name) { }
        public void SetTrigger(int id) { }
        public void ResetTrigger(string name) { }
        public void Play(string stateName) { }
        public bool GetBool(string name) { return false; }
        public float GetFloat(string name) { return 0; }
        public static int StringToHash(string name) { return name.GetHashCode(); }
    }

    public partial class ParticleSystem
    {
        public bool isPlaying { get { return false; } }

        public void Play() { }
        public void Play(bool withChildren) { }
        public void Stop() { }
        public void Stop(bool withChildren) { }
        public void Clear() { }
        public void Emit(int count) { }
    }

    public partial class Camera
    {
        /// <summary>Return the first active camera with the tag MainCamera.</summary>
        public static Camera main
        {
            get
            {
                foreach (GameObject tagged in GameObject.FindGameObjectsWithTag("MainCamera"))
                {
                    var camera = tagged.GetComponent<Camera>();
                    if (camera != null && camera.enabled)
                        return camera;
                }
                return null;
            }
        }

        public Ray ScreenPointToRay(Vector3 pos) { return new Ray(transform.position, transform.forward); }
        public Vector3 ScreenToWorldPoint(Vector3 position) { return transform.position; }
        public Vector3 WorldToScreenPoint(Vector3 position) { return Vector3.zero; }
        public Vector3 WorldToViewportPoint(Vector3 position) { return Vector3.zero; }
    }
}
