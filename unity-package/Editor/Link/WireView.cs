namespace Multiverse.Editor
{
    public enum WireState { Stopped, Connecting, Waiting, Refused, Connected }

    /// <summary>How a connection stands, for the settings page. Immutable; a new one for each change.</summary>
    public sealed class WireView
    {
        public readonly WireState State;
        public readonly int Port;
        /// <summary>Why it is not connected, or the server's version.</summary>
        public readonly string Words;
        /// <summary>By the Clock: connected since, or the next try.</summary>
        public readonly long AtMs;

        public WireView(WireState state, int port, string words, long atMs)
        {
            State = state;
            Port = port;
            Words = words;
            AtMs = atMs;
        }
    }
}
