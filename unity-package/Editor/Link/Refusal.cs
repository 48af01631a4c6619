using System;

namespace Multiverse.Editor
{
    public enum RefusalCause { AnotherEditor, AnotherProject, Protocol, Token, NotMultiverse, Other }

    /// <summary>Why a port refused this editor: the cause and the reason as text.</summary>
    public sealed class Refusal
    {
        public readonly RefusalCause Cause;
        public readonly string Words;

        public Refusal(RefusalCause cause, string words)
        {
            Cause = cause;
            Words = words;
        }

        /// <summary>Classify the server's error message or close reason.</summary>
        public static Refusal FromServer(string words)
        {
            RefusalCause cause = RefusalCause.Other;
            if (words.StartsWith("another editor is connected", StringComparison.Ordinal))
                cause = RefusalCause.AnotherEditor;
            else if (words.StartsWith("this server is for another project", StringComparison.Ordinal))
                cause = RefusalCause.AnotherProject;
            else if (words.StartsWith("protocol_version", StringComparison.Ordinal))
                cause = RefusalCause.Protocol;
            return new Refusal(cause, words);
        }

        /// <summary>Classify an HTTP response that is no WebSocket upgrade.</summary>
        public static Refusal FromHttp(int status, string words)
        {
            RefusalCause cause = status == 401 ? RefusalCause.Token : RefusalCause.NotMultiverse;
            return new Refusal(cause, words.Length > 0 ? words : "HTTP status " + status);
        }
    }
}
