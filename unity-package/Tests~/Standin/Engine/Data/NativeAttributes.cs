using System;

namespace Standin
{
    /// <summary>
    /// A class that is native in Unity. Every instance field that is not [NonSerialized] is serialized,
    /// whatever its access, base class first.
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
        /// <summary>Several of them may be on one GameObject.</summary>
        public bool Multiple;
        /// <summary>Unity adds it to nothing (Collider, Renderer), even where C# could make one.</summary>
        public bool Abstract;

        public NativeClassAttribute(int id, string name)
        {
            Id = id;
            Name = name;
        }
    }

    /// <summary>
    /// A struct or class inside native ones; serialized like <see cref="NativeClassAttribute"/>. The name
    /// is what SerializedProperty.type says.
    /// </summary>
    [AttributeUsage(AttributeTargets.Class | AttributeTargets.Struct, Inherited = false)]
    internal sealed class NativeStructAttribute : Attribute
    {
        public readonly string Name;
        /// <summary>Unity writes it in braces: {x: 0, y: 0}.</summary>
        public bool Flow;

        public NativeStructAttribute(string name) { Name = name; }
    }

    /// <summary>The serialized name of a field where it is no identifier: "near clip plane".</summary>
    [AttributeUsage(AttributeTargets.Field)]
    internal sealed class SerializedNameAttribute : Attribute
    {
        public readonly string Name;

        public SerializedNameAttribute(string name) { Name = name; }
    }

    /// <summary>
    /// What SerializedProperty.type says where the C# type of the field does not tell it:
    /// "PPtr&lt;EditorExtension&gt;", "UInt8" for a byte that is a bool in C#.
    /// </summary>
    [AttributeUsage(AttributeTargets.Field)]
    internal sealed class NativeTypeAttribute : Attribute
    {
        public readonly string Name;

        public NativeTypeAttribute(string name) { Name = name; }
    }

    /// <summary>
    /// The file has a serializedVersion in it: before the key Before, or first.
    /// </summary>
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
    /// A field that Next gives and NextVisible does not, and for own scripts [HideInInspector] does the
    /// same. Links: what ties objects together (m_Component, m_Father): undo of a change of properties
    /// leaves it alone.
    /// </summary>
    [AttributeUsage(AttributeTargets.Field)]
    internal sealed class NativeHiddenAttribute : Attribute
    {
        public bool Link;
    }
}
