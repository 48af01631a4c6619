using System.Collections.Generic;
using System.Globalization;
using UnityEditor;

namespace Multiverse.Editor
{
    /// <summary>
    /// JSON values for the fields of a component: all of them are checked before any is set.
    /// <code>
    ///     var draft = new SerializedObject(component);
    ///     var assigner = new FieldAssigner(draft, paths);
    ///     assigner.Read(fields);                       // throws what is wrong; nothing has changed
    ///     if (assigner.Changes(new SerializedObject(component)))
    ///         draft.ApplyModifiedProperties();
    ///     assigner.WriteNames(call.Out);
    /// </code>
    /// The values go into the draft, which is a copy until it is applied; Apply puts them into another
    /// component of the same class. Fields that do not exist, cannot be set or are too deep are skipped
    /// and listed with the reason; a reference that is not found, a value of the wrong type, an enum name
    /// that does not exist is an error for the whole call.
    /// A member that a value leaves out keeps what it has: parts of vectors, fields of structs. Arrays are
    /// replaced as a whole; what an element leaves out has its initial value. Several names for one value
    /// ("at.x" and "at.y", "mass" and "m_Mass") change it one after the other.
    /// </summary>
    public sealed class FieldAssigner
    {
        const int MaxNested = 16;

        static readonly Setter nothing = p => { };

        readonly SerializedObject draft;
        readonly AssignContext context;
        readonly List<KeyValuePair<string, Setter>> setters = new List<KeyValuePair<string, Setter>>();

        public FieldAssigner(SerializedObject draft, ScenePaths paths)
        {
            this.draft = draft;
            context = new AssignContext(paths);
        }

        /// <summary>fields of the arguments; absent is none.</summary>
        public void Read(JsonValue fields)
        {
            if (!fields.IsObject || fields.Count == 0)
                return;
            FieldSet set = FieldSet.Of(draft);
            for (int i = 0; i < fields.Count; i++)
                ReadField(set, fields.Keys[i], fields.Items[i]);
        }

        /// <summary>Whether the draft differs from what is there.</summary>
        public bool Changes(SerializedObject original)
        {
            foreach (KeyValuePair<string, Setter> s in setters)
                if (!SerializedProperty.DataEquals(draft.FindProperty(s.Key), original.FindProperty(s.Key)))
                    return true;
            return false;
        }

        /// <summary>Sets the same values in another object of the class.</summary>
        public void Apply(SerializedObject target)
        {
            foreach (KeyValuePair<string, Setter> s in setters)
                s.Value(target.FindProperty(s.Key));
        }

        /// <summary>fields_set, fields_skipped and skipped_reasons.</summary>
        public void WriteNames(JsonWriter w) { context.WriteNames(w); }

        void ReadField(FieldSet set, string name, JsonValue value)
        {
            Field field = set.Find(name);
            int dot = name.IndexOf('.');
            if (field == null && dot >= 0)
            {
                field = set.Find(name.Substring(0, dot));
                value = Unfold(name.Substring(dot + 1), value);
            }
            string reason = WhyNot(field, 0);
            if (reason != null)
            {
                context.AddSkipped(name, reason);
                return;
            }
            int names = context.NameCount;
            context.Begin(field.Name);
            SerializedProperty property = draft.FindProperty(field.Key);
            Setter setter = Value(field.Type, property, value, 0, false);
            if (setter != nothing)
            {
                setters.Add(new KeyValuePair<string, Setter>(field.Key, setter));
                setter(draft.FindProperty(field.Key));
            }
            /* Of a struct none of whose members could be set, the members say why. */
            if (setter != nothing || context.NameCount == names)
                context.AddSet(name);
        }

        /* "stats.hp": 5 is "stats": {"hp": 5}. */
        static JsonValue Unfold(string rest, JsonValue value)
        {
            string[] parts = rest.Split('.');
            int last = System.Math.Min(parts.Length, MaxNested) - 1;
            for (int i = last; i >= 0; i--)
                value = JsonValue.FromMembers(new List<string> { parts[i] }, new List<JsonValue> { value });
            return value;
        }

        /* Why a field, or a member of a struct at that depth, cannot be set; null: it can. */
        static string WhyNot(Field field, int depth)
        {
            if (field == null)
                return "not_found";
            if (depth >= ValueWriter.MaxDepth)
                return "depth_limit";
            return field.IsReadOnly ? "read_only" : IsSupported(field.Type) ? null : "unsupported_type";
        }

        static bool IsSupported(FieldType type)
        {
            while (type.Kind == FieldKind.Array)
                type = type.Element;
            return type.Kind != FieldKind.Unknown && type.Kind != FieldKind.Managed;
        }

        /* sample: a property of that type, of which structs are read off. isNew: it is in a new element
         * of an array. */
        Setter Value(FieldType type, SerializedProperty sample, JsonValue value, int depth, bool isNew)
        {
            if (type.Kind == FieldKind.Object)
                return ReferenceValues.Read(context, type, value);
            if (value.IsNull)
                throw context.Invalid("null clears references; this is " + type.Name);
            switch (type.Kind)
            {
                case FieldKind.Bool: return PlainValues.Bool(context, value);
                case FieldKind.Int: return PlainValues.Integer(context, type, value);
                case FieldKind.Float:
                case FieldKind.Double: return PlainValues.Floating(context, type, value);
                case FieldKind.String: return PlainValues.Text(context, value);
                case FieldKind.Enum: return PlainValues.Enumeration(context, type, value);
                case FieldKind.Array: return Elements(type, sample, value, depth);
                case FieldKind.Struct: return isNew ? NewStruct(type, sample, value, depth)
                                                    : Members(type, sample, value, depth);
                case FieldKind.Curve: return CurveValues.Curve(context, value);
                case FieldKind.Gradient: return CurveValues.Gradient(context, value);
            }
            Setter parts = PartValues.Read(context, type.Kind, value, isNew);
            if (parts == null)
                throw context.Invalid("a value of type " + type.Name + " cannot be set here");
            return parts;
        }

        // ---- structs

        /* In the order of the input. */
        Setter Members(FieldType type, SerializedProperty sample, JsonValue value, int depth)
        {
            CheckStruct(value);
            FieldSet set = FieldSet.Of(sample, type);
            var members = new List<KeyValuePair<string, Setter>>();
            for (int i = 0; i < value.Count; i++)
            {
                Field member = set.Find(value.Keys[i]);
                string reason = WhyNot(member, depth);
                if (reason != null)
                    context.AddSkippedMember(value.Keys[i], reason);
                else
                    AddMember(members, member, sample, value.Items[i], depth, false);
            }
            return members.Count == 0 ? nothing : p => SetMembers(p, members);
        }

        void AddMember(List<KeyValuePair<string, Setter>> members, Field member, SerializedProperty sample,
                       JsonValue value, int depth, bool isNew)
        {
            int length = context.Enter("." + member.Name);
            Setter setter = Value(member.Type, sample.FindPropertyRelative(member.Key), value, depth + 1, isNew);
            context.Leave(length);
            if (setter != nothing)
                members.Add(new KeyValuePair<string, Setter>(member.Key, setter));
        }

        void CheckStruct(JsonValue value)
        {
            if (!value.IsObject)
                throw context.Wrong("an object with the fields of the struct", value);
        }

        static void SetMembers(SerializedProperty p, List<KeyValuePair<string, Setter>> members)
        {
            foreach (KeyValuePair<string, Setter> m in members)
                m.Value(p.FindPropertyRelative(m.Key));
        }

        /* In the order of the declaration; what is left out has been given its initial value by the
         * element it is in. */
        Setter NewStruct(FieldType type, SerializedProperty sample, JsonValue value, int depth)
        {
            CheckStruct(value);
            FieldSet set = FieldSet.Of(sample, type);
            foreach (string key in value.Keys)
            {
                string reason = WhyNot(set.Find(key), depth);
                if (reason != null)
                    context.AddSkippedMember(key, reason);
            }
            var members = new List<KeyValuePair<string, Setter>>();
            foreach (Field member in set.Fields)
            {
                string key = value.Has(member.Name) ? member.Name : member.Key;
                if (!member.IsInternal && value.Has(key) && WhyNot(member, depth) == null)
                    AddMember(members, member, sample, value.Get(key), depth, true);
            }
            return p => SetMembers(p, members);
        }

        // ---- arrays

        Setter Elements(FieldType type, SerializedProperty sample, JsonValue value, int depth)
        {
            if (!value.IsArray)
                throw context.Wrong("an array", value);
            /* The draft may be changed: at least one element is needed to see what is in it. */
            if (value.Count > 0 && sample.arraySize == 0)
                sample.arraySize = 1;
            SerializedProperty first = value.Count > 0 ? sample.GetArrayElementAtIndex(0) : null;
            Setter initial = value.Count > 0 ? InitialValues.Of(type.Element) : null;
            var elements = new Setter[value.Count];
            for (int i = 0; i < elements.Length; i++)
            {
                int length = context.Enter("[" + i.ToString(CultureInfo.InvariantCulture) + "]");
                elements[i] = Value(type.Element, first, value.Items[i], depth + 1, true);
                context.Leave(length);
            }
            return p => SetElements(p, initial, elements);
        }

        static void SetElements(SerializedProperty p, Setter initial, Setter[] elements)
        {
            p.ClearArray();
            p.arraySize = elements.Length;
            for (int i = 0; i < elements.Length; i++)
            {
                SerializedProperty element = p.GetArrayElementAtIndex(i);
                if (initial != null)
                    initial(element);
                elements[i](element);
            }
        }
    }
}
