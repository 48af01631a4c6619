using System.Collections.Generic;
using UnityEngine;

namespace MyGame
{
    public class Breakable : MonoBehaviour
    {
        [SerializeField] private int hitPoints = 10;
        [SerializeField] private List<Loot> drops = new List<Loot>();
        [SerializeField] private GameObject broken;

        public bool Hit(int points)
        {
            hitPoints -= points;
            if (hitPoints > 0)
                return false;
            if (broken != null)
                Instantiate(broken, transform.position, transform.rotation);
            Destroy(gameObject);
            return drops.Count > 0;
        }
    }
}
