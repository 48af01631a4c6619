using System.Collections.Generic;
using UnityEngine;

namespace MyGame
{
    public abstract class Holder<T> : MonoBehaviour
    {
        public T held;
        [SerializeField] private List<T> spares = new List<T>();

        public int Count => spares.Count;
    }
}
