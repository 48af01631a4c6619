using System.Collections.Generic;
using System.Text.RegularExpressions;

namespace Standin
{
    /// <summary>
    /// The classes that a C# file declares, found by braces. This is not a parser, but it
    /// distinguishes classes with the same name in different namespaces.
    /// </summary>
    internal static class SourceClasses
    {
        static readonly Regex token = new Regex(
            "//[^\\n]*|/\\*.*?\\*/|@\"(?:\"\"|[^\"])*\"|\\$?\"(?:\\\\.|[^\"\\\\\\n])*\"|'(?:\\\\.|[^'\\\\\\n])+'|[{};]"
            + "|\\bnamespace\\s+(?<space>[\\w.]+)|\\b(?:class|struct|interface)\\s+(?<type>\\w+)", RegexOptions.Singleline);

        /// <summary>The full names of top-level classes with this name, as for Type.GetType.</summary>
        public static IEnumerable<string> Named(string source, string name)
        {
            var stack = new Stack<KeyValuePair<string, bool>>();
            var pending = new KeyValuePair<string, bool>("", false);
            string fileSpace = "";
            var found = new List<string>();
            foreach (Match match in token.Matches(source))
            {
                if (match.Groups["space"].Success)
                    pending = new KeyValuePair<string, bool>(match.Groups["space"].Value, true);
                else if (match.Groups["type"].Success)
                {
                    string prefix = Prefix(stack, fileSpace);
                    if (match.Groups["type"].Value == name && prefix != null)
                        found.Add(prefix + name);
                    pending = new KeyValuePair<string, bool>("", false);
                }
                else if (match.Value == "{")
                {
                    stack.Push(pending);
                    pending = new KeyValuePair<string, bool>("", false);
                }
                else if (match.Value == "}" && stack.Count > 0)
                    stack.Pop();
                else if (match.Value == ";" && pending.Value)
                {
                    fileSpace = pending.Key;
                    pending = new KeyValuePair<string, bool>("", false);
                }
            }
            return found;
        }

        /* Return null inside something that is not a namespace. */
        static string Prefix(Stack<KeyValuePair<string, bool>> stack, string fileSpace)
        {
            string prefix = fileSpace.Length > 0 ? fileSpace + "." : "";
            var outer = stack.ToArray();
            for (int i = outer.Length - 1; i >= 0; i--)
            {
                if (!outer[i].Value)
                    return null;
                prefix += outer[i].Key + ".";
            }
            return prefix;
        }
    }
}
