using System;
using Standin;

namespace UnityEngine
{
    [Serializable, NativeStruct("Hash128"), SerializedVersion(2)]
    public struct Hash128 : IEquatable<Hash128>
    {
        [SerializedName("Hash")] string text;

        public static Hash128 Parse(string hashString)
        {
            return new Hash128 { text = IsHash(hashString) ? hashString.ToLowerInvariant() : null };
        }

        static bool IsHash(string text)
        {
            if (text == null || text.Length != 32)
                return false;
            foreach (char c in text)
                if (!Uri.IsHexDigit(c))
                    return false;
            return true;
        }

        public bool isValid { get { return ToString().Trim('0').Length > 0; } }

        public static bool operator ==(Hash128 a, Hash128 b) { return a.Equals(b); }
        public static bool operator !=(Hash128 a, Hash128 b) { return !a.Equals(b); }

        public bool Equals(Hash128 other) { return ToString() == other.ToString(); }
        public override bool Equals(object other) { return other is Hash128 && Equals((Hash128)other); }
        public override int GetHashCode() { return ToString().GetHashCode(); }
        public override string ToString() { return IsHash(text) ? text : new string('0', 32); }
    }
}
