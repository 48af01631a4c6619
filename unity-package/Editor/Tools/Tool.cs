using System.Collections.Generic;

namespace Multiverse.Editor
{
    /// <summary>What a tool allows where it pauses.</summary>
    public enum Pause
    {
        /// <summary>It may go on in this editor update if the slice is not over.</summary>
        Step,
        /// <summary>It waits for something: ask again in the next editor update.</summary>
        NextUpdate
    }

    /// <summary>
    /// A synchronous tool: one class each, one row in <see cref="Toolbox"/>.
    /// <code>
    ///     public sealed class ListScenes : Tool
    ///     {
    ///         public override string Name { get { return "list_scenes"; } }
    ///         public override IEnumerator&lt;Pause&gt; Run(ToolCall call)
    ///         {
    ///             call.Out.BeginObject();
    ///             ...                          // yield return Pause.Step; wherever it takes long
    ///             call.Out.EndObject();
    ///         }
    ///     }
    /// </code>
    /// It runs on the main thread, writes one object to call.Out and ends, or throws ToolError. A tool
    /// that changes something does all of it between two pauses. The arguments were checked against
    /// the catalog's schema by the server; an absent one is read as its default.
    /// </summary>
    public abstract class Tool
    {
        public abstract string Name { get; }
        public abstract IEnumerator<Pause> Run(ToolCall call);

        /// <summary>
        /// Not null: the call outlives a domain reload, and this takes it up in the new domain
        /// (entering play mode is such a call). null: what is unfinished before a reload is run to
        /// its end then, without regard to the slice.
        /// </summary>
        public virtual IEnumerator<Pause> Continue(ToolCall call) { return null; }
        /// <summary>Whether Continue is there.</summary>
        public virtual bool OutlivesReload { get { return false; } }
    }

    /// <summary>One call of a tool.</summary>
    public sealed class ToolCall
    {
        public readonly string RequestId;
        public readonly JsonValue Arguments;
        public readonly JsonWriter Out = new JsonWriter();
        /// <summary>What the tool wants to find again in Continue; kept across a domain reload.</summary>
        public string Memo = "";

        public ToolCall(string requestId, JsonValue arguments)
        {
            RequestId = requestId;
            Arguments = arguments;
        }
    }
}
