using System.Collections.Generic;
using System.IO;

namespace Standin
{
    /// <summary>
    /// A log of executed tool calls, jobs and tests, in a file that survives reloads and crashes of
    /// a domain. A duplicate entry means a duplicate execution.
    /// <code>
    ///     {"kind":"call","name":"list_scenes","id":"req-1","domain":2}
    /// </code>
    /// </summary>
    internal static class Trace
    {
        static string FilePath { get { return HostState.ProjectPath + "/Temp/Standin/trace.jsonl"; } }

        public static void Add(string kind, string name, string id)
        {
            var entry = new Dictionary<string, object>
            {
                { "kind", kind }, { "name", name }, { "id", id }, { "domain", DomainReload.Count + 1 }
            };
            File.AppendAllText(FilePath, Json.Write(entry) + "\n");
        }

        /// <summary>Return all entries, the count of each kind, name and id, and the
        /// duplicates.</summary>
        public static Dictionary<string, object> Answer()
        {
            var entries = new List<object>();
            var counts = new Dictionary<string, object>();
            var twice = new List<object>();
            foreach (string line in File.Exists(FilePath) ? File.ReadAllLines(FilePath) : new string[0])
            {
                Dictionary<string, object> entry = Json.ReadObject(line);
                entries.Add(entry);
                string key = entry["kind"] + " " + entry["name"] + " " + entry["id"];
                object count;
                counts[key] = counts.TryGetValue(key, out count) ? (int)count + 1 : 1;
                if ((int)counts[key] == 2)
                    twice.Add(key);
            }
            return new Dictionary<string, object> { { "entries", entries }, { "counts", counts }, { "twice", twice } };
        }
    }
}
