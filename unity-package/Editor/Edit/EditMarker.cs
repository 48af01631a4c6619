using UnityEngine;

namespace Multiverse.Editor
{
    /// <summary>
    /// The number of tool steps that are done and not undone, stored where Unity's undo restores
    /// it: each step changes the number in its own undo group, so an undo or redo by a tool or the
    /// user changes it too. This works in every version of Unity and across domain reloads, without
    /// relying on group names. The object is in no scene or asset and is never saved. Part of <see
    /// cref="EditHistory"/>.
    /// </summary>
    internal sealed class EditMarker : ScriptableObject
    {
        [SerializeField] int step;

        /// <summary>The number of the newest step that is done; 0: none.</summary>
        public int Step
        {
            get { return step; }
            set { step = value; }
        }
    }
}
