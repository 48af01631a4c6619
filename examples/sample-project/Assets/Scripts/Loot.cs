using System;
using UnityEngine;

namespace MyGame
{
    public enum Rarity
    {
        Common,
        Rare,
        Unique,
    }

    [Serializable]
    public class Loot
    {
        public string id = "coin";
        [Min(0)] public int amount = 1;
        public Rarity rarity;
    }
}
