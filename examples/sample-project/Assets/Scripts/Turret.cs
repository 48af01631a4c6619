using UnityEngine;

namespace MyGame
{
    [RequireComponent(typeof(Rigidbody))]
    public class Turret : MonoBehaviour
    {
        public float range = 10f;
        public Transform barrel;

        private void Awake()
        {
            GetComponent<Rigidbody>().isKinematic = true;
        }
    }
}
