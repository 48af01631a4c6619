using System.Globalization;
using System.Text;

namespace Multiverse.Editor
{
    /// <summary>
    /// Names in paths. "/" in a name is written "\/"; a backslash before a slash, before another
    /// backslash or at the end is written "\\". An empty name is nothing between two slashes.
    /// </summary>
    public static class PathText
    {
        /// <summary>Append "/", the name, and its number unless it is 0.</summary>
        public static void Append(StringBuilder path, string name, int number)
        {
            path.Append('/');
            for (int i = 0; i < name.Length; i++)
            {
                char next = i + 1 < name.Length ? name[i + 1] : '/';
                if (name[i] == '/' || (name[i] == '\\' && (next == '/' || next == '\\')))
                    path.Append('\\');
                path.Append(name[i]);
            }
            if (number > 0)
                path.Append('[').Append(number.ToString(CultureInfo.InvariantCulture)).Append(']');
        }

        /// <summary>Read the next name of a path from at. Return true if a slash follows; at is then
        /// after it.</summary>
        public static bool Cut(string path, ref int at, out string name)
        {
            var text = new StringBuilder();
            while (at < path.Length && path[at] != '/')
            {
                if (path[at] == '\\' && at + 1 < path.Length && (path[at + 1] == '/' || path[at + 1] == '\\'))
                    at++;
                text.Append(path[at++]);
            }
            bool more = at < path.Length;
            at++;
            name = text.ToString();
            return more;
        }
    }
}
