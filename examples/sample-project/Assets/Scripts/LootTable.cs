using UnityEngine;

namespace MyGame
{
    /// <summary>An asset, not a component.</summary>
    [CreateAssetMenu(menuName = "My Game/Loot table")]
    public class LootTable : ScriptableObject
    {
        public Loot[] entries;
        public Loot fallback;
    }
}
