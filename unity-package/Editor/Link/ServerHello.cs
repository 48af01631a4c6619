using System;

namespace Multiverse.Editor
{
    /// <summary>The server's hello, with numbers limited to valid ranges.</summary>
    public sealed class ServerHello
    {
        /// <summary>The largest message until a hello sets another limit.</summary>
        public const int DefaultMaxMessage = 1 << 20;
        const int mostMessage = 64 << 20;

        public readonly string Version, ConnectionId;
        public readonly int StatusIntervalMs, MaxMessageBytes;
        public readonly double ReconnectInitialMs, ReconnectMultiplier, ReconnectMaxMs, ReconnectJitter;

        public ServerHello(JsonValue message)
        {
            Version = message.GetString("server_version", "?");
            ConnectionId = message.GetString("connection_id", "");
            StatusIntervalMs = (int)ReadNumber(message, "editor_status_interval_ms", 5000, 10, 600000);
            MaxMessageBytes = (int)ReadNumber(message, "max_message_bytes", DefaultMaxMessage, 4096, mostMessage);
            ReconnectInitialMs = ReadNumber(message, "reconnect_initial_ms", 200, 1, 60000);
            ReconnectMultiplier = ReadNumber(message, "reconnect_multiplier", 1.8, 1, 10);
            ReconnectMaxMs = ReadNumber(message, "reconnect_max_ms", 5000, 1, 600000);
            ReconnectJitter = ReadNumber(message, "reconnect_jitter", 0.2, 0, 1);
        }

        static double ReadNumber(JsonValue message, string key, double normal, double least, double most)
        {
            JsonValue value = message.Get(key);
            return value.IsNumber ? Math.Max(least, Math.Min(most, value.AsDouble)) : normal;
        }
    }
}
