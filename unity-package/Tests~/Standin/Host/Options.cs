using System;
using System.Collections.Generic;

namespace Standin.Host
{
    /// <summary>The command line: Unity's supported options, and our own (-standin...).</summary>
    sealed class Options
    {
        static readonly string[] withValue =
        {
            "-projectPath", "-logFile", "-testPlatform", "-testResults", "-testFilter", "-assemblyNames",
            "-testCategory", "-executeMethod", "-openScene", "-buildTarget"
        };

        readonly Dictionary<string, string> values = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);

        /// <summary>ArgumentException: a value is missing. Unknown options are ignored, as in
        /// Unity.</summary>
        public Options(string[] args)
        {
            for (int i = 0; i < args.Length; i++)
            {
                string name = args[i];
                if (!TakesValue(name))
                {
                    values[name] = "";
                    continue;
                }
                if (i + 1 >= args.Length)
                    throw new ArgumentException("the value of " + name + " is missing");
                values[name] = args[++i];
            }
        }

        static bool TakesValue(string name)
        {
            return Array.Exists(withValue, known => string.Equals(known, name, StringComparison.OrdinalIgnoreCase));
        }

        public bool Has(string name) { return values.ContainsKey(name); }

        /// <summary>Return the value, or null.</summary>
        public string Get(string name)
        {
            string value;
            return values.TryGetValue(name, out value) ? value : null;
        }

        /// <summary>A list separated by ';'; empty if absent.</summary>
        public string[] List(string name)
        {
            return (Get(name) ?? "").Split(new[] { ';' }, StringSplitOptions.RemoveEmptyEntries);
        }
    }
}
