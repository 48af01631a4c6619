using UnityEngine;

namespace MyGame
{
    public class Guard : Character
    {
        public enum Alertness
        {
            Asleep,
            Awake = 1,
            Alarmed = 10,
        }

        public float patrolRadius = 5f;
        public Breakable watched;
        [SerializeField] private Alertness alertness = Alertness.Awake;

        public override void Act()
        {
            if (alertness == Alertness.Alarmed && watched != null)
                watched.Hit(health);
        }
    }
}
