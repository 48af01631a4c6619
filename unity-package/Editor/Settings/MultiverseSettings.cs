using UnityEngine;

namespace Multiverse.Editor
{
    /// <summary>
    /// The format of ProjectSettings/MultiverseSettings.asset. An instance exists only while <see
    /// cref="LinkSettings"/> reads or writes the file, because a ScriptableObject survives domain
    /// reloads.
    /// </summary>
    public sealed class MultiverseSettings : ScriptableObject
    {
        [SerializeField] internal int port = LinkSettings.DefaultPort;
        [SerializeField] internal bool isEnabled = true;
        [SerializeField] internal string tokenFile = "";
    }
}
