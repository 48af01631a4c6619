namespace Multiverse.Editor
{
    /// <summary>A serialized field of a component, or of a struct in one.</summary>
    public sealed class Field
    {
        /// <summary>The name in the file, for FindProperty and FindPropertyRelative:
        /// "m_Mass".</summary>
        public readonly string Key;
        /// <summary>The name that the tools show: "mass".</summary>
        public readonly string Name;
        public readonly FieldType Type;
        /// <summary>Links, m_Script, m_Name and others: neither shown, set nor found.</summary>
        public readonly bool IsInternal;
        /// <summary>m_GameObject, m_Father, m_Children and others: found, but neither shown nor
        /// set.</summary>
        public readonly bool IsReadOnly;

        internal Field(string key, string name, FieldType type, bool isInternal, bool isReadOnly)
        {
            Key = key;
            Name = name;
            Type = type;
            IsInternal = isInternal;
            IsReadOnly = isReadOnly;
        }

        internal Field WithName(string name) { return new Field(Key, name, Type, IsInternal, IsReadOnly); }
    }
}
