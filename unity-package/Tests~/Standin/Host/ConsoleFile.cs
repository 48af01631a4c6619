using System;
using System.Collections.Generic;
using UnityEngine;

namespace Standin.Host
{
    /// <summary>The console's state for a domain reload, and as the answer to a control line.</summary>
    static class ConsoleFile
    {
        public static object Export()
        {
            var all = new List<object>();
            foreach (ConsoleEntry entry in Console.Entries())
                all.Add(new Dictionary<string, object>
                {
                    { "type", entry.Type.ToString() }, { "message", entry.Message },
                    { "stack", entry.StackTrace }, { "compiler", entry.FromCompiler }
                });
            return all;
        }

        public static void Import(object value)
        {
            var entries = new List<ConsoleEntry>();
            foreach (Dictionary<string, object> entry in (List<object>)value)
                entries.Add(new ConsoleEntry
                {
                    Type = (LogType)Enum.Parse(typeof(LogType), (string)entry["type"]),
                    Message = (string)entry["message"], StackTrace = (string)entry["stack"],
                    FromCompiler = (bool)entry["compiler"]
                });
            Console.Restore(entries);
        }
    }
}
