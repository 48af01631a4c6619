using UnityEngine;

namespace MyGame
{
    /// <summary>What all that lives has. Abstract: it cannot be put on an object itself.</summary>
    public abstract class Character : MonoBehaviour
    {
        [SerializeField, Range(0, 100)] protected int health = 100;
        [SerializeField] private string title = "Nobody";

        public string Title => title;

        public abstract void Act();
    }
}
