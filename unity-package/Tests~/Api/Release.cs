using System;

namespace Multiverse.Api
{
    /// <summary>A Unity release, "2022.3"; what follows the second number does not matter.</summary>
    sealed class Release : IComparable<Release>
    {
        readonly int major, minor;

        /// <summary>FormatException: it is none.</summary>
        public Release(string text)
        {
            string[] parts = text.Split('.');
            if (parts.Length < 2)
                throw new FormatException("not a Unity release: " + text);
            major = int.Parse(parts[0]);
            minor = int.Parse(parts[1]);
        }

        public int CompareTo(Release other)
        {
            return major != other.major ? major.CompareTo(other.major) : minor.CompareTo(other.minor);
        }

        public override string ToString() { return major + "." + minor; }
    }
}
