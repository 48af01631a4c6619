using System;
using System.Collections.Generic;
using UnityEditor;

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
    /// </summary>
    public sealed class FieldSet
    {
        public IList<Field> Fields { get { throw new NotImplementedException(); } }

        public static FieldSet Of(SerializedObject component) { throw new NotImplementedException(); }

        /// <summary>structure: a property of kind Struct (or Managed that is not null), with its type.</summary>
        public static FieldSet Of(SerializedProperty structure, FieldType type) { throw new NotImplementedException(); }

        /// <summary>By key, else by shown name; internal ones are not found. null: none.</summary>
        public Field Find(string name) { throw new NotImplementedException(); }
    }
}
