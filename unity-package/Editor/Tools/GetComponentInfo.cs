using System;
using System.Collections.Generic;
using UnityEditor;

namespace Multiverse.Editor
{
    /// <summary>get_component_info: the fields of one component. <see cref="ValueWriter"/> limits the
    /// amount, so it takes one step.</summary>
    public sealed class GetComponentInfo : Tool
    {
        public override string Name { get { return "get_component_info"; } }

        public override IEnumerator<Pause> Run(ToolCall call)
        {
            SceneComponent at = SceneComponent.Get(call.Arguments);
            using (var serialized = new SerializedObject(at.Component))
            {
                JsonWriter w = call.Out;
                w.BeginObject();
                at.WriteOwner(w);
                w.Member("index", at.Index);
                w.Member("component_type", FieldTypes.NameOf(at.Component.GetType()));
                int max = (int)call.Arguments.GetLong("max_array_elements", 16);
                var values = new ValueWriter(w, at.Paths, max);
                w.Key("fields");
                w.BeginObject();
                WriteFields(values, serialized, call.Arguments.Get("fields"));
                w.EndObject();
                if (values.IsCut)
                    w.Member("_fields_truncated", true);
                w.EndObject();
            }
            yield break;
        }

        static void WriteFields(ValueWriter values, SerializedObject serialized, JsonValue names)
        {
            foreach (Field field in FieldSet.Of(serialized).Fields)
            {
                if (field.IsInternal || field.IsReadOnly || !IsAskedFor(names, field))
                    continue;
                SerializedProperty property = serialized.FindProperty(field.Key);
                if (property != null && !values.Write(field, property))
                    return;
            }
        }

        static bool IsAskedFor(JsonValue names, Field field)
        {
            if (!names.IsArray)
                return true;
            foreach (JsonValue name in names.Items)
                if (string.Equals(name.AsString, field.Name, StringComparison.Ordinal) ||
                    string.Equals(name.AsString, field.Key, StringComparison.Ordinal))
                    return true;
            return false;
        }
    }
}
