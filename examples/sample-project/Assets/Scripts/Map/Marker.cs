using UnityEngine;

namespace MyGame.Map
{
    /// <summary>A place on the map. There is another Marker: of a place in a piece of music.</summary>
    public class Marker : MonoBehaviour
    {
        public Color color = Color.red;
    }
}
