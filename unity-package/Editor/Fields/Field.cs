namespace Multiverse.Editor
{
    /// <summary>A serialized field of a component, or of a struct in one.</summary>
    public sealed class Field
    {
        /// <summary>In the file, and for FindProperty and FindPropertyRelative: "m_Mass".</summary>
        public readonly string Key;
        /// <summary>As the tools show it: "mass".</summary>
        public readonly string Name;
        public readonly FieldType Type;
        /// <summary>Links, m_Script, m_Name ...: neither shown nor set nor found.</summary>
        public readonly bool IsInternal;
        /// <summary>m_GameObject, m_Father, m_Children ...: found, but not shown and not set.</summary>
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
