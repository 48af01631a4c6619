using System;
using System.Collections.Generic;

namespace Standin.Host
{
    /// <summary>The members of a control line; a missing member or a wrong type is an
    /// ArgumentException.</summary>
    sealed class Arguments
    {
        readonly Dictionary<string, object> members;

        public Arguments(Dictionary<string, object> members) { this.members = members; }

        public Dictionary<string, object> Members { get { return members; } }
        public bool Has(string name) { return members.ContainsKey(name) && members[name] != null; }
        public object Get(string name) { return Has(name) ? members[name] : null; }

        public string Text(string name)
        {
            if (!Has(name))
                throw new ArgumentException(name + " is missing");
            return Text(name, "");
        }
        public string Text(string name, string otherwise) { return Of(name, otherwise); }
        public bool Flag(string name, bool otherwise) { return Of(name, otherwise); }
        public int Whole(string name, int otherwise) { return (int)Of(name, (long)otherwise); }
        public List<object> Items(string name) { return Of(name, new List<object>()); }

        T Of<T>(string name, T otherwise)
        {
            if (!Has(name))
                return otherwise;
            if (!(members[name] is T))
                throw new ArgumentException(name + " is no " + typeof(T).Name);
            return (T)members[name];
        }
    }
}
