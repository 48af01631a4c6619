using UnityEditor;

namespace Multiverse.Editor
{
    /// <summary>Whole numbers of properties, whatever form the engine keeps them in.</summary>
    static class Numbers
    {
        public static bool Bool(SerializedProperty p)
        {
            return p.propertyType == SerializedPropertyType.Boolean ? p.boolValue : p.longValue != 0;
        }

        /// <summary>Cut to the bits of its type, so that no sign is there that it has not; an unsigned one
        /// of 64 bits is to be read as such.</summary>
        public static long Integer(SerializedProperty p, FieldType t)
        {
            long n = Raw(p);
            if (t.Bits == 0 || t.Bits >= 64)
                return n;
            int spare = 64 - t.Bits;
            return t.IsSigned ? n << spare >> spare : (long)((ulong)n << spare >> spare);
        }

        static long Raw(SerializedProperty p)
        {
            switch (p.propertyType)
            {
                case SerializedPropertyType.Boolean: return p.boolValue ? 1 : 0;
                case SerializedPropertyType.Integer: return p.longValue;
                default: return p.intValue; /* enums, characters, layer masks */
            }
        }
    }
}
