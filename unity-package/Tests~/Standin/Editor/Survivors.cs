using System;
using System.Collections.Generic;

namespace Standin
{
    /// <summary>
    /// State that is kept across a domain reload, by name. The parts of this assembly and those
    /// above it register themselves; they are restored in order of registration. A value must be
    /// writable by <see cref="Json"/>.
    /// <code>
    ///     Survivors.Add("session", () => values, value => values = (Dictionary&lt;string, object&gt;)value);
    /// </code>
    /// </summary>
    internal static class Survivors
    {
        struct Part
        {
            public string Name;
            public Func<object> Export;
            public Action<object> Import;
        }

        static readonly List<Part> parts = new List<Part>();

        public static void Add(string name, Func<object> export, Action<object> import)
        {
            parts.Add(new Part { Name = name, Export = export, Import = import });
        }

        public static string Export()
        {
            var all = new Dictionary<string, object>();
            foreach (Part part in parts)
                all[part.Name] = part.Export();
            return Json.Write(all);
        }

        public static void Import(string text)
        {
            Dictionary<string, object> all = Json.ReadObject(text);
            foreach (Part part in parts)
            {
                object value;
                if (all.TryGetValue(part.Name, out value))
                    part.Import(value);
            }
        }
    }
}
