using System.Collections.Generic;
using System.Runtime.CompilerServices;

namespace Standin
{
    /// <summary>Compares objects by identity, ignoring their Equals.</summary>
    internal sealed class ByIdentity : IEqualityComparer<object>
    {
        public static readonly ByIdentity Comparer = new ByIdentity();

        public new bool Equals(object a, object b) { return ReferenceEquals(a, b); }
        public int GetHashCode(object o) { return RuntimeHelpers.GetHashCode(o); }
    }
}
