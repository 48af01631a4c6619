using UnityEngine;

namespace MyGame
{
    public class Creature : MonoBehaviour
    {
        [SerializeField] protected int species;
        private int unseen;

        public int Look() => ++unseen;
    }
}
