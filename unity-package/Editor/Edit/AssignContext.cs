using System.Collections.Generic;
using System.Text;
using UnityEditor;

namespace Multiverse.Editor
{
    /// <summary>Sets the value of a property; cannot fail. Created by the classes that check values,
    /// and used on every property of the checked type.</summary>
    public delegate void Setter(SerializedProperty property);

    /// <summary>
    /// Shared state of checking values: the position in the input, for messages, and the names in
    /// the answer.
    /// </summary>
    public sealed class AssignContext
    {
        sealed class Name
        {
            public string Text;
            public string Reason;
        }

        const int MaxQuote = 40;

        /// <summary>Where references find GameObjects.</summary>
        public readonly ScenePaths Paths;
        readonly StringBuilder where = new StringBuilder();
        readonly List<Name> names = new List<Name>();

        public AssignContext(ScenePaths paths) { Paths = paths; }

        /// <summary>The number of names so far.</summary>
        public int NameCount { get { return names.Count; } }

        /// <summary>Whether the value stands for an existing element.</summary>
        public static bool IsElement(JsonValue value) { return value.IsObject && value.Has(Element); }
        public const string Element = "$element";

        /// <summary>Start messages with "fields.stats.hp".</summary>
        public void Begin(string field)
        {
            where.Length = 0;
            where.Append("fields").Append(field.Length > 0 ? "." : "").Append(field);
        }

        /// <summary>Enter a member or an element. Pass the returned value to Leave.</summary>
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

        /// <summary>The error for {"$element": n} outside an array.</summary>
        public ToolError Misplaced()
        {
            return Invalid("{\"$element\": n} keeps element n of the array that is set: use it only as an element " +
                           "of an array");
        }

        /// <summary>Add a field that was set.</summary>
        public void AddSet(string name) { names.Add(new Name { Text = name }); }
        /// <summary>Add a field that was skipped: "not_found", "unsupported_type", "read_only",
        /// "depth_limit".</summary>
        public void AddSkipped(string name, string reason) { names.Add(new Name { Text = name, Reason = reason }); }
        /// <summary>Add a skipped member of the current struct: "stats.speed".</summary>
        public void AddSkippedMember(string member, string reason)
        {
            AddSkipped(where.ToString(7, where.Length - 7) + "." + member, reason);
        }

        /// <summary>Write fields_set, fields_skipped and skipped_reasons.</summary>
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
