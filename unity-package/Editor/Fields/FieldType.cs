using System;

namespace Multiverse.Editor
{
    /// <summary>
    /// The type of a field as the tools show it. Immutable; made by <see cref="FieldTypes"/>.
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
        /// <summary>C# full name; of the engine's own structs the name they have there.</summary>
        public readonly string Name;
        /// <summary>The C# type; null: the engine does not show it to C# (structs such as
        /// ShadowSettings).</summary>
        public readonly Type Clr;
        /// <summary>Of integers and enums: 8, 16, 32, 64.</summary>
        public readonly int Bits;
        public readonly bool IsSigned;
        /// <summary>List&lt;T&gt;, not T[].</summary>
        public readonly bool IsList;
        /// <summary>Of an array, else null.</summary>
        public readonly FieldType Element;
        /// <summary>Of an enum, else null.</summary>
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
