using System;
using System.Collections.Generic;

namespace Multiverse.Editor
{
    /// <summary>
    /// The values of an enum and their names, as declared.
    /// <code>
    ///     EnumNames e = EnumNames.Of(typeof(RigidbodyConstraints));
    ///     e.NameOf(112)               // "FreezeRotation"
    ///     e.TryValue("FreezeAll", out n)
    /// </code>
    /// </summary>
    public sealed class EnumNames
    {
        public readonly Type Type;
        public readonly bool IsFlags;
        /// <summary>In the order of the declaration, beside Values.</summary>
        public readonly string[] Names;
        public readonly long[] Values;

        EnumNames(Type type) { throw new NotImplementedException(); }

        public static EnumNames Of(Type type) { throw new NotImplementedException(); }

        /// <summary>Of several names the first; of flags "A, B"; null: it has none.</summary>
        public string NameOf(long value) { throw new NotImplementedException(); }

        /// <summary>One name, as it is written.</summary>
        public bool TryValue(string name, out long value) { throw new NotImplementedException(); }
    }
}
