using System;

namespace Standin
{
    /// <summary>
    /// Marks a class that is native in Unity. Every instance field without [NonSerialized] is
    /// serialized, whatever its access, base class first.
    /// <code>
    ///     [NativeClass(54, "Rigidbody"), SerializedVersion(4, "m_Mass")]
    ///     public class Rigidbody : Component
    ///     {
    ///         internal float m_Mass = 1;
    ///         [NativeType("UInt8")] internal byte m_Interpolate;
    ///         public float mass { get { return m_Mass; } set { m_Mass = value; } }
    ///     }
    /// </code>
    /// </summary>
    [AttributeUsage(AttributeTargets.Class, Inherited = false)]
    internal sealed class NativeClassAttribute : Attribute
    {
        public readonly int Id;
        public readonly string Name;
        /// <summary>A GameObject may have several of them.</summary>
        public bool Multiple;
        /// <summary>Unity does not allow adding it (Collider, Renderer), even if C# could create
        /// it.</summary>
        public bool Abstract;

        public NativeClassAttribute(int id, string name)
        {
            Id = id;
            Name = name;
        }
    }

    /// <summary>
    /// Marks a struct or class inside native classes; serialized like <see
    /// cref="NativeClassAttribute"/>. The name is the value of SerializedProperty.type.
    /// </summary>
    [AttributeUsage(AttributeTargets.Class | AttributeTargets.Struct, Inherited = false)]
    internal sealed class NativeStructAttribute : Attribute
    {
        public readonly string Name;
        /// <summary>Written by Unity in braces: {x: 0, y: 0}.</summary>
        public bool Flow;

        public NativeStructAttribute(string name) { Name = name; }
    }

    /// <summary>The serialized name of a field if it is not an identifier: "near clip plane".</summary>
    [AttributeUsage(AttributeTargets.Field)]
    internal sealed class SerializedNameAttribute : Attribute
    {
        public readonly string Name;

        public SerializedNameAttribute(string name) { Name = name; }
    }

    /// <summary>
    /// The value of SerializedProperty.type where it differs from the field's C# type:
    /// "PPtr&lt;EditorExtension&gt;", "UInt8" for a byte that is a bool in C#.
    /// </summary>
    [AttributeUsage(AttributeTargets.Field)]
    internal sealed class NativeTypeAttribute : Attribute
    {
        public readonly string Name;

        public NativeTypeAttribute(string name) { Name = name; }
    }

    /// <summary>The file contains a serializedVersion: before the key Before, or first.</summary>
    [AttributeUsage(AttributeTargets.Class | AttributeTargets.Struct, Inherited = false)]
    internal sealed class SerializedVersionAttribute : Attribute
    {
        public readonly int Version;
        public readonly string Before;

        public SerializedVersionAttribute(int version, string before = null)
        {
            Version = version;
            Before = before;
        }
    }

    /// <summary>
    /// Next returns the field but NextVisible does not, like [HideInInspector] in scripts. Link:
    /// the field connects objects (m_Component, m_Father); undo of property changes ignores it.
    /// </summary>
    [AttributeUsage(AttributeTargets.Field)]
    internal sealed class NativeHiddenAttribute : Attribute
    {
        public bool Link;
    }
}
