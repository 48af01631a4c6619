using System;

namespace Multiverse.Editor
{
    /// <summary>
    /// The type of a field as the tools show it. Immutable; created by <see cref="FieldTypes"/>.
    /// <code>
    ///     FieldType t = field.Type;
    ///     t.Name                  // "System.Collections.Generic.List&lt;UnityEngine.Transform&gt;"
    ///     t.Element.Kind          // FieldKind.Object
    ///     t.Element.Clr           // typeof(Transform)
    /// </code>
    /// </summary>
    public sealed class FieldType
    {
        public readonly FieldKind Kind;
        /// <summary>The C# full name; of the engine's own structs their native name.</summary>
        public readonly string Name;
        /// <summary>The C# type; null for native structs that C# does not have, such as
        /// ShadowSettings.</summary>
        public readonly Type Clr;
        /// <summary>The size of integers and enums: 8, 16, 32, 64.</summary>
        public readonly int Bits;
        public readonly bool IsSigned;
        /// <summary>Whether it is List&lt;T&gt; rather than T[].</summary>
        public readonly bool IsList;
        /// <summary>The element type of an array, otherwise null.</summary>
        public readonly FieldType Element;
        /// <summary>The values of an enum, otherwise null.</summary>
        public readonly EnumNames Values;

        internal FieldType(FieldKind kind, string name, Type clr = null, int bits = 0, bool isSigned = false,
                           FieldType element = null, bool isList = false, EnumNames values = null)
        {
            Kind = kind;
            Name = name;
            Clr = clr;
            Bits = bits;
            IsSigned = isSigned;
            Element = element;
            IsList = isList;
            Values = values;
        }

        public override string ToString() { return Name; }
    }
}
