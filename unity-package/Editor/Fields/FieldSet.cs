using System;
using System.Collections.Generic;
using UnityEditor;
using UnityEngine;

namespace Multiverse.Editor
{
    /// <summary>
    /// The fields of a component, or of a struct in one, in the order of the file.
    /// <code>
    ///     FieldSet all = FieldSet.Of(serialized);
    ///     Field f = all.Find("mass");                     // "m_Mass" finds it, too; null: none
    ///     SerializedProperty p = serialized.FindProperty(f.Key);
    ///     if (f.Type.Kind == FieldKind.Struct)
    ///         FieldSet.Of(p, f.Type).Find("hp") ...       // p.FindPropertyRelative(key)
    /// </code>
    /// What a struct has is read off its property: of an array's elements at least one must be there.
    /// Names: the engine's own are shown as scripts have them ("m_Mass" is mass, m_Enabled stays); where
    /// two would be one, both keep the key. Fields of scripts keep their name, and
    /// [field: SerializeField] properties have that of the property.
    /// </summary>
    public sealed class FieldSet
    {
        const string BackingField = ">k__BackingField";

        static readonly HashSet<string> hidden = new HashSet<string>(StringComparer.Ordinal)
        {
            "m_ObjectHideFlags", "m_CorrespondingSourceObject", "m_PrefabInstance", "m_PrefabAsset",
            "m_PrefabParentObject", "m_PrefabInternal", "m_EditorHideFlags", "m_Script",
            "m_EditorClassIdentifier", "m_GeneratorAsset",
        };
        static readonly HashSet<string> readOnly = new HashSet<string>(StringComparer.Ordinal)
        {
            "m_GameObject", "m_Father", "m_Children", "m_RootOrder", "m_Component",
        };

        readonly List<Field> fields = new List<Field>();

        public IList<Field> Fields { get { return fields; } }

        public static FieldSet Of(SerializedObject component)
        {
            var set = new FieldSet();
            bool isScript = component.targetObject is MonoBehaviour;
            SerializedProperty p = component.GetIterator();
            for (bool more = p.Next(true); more; more = p.Next(false))
                if (p.type != "ManagedReferencesRegistry")
                    set.Add(p, null, isScript);
            set.PartNames();
            return set;
        }

        /// <summary>structure: a property of kind Struct with its type, or one of kind Managed with the
        /// class that it holds.</summary>
        public static FieldSet Of(SerializedProperty structure, FieldType type)
        {
            var set = new FieldSet();
            SerializedProperty p = structure.Copy();
            for (bool more = p.Next(true); more && p.depth > structure.depth; more = p.Next(false))
                set.Add(p, type, false);
            set.PartNames();
            return set;
        }

        void Add(SerializedProperty p, FieldType owner, bool isScript)
        {
            string key = p.name;
            FieldType type = FieldTypes.Of(p, owner);
            if (IsOfScript(p, owner))
            {
                fields.Add(new Field(key, ScriptName(key), type, false, false));
                return;
            }
            bool isPlain = owner != null && owner.Name.StartsWith("UnityEngine.", StringComparison.Ordinal);
            bool isHidden = hidden.Contains(key) || (isScript && key == "m_Name");
            fields.Add(new Field(key, isPlain ? key : ShownName(key), type, isHidden, readOnly.Contains(key)));
        }

        static bool IsOfScript(SerializedProperty p, FieldType owner)
        {
            Type type = owner != null ? owner.Clr : p.serializedObject.targetObject.GetType();
            return FieldTypes.FieldOf(type, p.name) != null;
        }

        static string ScriptName(string key)
        {
            bool isProperty = key[0] == '<' && key.EndsWith(BackingField, StringComparison.Ordinal);
            return isProperty ? key.Substring(1, key.Length - 1 - BackingField.Length) : key;
        }

        /// <summary>"m_Mass": mass; "MaxDistance": maxDistance; what has blanks or is m_Enabled stays.</summary>
        internal static string ShownName(string key)
        {
            string rest = key.StartsWith("m_", StringComparison.Ordinal) ? key.Substring(2) : key;
            if (rest.Length == 0 || key == "m_Enabled" || key.IndexOf(' ') >= 0)
                return key;
            bool isUpper = rest[0] >= 'A' && rest[0] <= 'Z';
            return isUpper ? (char)(rest[0] - 'A' + 'a') + rest.Substring(1) : rest;
        }

        void PartNames()
        {
            var first = new Dictionary<string, int>(StringComparer.Ordinal);
            for (int i = 0; i < fields.Count; i++)
            {
                int other;
                string name = fields[i].Name;
                if (!first.TryGetValue(name, out other))
                {
                    first.Add(name, i);
                    continue;
                }
                fields[other] = fields[other].WithName(fields[other].Key);
                fields[i] = fields[i].WithName(fields[i].Key);
            }
        }

        /// <summary>By key, else by shown name; internal ones are not found. null: none.</summary>
        public Field Find(string name)
        {
            Field byName = null;
            foreach (Field field in fields)
            {
                if (field.IsInternal)
                    continue;
                if (string.Equals(field.Key, name, StringComparison.Ordinal))
                    return field;
                if (byName == null && string.Equals(field.Name, name, StringComparison.Ordinal))
                    byName = field;
            }
            return byName;
        }
    }
}
