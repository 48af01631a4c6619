using UnityEngine;

namespace Multiverse.Editor
{
    /// <summary>
    /// How many of the tools' steps are done and not undone, kept where Unity's undo finds it: each
    /// step changes the number in its own undo group. Whoever undoes or redoes the step, be it a tool
    /// or the user, moves the number with it; so it is right in every version of Unity and across
    /// domain reloads, and nothing has to be guessed from names of groups.
    /// It is in no scene and in no asset and is never saved. Part of <see cref="EditHistory"/>.
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
