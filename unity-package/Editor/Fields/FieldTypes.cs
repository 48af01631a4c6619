using System;
using UnityEditor;

namespace Multiverse.Editor
{
    /// <summary>Tells the C# type of a serialized property. See <see cref="FieldSet"/>, which asks it
    /// for every field.</summary>
    public static class FieldTypes
    {
        /// <summary>Of any property of an object, by its path.</summary>
        public static FieldType Of(SerializedProperty property) { throw new NotImplementedException(); }

        /// <summary>The C# full name as the tools write it: nested types with +,
        /// "System.Collections.Generic.List&lt;T&gt;", "T[]".</summary>
        public static string NameOf(Type type) { throw new NotImplementedException(); }
    }
}
