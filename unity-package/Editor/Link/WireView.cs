namespace Multiverse.Editor
{
    public enum WireState { Stopped, Connecting, Waiting, Refused, Connected }

    /// <summary>The state of a connection for the settings page. Immutable; replaced on each
    /// change.</summary>
    public sealed class WireView
    {
        public readonly WireState State;
        public readonly int Port;
        /// <summary>Why it is not connected, or the server's version.</summary>
        public readonly string Text;
        /// <summary>The time of the connection, or of the next attempt, in time of the Clock.</summary>
        public readonly long AtMs;

        public WireView(WireState state, int port, string text, long atMs)
        {
            State = state;
            Port = port;
            Text = text;
            AtMs = atMs;
        }
    }
}
