using System;
using System.Collections.Generic;

namespace Standin
{
    /// <summary>
    /// What is carried over a domain reload, by name. Parts that live in this assembly or above it add
    /// themselves; they are brought back in the order in which they were added.
    /// <code>
    ///     Survivors.Add("session", () => values, value => values = (Dictionary&lt;string, object&gt;)value);
    /// </code>
    /// A value is what <see cref="Json"/> can write.
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
