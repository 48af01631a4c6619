using System;
using System.Collections.Generic;
using UnityEditor;
using UnityEngine;

namespace Multiverse.Editor
{
    /// <summary>
    /// The fields of a component, or of a struct in one, in file order.
    /// The members of a struct are read from its property, so an array needs at least one element.
    /// Engine fields are shown as in scripts ("m_Mass" is mass, m_Enabled stays); if two names
    /// would be equal, both keep the key. Script fields keep their name, and [field:
    /// SerializeField] properties have the property's name.
    /// <code>
    ///     FieldSet all = FieldSet.Of(serialized);
    ///     Field f = all.Find("mass");                     // "m_Mass" finds it, too; null: none
    ///     SerializedProperty p = serialized.FindProperty(f.Key);
    ///     if (f.Type.Kind == FieldKind.Struct)
    ///         FieldSet.Of(p, f.Type).Find("hp") ...       // p.FindPropertyRelative(key)
    /// </code>
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
                    set.AddField(p, null, isScript);
            set.ResolveDuplicates();
            return set;
        }

        /// <summary>structure: a property of kind Struct with its type, or of kind Managed with the
        /// class of its value.</summary>
        public static FieldSet Of(SerializedProperty structure, FieldType type)
        {
            var set = new FieldSet();
            SerializedProperty p = structure.Copy();
            for (bool more = p.Next(true); more && p.depth > structure.depth; more = p.Next(false))
                set.AddField(p, type, false);
            set.ResolveDuplicates();
            return set;
        }

        void AddField(SerializedProperty p, FieldType owner, bool isScript)
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

        /// <summary>Shorten "m_Mass" to mass and "MaxDistance" to maxDistance; keep m_Enabled and
        /// names with blanks.</summary>
        internal static string ShownName(string key)
        {
            string stem = key.StartsWith("m_", StringComparison.Ordinal) ? key.Substring(2) : key;
            if (stem.Length == 0 || key == "m_Enabled" || key.IndexOf(' ') >= 0)
                return key;
            bool isUpper = stem[0] >= 'A' && stem[0] <= 'Z';
            return isUpper ? (char)(stem[0] - 'A' + 'a') + stem.Substring(1) : stem;
        }

        void ResolveDuplicates()
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

        /// <summary>Find a field by key, otherwise by shown name; internal fields are not found.
        /// null: none.</summary>
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
