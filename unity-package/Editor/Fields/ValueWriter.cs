using System.Collections.Generic;
using UnityEditor;
using UnityEngine;

namespace Multiverse.Editor
{
    /// <summary>
    /// Writes field values as the tools show them: numbers, strings and booleans are plain, a null
    /// reference is null, and everything else is {type, value, ...}. Array elements have no type,
    /// because the array states it.
    /// <code>
    ///     var values = new ValueWriter(call.Out, paths, 16);
    ///     values.Write(field, serialized.FindProperty(field.Key));
    /// </code>
    /// </summary>
    public sealed class ValueWriter
    {
        public const int MaxFields = 512;
        /// <summary>The fields of a component are at depth 0.</summary>
        public const int MaxDepth = 3;

        readonly JsonWriter w;
        readonly ScenePaths paths;
        readonly int maxArray;

        /// <summary>maxArrayElements 0: write only the number of elements.</summary>
        public ValueWriter(JsonWriter w, ScenePaths paths, int maxArrayElements)
        {
            this.w = w;
            this.paths = paths;
            maxArray = maxArrayElements;
        }

        /// <summary>The number of fields written so far.</summary>
        public int Count { get; private set; }
        /// <summary>There were more than MaxFields fields.</summary>
        public bool IsCut { get; private set; }

        /// <summary>Write one member of the current object. Return false if the limit is
        /// reached.</summary>
        public bool Write(Field field, SerializedProperty property)
        {
            return WriteMember(field, property, 0);
        }

        bool WriteMember(Field field, SerializedProperty property, int depth)
        {
            IsCut |= Count >= MaxFields;
            if (IsCut)
                return false;
            Count++;
            w.Key(field.Name);
            PutValue(property, field.Type, depth, true);
            return true;
        }

        void PutValue(SerializedProperty p, FieldType t, int depth, bool withType)
        {
            if (t.Kind == FieldKind.Unknown && p.propertyType == SerializedPropertyType.ObjectReference)
                t = FieldTypes.AnyObject; /* only the property type is known */
            switch (t.Kind)
            {
                case FieldKind.Bool: w.Value(Numbers.Bool(p)); return;
                case FieldKind.Int: PutInteger(p, t); return;
                case FieldKind.Float: w.Value(p.floatValue); return;
                case FieldKind.Double: w.Value(p.doubleValue); return;
                case FieldKind.String: w.Value(p.stringValue ?? ""); return;
                case FieldKind.Object: ReferenceText.Write(w, paths, p, t, withType); return;
                case FieldKind.Managed: PutManaged(p, depth); return;
            }
            if (depth >= MaxDepth && (t.Kind == FieldKind.Struct || t.Kind == FieldKind.Array))
            {
                w.Value("...");
                return;
            }
            w.BeginObject();
            if (withType)
                w.Member("type", t.Name);
            if (t.Kind == FieldKind.Array)
                PutArray(p, t, depth);
            else
                PutWrapped(p, t, depth);
            w.EndObject();
        }

        void PutInteger(SerializedProperty p, FieldType t)
        {
            long n = Numbers.Integer(p, t);
            if (t.Bits == 64 && !t.IsSigned)
                w.Value(unchecked((ulong)n));
            else
                w.Value(n);
        }

        void PutWrapped(SerializedProperty p, FieldType t, int depth)
        {
            w.Key("value");
            switch (t.Kind)
            {
                case FieldKind.Enum: PutEnum(p, t); return;
                case FieldKind.Struct: PutFields(p, t, depth + 1); return;
                case FieldKind.Unknown: PutUnknown(p, depth); return;
                default: Shapes.Write(w, p, t); return;
            }
        }

        void PutEnum(SerializedProperty p, FieldType t)
        {
            string name = t.Values.NameOf(Numbers.Integer(p, t));
            if (name != null)
                w.Value(name);
            else
                PutInteger(p, t);
        }

        void PutFields(SerializedProperty p, FieldType t, int depth)
        {
            w.BeginObject();
            foreach (Field field in FieldSet.Of(p, t).Fields)
            {
                SerializedProperty member = field.IsInternal ? null : p.FindPropertyRelative(field.Key);
                if (member != null && !WriteMember(field, member, depth))
                    break;
            }
            w.EndObject();
        }

        void PutArray(SerializedProperty p, FieldType t, int depth)
        {
            int count = p.arraySize;
            if (maxArray == 0)
            {
                w.Member("_total_count", count);
                return;
            }
            w.Key("value");
            w.BeginArray();
            for (int i = 0; i < count && i < maxArray; i++)
                PutValue(p.GetArrayElementAtIndex(i), t.Element, depth + 1, false);
            w.EndArray();
            if (count > maxArray)
            {
                w.Member("_truncated", true);
                w.Member("_total_count", count);
            }
        }

        /* Written with the class of its value, also in an array, because the elements may
           differ. */
        void PutManaged(SerializedProperty p, int depth)
        {
            FieldType held = p.propertyType == SerializedPropertyType.ManagedReference ? FieldTypes.OfManaged(p) : null;
            if (held == null)
            {
                w.Null();
                return;
            }
            w.BeginObject();
            w.Member("type", held.Name);
            w.Key("value");
            if (depth >= MaxDepth)
                w.Value("...");
            else
                PutFields(p, held, depth + 1);
            w.EndObject();
        }

        /* A value without a C# type is written by its property type. */
        void PutUnknown(SerializedProperty p, int depth)
        {
            if (p.propertyType == SerializedPropertyType.ObjectReference)
                ReferenceText.Write(w, paths, p, FieldTypes.AnyObject, false);
            else if (p.propertyType != SerializedPropertyType.Generic)
                Shapes.WriteByForm(w, p);
            else if (depth >= MaxDepth)
                w.Value("...");
            else if (p.isArray)
                PutUnknownArray(p, depth + 1);
            else
                PutUnknownFields(p, depth + 1);
        }

        void PutUnknownArray(SerializedProperty p, int depth)
        {
            w.BeginArray();
            for (int i = 0; i < p.arraySize && i < maxArray; i++)
                PutUnknown(p.GetArrayElementAtIndex(i), depth);
            w.EndArray();
        }

        void PutUnknownFields(SerializedProperty structure, int depth)
        {
            SerializedProperty p = structure.Copy();
            w.BeginObject();
            for (bool more = p.Next(true); more && p.depth > structure.depth; more = p.Next(false))
            {
                w.Key(p.name);
                PutUnknown(p.Copy(), depth);
            }
            w.EndObject();
        }
    }
}
