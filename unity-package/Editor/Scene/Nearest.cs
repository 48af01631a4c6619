using System;

namespace Multiverse.Editor
{
    /// <summary>
    /// The name somebody meant: of those that exist the one that is nearest to what was written.
    /// <code>
    ///     var near = new Nearest("max_dept");
    ///     foreach (string name in known)
    ///         near.Offer(name);
    ///     if (near.Best != null) ...       // "max_depth"
    /// </code>
    /// </summary>
    public sealed class Nearest
    {
        public Nearest(string wanted) { throw new NotImplementedException(); }
        /// <summary>null: none is near.</summary>
        public string Best { get; private set; }
        /// <summary>True: it is the best by now.</summary>
        public bool Offer(string name) { throw new NotImplementedException(); }
    }
}
