namespace Multiverse.Editor
{
    /// <summary>The part of the hello that is constant in a domain. Immutable.</summary>
    public sealed class EditorIdentity
    {
        /// <summary>The package's version; must equal package.json.</summary>
        public const string PackageVersion = "0.1.0";

        /// <summary>Identifies this editor process; constant across domain reloads.</summary>
        public readonly string InstanceId;
        /// <summary>Identifies this domain.</summary>
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
