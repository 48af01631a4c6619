using UnityEngine;

namespace Multiverse.Editor
{
    /// <summary>
    /// The form of ProjectSettings/MultiverseSettings.asset. An object of it lives only while the file is
    /// read or written, by <see cref="LinkSettings"/>: one that stayed would outlive every domain reload.
    /// </summary>
    public sealed class MultiverseSettings : ScriptableObject
    {
        [SerializeField] internal int port = LinkSettings.DefaultPort;
        [SerializeField] internal bool isEnabled = true;
        [SerializeField] internal string tokenFile = "";
    }
}
