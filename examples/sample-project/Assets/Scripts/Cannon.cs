using UnityEngine;

namespace MyGame
{
    /// <summary>What a turret needs it needs too: the attribute is inherited, and it adds two of its own.</summary>
    [RequireComponent(typeof(AudioSource), typeof(SphereCollider))]
    public class Cannon : Turret
    {
        public int rounds = 6;
    }
}
