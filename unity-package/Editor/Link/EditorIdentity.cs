namespace Multiverse.Editor
{
    /// <summary>What stays the same in every hello of this domain. Immutable.</summary>
    public sealed class EditorIdentity
    {
        /// <summary>Of the package; the same as in package.json.</summary>
        public const string PackageVersion = "0.1.0";

        /// <summary>Of this process of the editor: the same before and after a domain reload.</summary>
        public readonly string InstanceId;
        /// <summary>Of this domain.</summary>
        public readonly string SessionId;
        public readonly string ProjectPath;
        public readonly string UnityVersion;

        public EditorIdentity(string instanceId, string sessionId, string projectPath, string unityVersion)
        {
            InstanceId = instanceId;
            SessionId = sessionId;
            ProjectPath = projectPath;
            UnityVersion = unityVersion;
        }
    }
}
