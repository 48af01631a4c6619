using System;

namespace Multiverse.Editor
{
    /// <summary>
    /// The error answer of a tool. The server wraps it in ERR_UNITY_EXECUTION, with this code in
    /// details.plugin_error_code. Every tool checks before it acts, so an error means that nothing
    /// was changed, unless WasExecuted is set.
    /// <code>
    ///     throw new ToolError("ERR_OBJECT_NOT_FOUND", "no GameObject at /Plyer; did you mean /Player?");
    /// </code>
    /// </summary>
    public sealed class ToolError : Exception
    {
        public readonly string Code;
        /// <summary>A JSON object with more details, or null.</summary>
        public readonly string DetailsJson;
        /// <summary>Something was changed before the error.</summary>
        public bool WasExecuted;

        public ToolError(string code, string message, string detailsJson = null) : base(message)
        {
            Code = code;
            DetailsJson = detailsJson;
        }
    }
}
