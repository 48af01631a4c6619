using System;

namespace Multiverse.Editor
{
    public enum RefusalCause { AnotherEditor, AnotherProject, Protocol, Token, NotMultiverse, Other }

    /// <summary>Why a port refused this editor: the cause and the reason as text.</summary>
    public sealed class Refusal
    {
        public readonly RefusalCause Cause;
        public readonly string Reason;

        public Refusal(RefusalCause cause, string reason)
        {
            Cause = cause;
            Reason = reason;
        }

        /// <summary>Classify the server's error message or close reason.</summary>
        public static Refusal FromServer(string reason)
        {
            RefusalCause cause = RefusalCause.Other;
            if (reason.StartsWith("another editor is connected", StringComparison.Ordinal))
                cause = RefusalCause.AnotherEditor;
            else if (reason.StartsWith("this server is for another project", StringComparison.Ordinal))
                cause = RefusalCause.AnotherProject;
            else if (reason.StartsWith("protocol_version", StringComparison.Ordinal))
                cause = RefusalCause.Protocol;
            return new Refusal(cause, reason);
        }

        /// <summary>Classify an HTTP response that is no WebSocket upgrade.</summary>
        public static Refusal FromHttp(int status, string reason)
        {
            RefusalCause cause = status == 401 ? RefusalCause.Token : RefusalCause.NotMultiverse;
            return new Refusal(cause, reason.Length > 0 ? reason : "HTTP status " + status);
        }
    }
}
