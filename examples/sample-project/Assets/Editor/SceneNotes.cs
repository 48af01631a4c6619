using UnityEngine;

namespace MyGame.Editing
{
    /// <summary>In an Editor folder: Unity refuses to put it on an object.</summary>
    public class SceneNotes : MonoBehaviour
    {
        [TextArea] public string notes;
    }
}
