using System;

namespace Multiverse.Editor
{
    public enum RefusalCause { AnotherEditor, AnotherProject, Protocol, Token, NotMultiverse, Other }

    /// <summary>Why something at the port did not take this editor: the kind, and the words it said.</summary>
    public sealed class Refusal
    {
        public readonly RefusalCause Cause;
        public readonly string Words;

        public Refusal(RefusalCause cause, string words)
        {
            Cause = cause;
            Words = words;
        }

        /// <summary>From the words of the server's error message, or of its close.</summary>
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

        /// <summary>From the status of an HTTP answer that is no WebSocket, and what came with it.</summary>
        public static Refusal FromHttp(int status, string words)
        {
            RefusalCause cause = status == 401 ? RefusalCause.Token : RefusalCause.NotMultiverse;
            return new Refusal(cause, words.Length > 0 ? words : "HTTP status " + status);
        }
    }
}
