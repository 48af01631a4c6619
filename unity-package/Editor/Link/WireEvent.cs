namespace Multiverse.Editor
{
    public enum WireEventKind
    {
        /// <summary>The server accepted this editor; Server has its hello.</summary>
        Opened,
        /// <summary>A message from the server.</summary>
        Message,
        /// <summary>An open connection has ended.</summary>
        Closed,
        /// <summary>The port refused this editor. Sent only when the cause changes.</summary>
        Refused
    }

    /// <summary>An event from the wire's thread for the main thread. Immutable.</summary>
    public sealed class WireEvent
    {
        public readonly WireEventKind Kind;
        /// <summary>The connection's number, unique in a domain; 0 for a refusal.</summary>
        public readonly int Epoch;
        public JsonValue Message = JsonValue.None;
        public ServerHello Server;
        public Refusal Refusal;
        public string Reason = "";
        /// <summary>When the event happened, in time of the Clock.</summary>
        public long AtMs;

        public WireEvent(WireEventKind kind, int epoch)
        {
            Kind = kind;
            Epoch = epoch;
            AtMs = Clock.NowMs;
        }
    }
}
