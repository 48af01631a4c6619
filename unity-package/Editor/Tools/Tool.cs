using System.Collections.Generic;

namespace Multiverse.Editor
{
    /// <summary>What a tool waits for when it pauses.</summary>
    public enum Pause
    {
        /// <summary>Nothing: it may continue in this editor update if there is time left.</summary>
        Step,
        /// <summary>The next editor update.</summary>
        NextUpdate
    }

    /// <summary>
    /// A synchronous tool: one class each, registered in <see cref="Toolbox"/>. It runs on the main
    /// thread, writes one object to call.Out and ends, or throws ToolError. A tool makes all its
    /// changes between two pauses. The server has checked the arguments against the catalog's
    /// schema; an absent argument has its default.
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
    /// </summary>
    public abstract class Tool
    {
        public abstract string Name { get; }
        public abstract IEnumerator<Pause> Run(ToolCall call);

        /// <summary>
        /// Continue a call after a domain reload, for example one that enters play mode. null:
        /// calls of this tool are run to their end before a reload, regardless of the slice.
        /// </summary>
        public virtual IEnumerator<Pause> Continue(ToolCall call) { return null; }
        /// <summary>Whether Continue is implemented.</summary>
        public virtual bool OutlivesReload { get { return false; } }
    }

    /// <summary>One call of a tool.</summary>
    public sealed class ToolCall
    {
        public readonly string RequestId;
        public readonly JsonValue Arguments;
        public readonly JsonWriter Out = new JsonWriter();
        /// <summary>Any text that Continue needs; kept across a domain reload.</summary>
        public string Memo = "";

        public ToolCall(string requestId, JsonValue arguments)
        {
            RequestId = requestId;
            Arguments = arguments;
        }
    }
}
