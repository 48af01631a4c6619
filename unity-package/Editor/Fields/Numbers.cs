using UnityEditor;

namespace Multiverse.Editor
{
    /// <summary>Reads whole numbers of properties from any representation in the engine.</summary>
    static class Numbers
    {
        public static bool Bool(SerializedProperty p)
        {
            return p.propertyType == SerializedPropertyType.Boolean ? p.boolValue : p.longValue != 0;
        }

        /// <summary>Truncate to the bits of the type, so that an unsigned number has no sign; read an
        /// unsigned 64-bit number as ulong.</summary>
        public static long Integer(SerializedProperty p, FieldType t)
        {
            long n = ReadRaw(p);
            if (t.Bits == 0 || t.Bits >= 64)
                return n;
            int spare = 64 - t.Bits;
            return t.IsSigned ? n << spare >> spare : (long)((ulong)n << spare >> spare);
        }

        static long ReadRaw(SerializedProperty p)
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
