namespace Multiverse.Editor
{
    public enum WireEventKind
    {
        /// <summary>The server has taken this editor: Server says what it is.</summary>
        Opened,
        /// <summary>A message of the server.</summary>
        Message,
        /// <summary>A connection that was open has ended.</summary>
        Closed,
        /// <summary>Something is there and does not take this editor. Told when the cause is a new one.</summary>
        Refused
    }

    /// <summary>What the thread of the connection tells the main thread. Immutable.</summary>
    public sealed class WireEvent
    {
        public readonly WireEventKind Kind;
        /// <summary>Number of the connection, never used twice in a domain; 0 of a refusal.</summary>
        public readonly int Epoch;
        public JsonValue Message = JsonValue.None;
        public ServerHello Server;
        public Refusal Refusal;
        public string Words = "";
        /// <summary>When it came, by the Clock.</summary>
        public long AtMs;

        public WireEvent(WireEventKind kind, int epoch)
        {
            Kind = kind;
            Epoch = epoch;
            AtMs = Clock.NowMs;
        }
    }
}
