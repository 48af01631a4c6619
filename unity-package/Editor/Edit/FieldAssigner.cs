using System.Collections.Generic;
using System.Globalization;
using UnityEditor;

namespace Multiverse.Editor
{
    /// <summary>
    /// Sets fields of a component from JSON; all values are checked before any is set.
    /// The draft is a copy until it is applied; Apply sets the values in another component of the
    /// same class. Fields that do not exist, cannot be set or are nested too deep are skipped and
    /// listed with the reason. A reference that is not found, a wrong type or an unknown enum name
    /// fails the whole call.
    /// A member that a value omits keeps its value: parts of vectors, fields of structs. Arrays are
    /// replaced as a whole; what a new element omits gets its initial value, or that of the
    /// existing element named by {"$element": n}, an index in the array before the call.
    /// Several names for one value ("at.x" and "at.y", "mass" and "m_Mass") are applied in order;
    /// of an array that is given twice, the last wins.
    /// <code>
    ///     var draft = new SerializedObject(component);
    ///     var assigner = new FieldAssigner(draft, paths);
    ///     assigner.Read(fields);                       // throws what is wrong; nothing has changed
    ///     if (assigner.Changes(new SerializedObject(component)))
    ///         draft.ApplyModifiedProperties();
    ///     assigner.WriteNames(call.Out);
    /// </code>
    /// </summary>
    public sealed class FieldAssigner
    {
        const int MaxNested = 16;

        static readonly Setter nothing = p => { };

        readonly SerializedObject draft;
        readonly AssignContext context;
        readonly List<KeyValuePair<string, Setter>> setters = new List<KeyValuePair<string, Setter>>();
        /* The last plan for each array, by path; arrays inside elements are not listed. */
        readonly Dictionary<string, ArrayPlan> arrays = new Dictionary<string, ArrayPlan>();

        public FieldAssigner(SerializedObject draft, ScenePaths paths)
        {
            this.draft = draft;
            context = new AssignContext(paths);
        }

        /// <summary>Check the fields of the arguments; they may be absent.</summary>
        public void Read(JsonValue fields)
        {
            if (!fields.IsObject || fields.Count == 0)
                return;
            if (AssignContext.IsElement(fields))
            {
                context.Begin("");
                throw context.Misplaced();
            }
            FieldSet set = FieldSet.Of(draft);
            using (var scratch = new SerializedObject(draft.targetObject))
            using (var original = new SerializedObject(draft.targetObject))
                for (int i = 0; i < fields.Count; i++)
                    ReadField(set, new Place(scratch, original), fields.Keys[i], fields.Items[i]);
            Apply(draft);
        }

        /// <summary>Whether the draft differs from the original.</summary>
        public bool Changes(SerializedObject original)
        {
            foreach (KeyValuePair<string, Setter> s in setters)
                if (!SerializedProperty.DataEquals(draft.FindProperty(s.Key), original.FindProperty(s.Key)))
                    return true;
            return false;
        }

        /// <summary>Set the same values in another object of the class.</summary>
        public void Apply(SerializedObject target)
        {
            foreach (KeyValuePair<string, Setter> s in setters)
                s.Value(target.FindProperty(s.Key));
        }

        /// <summary>Write fields_set, fields_skipped and skipped_reasons.</summary>
        public void WriteNames(JsonWriter w) { context.WriteNames(w); }

        /* A value in two objects: a scratch copy that may be changed to inspect it, and the
           original. */
        struct Place
        {
            readonly SerializedObject scratch, original;
            public SerializedProperty Sample; /* for reading the members of structs */
            public SerializedProperty Was; /* null: in a new element of an array */

            public Place(SerializedObject scratch, SerializedObject original)
            {
                this.scratch = scratch;
                this.original = original;
                Sample = Was = null;
            }

            public Place Field(string key)
            {
                return new Place { Sample = scratch.FindProperty(key), Was = original.FindProperty(key) };
            }

            public Place Member(string key)
            {
                return new Place
                {
                    Sample = Sample.FindPropertyRelative(key), Was = Was == null ? null : Was.FindPropertyRelative(key)
                };
            }

            public int Count { get { return Was == null ? 0 : Was.arraySize; } }

            /* n below 0: a new element. */
            public Place Element(int n)
            {
                if (Sample.arraySize == 0)
                    Sample.arraySize = 1;
                return new Place
                {
                    Sample = Sample.GetArrayElementAtIndex(0), Was = n < 0 ? null : Was.GetArrayElementAtIndex(n)
                };
            }
        }

        void ReadField(FieldSet set, Place component, string name, JsonValue value)
        {
            Field field = set.Find(name);
            int dot = name.IndexOf('.');
            if (field == null && dot >= 0)
            {
                field = set.Find(name.Substring(0, dot));
                value = UnfoldPath(name.Substring(dot + 1), value);
            }
            string reason = FindSkipReason(field, 0);
            if (reason != null)
            {
                context.AddSkipped(name, reason);
                return;
            }
            int names = context.NameCount;
            context.Begin(field.Name);
            Setter setter = ReadValue(field.Type, component.Field(field.Key), value, 0);
            if (setter != nothing)
                setters.Add(new KeyValuePair<string, Setter>(field.Key, setter));
            /* If no member of a struct could be set, the members are listed instead. */
            if (setter != nothing || context.NameCount == names)
                context.AddSet(name);
        }

        /* "stats.hp": 5 means "stats": {"hp": 5}. */
        static JsonValue UnfoldPath(string remaining, JsonValue value)
        {
            string[] parts = remaining.Split('.');
            int last = System.Math.Min(parts.Length, MaxNested) - 1;
            for (int i = last; i >= 0; i--)
                value = JsonValue.FromMembers(new List<string> { parts[i] }, new List<JsonValue> { value });
            return value;
        }

        /* Why a field, or a member at this struct depth, cannot be set; null: it can. */
        static string FindSkipReason(Field field, int depth)
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

        Setter ReadValue(FieldType type, Place place, JsonValue value, int depth)
        {
            if (AssignContext.IsElement(value))
                throw context.Misplaced();
            if (type.Kind == FieldKind.Object)
                return ReferenceValues.Read(context, type, value);
            if (value.IsNull)
                throw context.Invalid("null is only for references: this is " + type.Name);
            switch (type.Kind)
            {
                case FieldKind.Bool: return PlainValues.Bool(context, value);
                case FieldKind.Int: return PlainValues.Integer(context, type, value);
                case FieldKind.Float:
                case FieldKind.Double: return PlainValues.Floating(context, type, value);
                case FieldKind.String: return PlainValues.Text(context, value);
                case FieldKind.Enum: return PlainValues.Enumeration(context, type, value);
                case FieldKind.Array: return ReadElements(type, place, value, depth);
                case FieldKind.Struct: return place.Was == null ? NewStruct(type, place, value, depth)
                                                                : ReadMembers(type, place, value, depth);
                case FieldKind.Curve: return CurveValues.Curve(context, value);
                case FieldKind.Gradient: return CurveValues.Gradient(context, value);
            }
            Setter parts = PartValues.Read(context, type.Kind, value, place.Was == null);
            if (parts == null)
                throw context.Invalid("a value of type " + type.Name + " cannot be set here");
            return parts;
        }

        // ---- structs

        /* Members are set in the order of the input. */
        Setter ReadMembers(FieldType type, Place place, JsonValue value, int depth)
        {
            CheckStruct(value);
            FieldSet set = FieldSet.Of(place.Sample, type);
            var members = new List<KeyValuePair<string, Setter>>();
            for (int i = 0; i < value.Count; i++)
            {
                Field member = set.Find(value.Keys[i]);
                string reason = FindSkipReason(member, depth);
                if (reason != null)
                    context.AddSkippedMember(value.Keys[i], reason);
                else
                    AddMember(members, member, place, value.Items[i], depth);
            }
            return members.Count == 0 ? nothing : p => SetMembers(p, members);
        }

        void AddMember(List<KeyValuePair<string, Setter>> members, Field member, Place place, JsonValue value,
                       int depth)
        {
            int length = context.Enter("." + member.Name);
            Setter setter = ReadValue(member.Type, place.Member(member.Key), value, depth + 1);
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

        /* Members are set in the order of declaration; omitted ones got their initial values
           with the element. */
        Setter NewStruct(FieldType type, Place place, JsonValue value, int depth)
        {
            CheckStruct(value);
            FieldSet set = FieldSet.Of(place.Sample, type);
            foreach (string key in value.Keys)
            {
                string reason = FindSkipReason(set.Find(key), depth);
                if (reason != null)
                    context.AddSkippedMember(key, reason);
            }
            var members = new List<KeyValuePair<string, Setter>>();
            foreach (Field member in set.Fields)
            {
                string key = value.Has(member.Name) ? member.Name : member.Key;
                if (!member.IsInternal && value.Has(key) && FindSkipReason(member, depth) == null)
                    AddMember(members, member, place, value.Get(key), depth);
            }
            return p => SetMembers(p, members);
        }

        // ---- arrays

        Setter ReadElements(FieldType type, Place place, JsonValue value, int depth)
        {
            if (!value.IsArray)
                throw context.Wrong("an array", value);
            var plan = new ArrayPlan(type.Element, value.Count);
            Place fresh = value.Count > 0 ? place.Element(-1) : place;
            for (int i = 0; i < value.Count; i++)
            {
                int length = context.Enter("[" + i.ToString(CultureInfo.InvariantCulture) + "]");
                if (AssignContext.IsElement(value.Items[i]))
                    KeepElement(plan, i, type.Element, place, value.Items[i], depth + 1);
                else
                    plan.Make(i, ReadValue(type.Element, fresh, value.Items[i], depth + 1));
                context.Leave(length);
            }
            string path = place.Sample.propertyPath;
            if (path.IndexOf(".Array.data[", System.StringComparison.Ordinal) >= 0)
                return plan.Apply;
            arrays[path] = plan;
            return p =>
            {
                if (arrays[path] == plan)
                    plan.Apply(p);
            };
        }

        void KeepElement(ArrayPlan plan, int place, FieldType type, Place array, JsonValue value, int depth)
        {
            long n;
            if (!value.Get(AssignContext.Element).TryLong(out n) || n < 0)
                throw context.Invalid("$element is the index of an element of the current array, an integer from 0");
            if (n >= array.Count)
                throw context.Invalid("there is no element " + n.ToString(CultureInfo.InvariantCulture) +
                                      " to keep: the array has " +
                                      array.Count.ToString(CultureInfo.InvariantCulture));
            JsonValue remaining = RemoveMember(value, AssignContext.Element);
            if (remaining.Count > 0 && type.Kind != FieldKind.Struct && !PartValues.HasParts(type.Kind))
                throw context.Invalid("only members of a struct, or parts of a value such as a vector, can be given " +
                                      "beside $element; this is " + type.Name);
            Setter setter = remaining.Count == 0 ? nothing : ReadValue(type, array.Element((int)n), remaining, depth);
            plan.Keep(place, (int)n, setter == nothing ? null : setter);
        }

        static JsonValue RemoveMember(JsonValue value, string key)
        {
            var keys = new List<string>();
            var items = new List<JsonValue>();
            for (int i = 0; i < value.Count; i++)
                if (value.Keys[i] != key)
                {
                    keys.Add(value.Keys[i]);
                    items.Add(value.Items[i]);
                }
            return JsonValue.FromMembers(keys, items);
        }
    }
}
