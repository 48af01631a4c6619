using UnityEngine;

namespace MyGame
{
    public class VectorHolder : Holder<Vector3>
    {
        public string label = "a place";
    }
}
