using UnityEngine;

namespace MyGame.Audio
{
    /// <summary>A place in a piece of music. There is another Marker: of a place on the map.</summary>
    public class Marker : MonoBehaviour
    {
        public float beat;
    }
}
