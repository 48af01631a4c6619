using System;
using System.Collections.Generic;
using System.IO;
using System.Reflection;

namespace Multiverse.Api
{
    /// <summary>
    /// Which members of Unity's assemblies the package uses.
    /// <code>
    ///     mono api.exe list BUILD                  // one per line, sorted
    ///     mono api.exe check BUILD FILE.md VERSION // against the table in the file
    /// </code>
    /// check tells what the table misses and what it has too much for this version, and ends with 1 if
    /// there is any.
    /// </summary>
    static class Program
    {
        static readonly string[] assemblies = { "Multiverse.Editor.dll", "Multiverse.Editor.TestRunner.dll" };

        static int Main(string[] args)
        {
            bool isList = args.Length == 2 && args[0] == "list";
            if (!isList && !(args.Length == 4 && args[0] == "check"))
            {
                Console.Error.WriteLine("api.exe list BUILD | check BUILD FILE.md VERSION");
                return 2;
            }
            SortedSet<string> used = Used(args[1]);
            if (!isList)
                return Check(used, ApiTable.Read(args[2]), new Release(args[3]));
            foreach (string name in used)
                Console.WriteLine(name);
            return 0;
        }

        static SortedSet<string> Used(string build)
        {
            var used = new SortedSet<string>(StringComparer.Ordinal);
            foreach (string name in assemblies)
            {
                string path = Path.Combine(build, name);
                if (!File.Exists(path))
                    throw new FileNotFoundException("not built: " + path);
                foreach (MemberInfo member in new Uses(Assembly.LoadFrom(path)).Members)
                    used.Add(Names.Of(member));
            }
            return used;
        }

        static int Check(SortedSet<string> used, List<ApiRow> rows, Release version)
        {
            int problems = 0;
            var listed = new Dictionary<string, ApiRow>();
            foreach (ApiRow row in rows)
            {
                if (row.From != null && row.From.CompareTo(row.Since) < 0)
                    problems += Report("used before Unity had it: " + row.Name);
                if (row.IsUsedIn(version))
                    listed[row.Name] = row;
            }
            foreach (string name in used)
                if (!listed.ContainsKey(name))
                    problems += Report("missing in the table: " + name);
                else if (version.CompareTo(listed[name].Since) < 0)
                    problems += Report("Unity " + version + " does not have it: " + name);
            foreach (string name in listed.Keys)
                if (!used.Contains(name))
                    problems += Report("in the table and not used: " + name);
            Console.WriteLine(used.Count + " members used with Unity " + version + ", " + problems + " faults");
            return problems > 0 ? 1 : 0;
        }

        static int Report(string problem)
        {
            Console.Error.WriteLine(problem);
            return 1;
        }
    }
}
