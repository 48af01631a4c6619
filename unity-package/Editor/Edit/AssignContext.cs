using System.Collections.Generic;
using System.Text;
using UnityEditor;

namespace Multiverse.Editor
{
    /// <summary>Gives a property its value; cannot fail. Made by the classes that check values, and used
    /// on every property of the type it was made for.</summary>
    public delegate void Setter(SerializedProperty property);

    /// <summary>
    /// What the checking of values shares: where in the input it is, for messages, and the names that
    /// are answered.
    /// </summary>
    public sealed class AssignContext
    {
        sealed class Name
        {
            public string Text;
            public string Reason;
        }

        const int MaxQuote = 40;

        /// <summary>Where references look for GameObjects.</summary>
        public readonly ScenePaths Paths;
        readonly StringBuilder where = new StringBuilder();
        readonly List<Name> names = new List<Name>();

        public AssignContext(ScenePaths paths) { Paths = paths; }

        /// <summary>How many names are there by now.</summary>
        public int NameCount { get { return names.Count; } }

        /// <summary>Whether it stands for an element that is there.</summary>
        public static bool IsElement(JsonValue value) { return value.IsObject && value.Has(Element); }
        public const string Element = "$element";

        /// <summary>"fields.stats.hp" from here on.</summary>
        public void Begin(string field)
        {
            where.Length = 0;
            where.Append("fields").Append(field.Length > 0 ? "." : "").Append(field);
        }

        /// <summary>Goes into a member or an element; Leave with what it answers.</summary>
        public int Enter(string member)
        {
            int length = where.Length;
            where.Append(member);
            return length;
        }

        public void Leave(int length) { where.Length = length; }

        public ToolError Fail(string code, string text) { return new ToolError(code, where + ": " + text); }
        public ToolError Invalid(string text) { return Fail("ERR_INVALID_PARAMS", text); }
        public ToolError NotFound(string text) { return Fail("ERR_REFERENCE_NOT_FOUND", text); }
        public ToolError Wrong(string wanted, JsonValue value)
        {
            return Invalid("expected " + wanted + ", got " + Quote.Value(value, MaxQuote));
        }

        /// <summary>{"$element": n} where there is no array.</summary>
        public ToolError Misplaced()
        {
            return Invalid("{\"$element\": n} stands for an element of the array that is set: it can only be an " +
                           "element of an array");
        }

        /// <summary>A field that was set.</summary>
        public void AddSet(string name) { names.Add(new Name { Text = name }); }
        /// <summary>One that was not: "not_found", "unsupported_type", "read_only", "depth_limit".</summary>
        public void AddSkipped(string name, string reason) { names.Add(new Name { Text = name, Reason = reason }); }
        /// <summary>A member of the struct where it is now: "stats.speed".</summary>
        public void AddSkippedMember(string member, string reason)
        {
            AddSkipped(where.ToString(7, where.Length - 7) + "." + member, reason);
        }

        /// <summary>fields_set, fields_skipped and skipped_reasons.</summary>
        public void WriteNames(JsonWriter w)
        {
            bool any = false;
            w.Key("fields_set");
            w.BeginArray();
            foreach (Name name in names)
                if (name.Reason == null)
                    w.Value(name.Text);
            w.EndArray();
            w.Key("fields_skipped");
            w.BeginArray();
            foreach (Name name in names)
                if (name.Reason != null)
                {
                    w.Value(name.Text);
                    any = true;
                }
            w.EndArray();
            if (any)
                WriteReasons(w);
        }

        void WriteReasons(JsonWriter w)
        {
            w.Key("skipped_reasons");
            w.BeginObject();
            foreach (Name name in names)
                if (name.Reason != null)
                    w.Member(name.Text, name.Reason);
            w.EndObject();
        }
    }
}
