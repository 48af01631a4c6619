using System;
using Standin;

namespace UnityEditor
{
    /// <summary>The id of an asset: 32 hexadecimal digits.</summary>
    [Serializable]
    public struct GUID : IComparable, IComparable<GUID>
    {
        readonly string text;

        public GUID(string hexRepresentation)
        {
            text = AssetTable.IsGuid(hexRepresentation) ? hexRepresentation.ToLowerInvariant() : null;
        }

        public static GUID Generate() { return new GUID(Guid.NewGuid().ToString("N")); }

        public static bool TryParse(string hex, out GUID result)
        {
            result = new GUID(hex);
            return AssetTable.IsGuid(hex);
        }

        public bool Empty() { return text == null || text.Trim('0').Length == 0; }
        public override string ToString() { return text ?? new string('0', 32); }

        public static bool operator ==(GUID x, GUID y) { return x.ToString() == y.ToString(); }
        public static bool operator !=(GUID x, GUID y) { return !(x == y); }
        public static bool operator <(GUID x, GUID y) { return x.CompareTo(y) < 0; }
        public static bool operator >(GUID x, GUID y) { return x.CompareTo(y) > 0; }

        public override bool Equals(object obj) { return obj is GUID && (GUID)obj == this; }
        public override int GetHashCode() { return ToString().GetHashCode(); }
        public int CompareTo(object obj) { return obj is GUID ? CompareTo((GUID)obj) : 1; }
        public int CompareTo(GUID rhs) { return string.CompareOrdinal(ToString(), rhs.ToString()); }
    }
}
