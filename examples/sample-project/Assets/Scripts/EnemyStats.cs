using System;

namespace MyGame
{
    public enum ElementType
    {
        None,
        Fire,
        Ice,
        Storm,
    }

    [Serializable]
    public struct EnemyStats
    {
        public int hp;
        public float attackPower;
        public ElementType element;

        /// <summary>What an attack does to this element: fire and ice hurt each other twice.</summary>
        public float Against(ElementType other)
        {
            var opposite = (element == ElementType.Fire && other == ElementType.Ice)
                || (element == ElementType.Ice && other == ElementType.Fire);
            return opposite ? attackPower * 2 : attackPower;
        }
    }
}
