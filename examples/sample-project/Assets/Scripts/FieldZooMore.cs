using UnityEngine;

namespace MyGame
{
    // The other half of the class: a file need not be named like what it holds.
    public partial class FieldZoo
    {
        public int more = 9;
        [SerializeField] private string[] evenMore;
    }
}
