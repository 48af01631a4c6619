namespace Multiverse.Editor
{
    /// <summary>
    /// One page of a long list, starting at `offset`.
    /// <code>
    ///     var page = new ToolPage(call.Arguments, call.Arguments.GetLong("max_results", 100), all.Count);
    ///     for (int i = page.From; i &lt; page.To; i++) ...
    ///     page.Write(call.Out);          // count, total_count, truncated, next_offset
    /// </code>
    /// </summary>
    public struct ToolPage
    {
        public readonly int From;
        /// <summary>May be lowered if the answer gets too large; the others are on the next
        /// page.</summary>
        public int To;
        public readonly int Total;

        public ToolPage(JsonValue arguments, long max, int total)
        {
            long offset = arguments.GetLong("offset", 0);
            From = offset < total ? (int)offset : total;
            To = total - From < max ? total : From + (int)max;
            Total = total;
        }

        public void Write(JsonWriter w)
        {
            w.Member("count", To - From);
            w.Member("total_count", Total);
            w.Member("truncated", To < Total);
            if (To < Total)
                w.Member("next_offset", To);
        }
    }
}
