using System;
using System.Reflection;

namespace Standin
{
    /// <summary>What a field is for SerializedProperty.propertyType, and how it is written.</summary>
    internal enum FieldKind
    {
        Struct, Array, Integer, Boolean, Float, String, Character, Enum, Reference, Managed,
        Color, LayerMask, Vector2, Vector3, Vector4, Rect, Curve, Bounds, Gradient, Quaternion,
        Vector2Int, Vector3Int, RectInt, BoundsInt, Hash128
    }

    /// <summary>
    /// One field of a serialized type; made by <see cref="TypeTree"/>. Vectors, colours, curves and the
    /// like are structs with a kind of their own: they have Children, too.
    /// </summary>
    internal sealed class TypeNode
    {
        static readonly TypeNode[] none = new TypeNode[0];

        TypeNode[] children;

        /// <summary>The serialized name; "data" for the elements of an array, "Base" for an object.</summary>
        public string Name;
        /// <summary>What SerializedProperty.type says: "int", "Vector3f", "PPtr&lt;$Enemy&gt;".</summary>
        public string TypeName;
        public Type Type;
        /// <summary>null: an array's element, or the object itself.</summary>
        public FieldInfo Field;
        public FieldKind Kind;
        public bool IsHidden;
        /// <summary>Ties objects together: see <see cref="NativeHiddenAttribute"/>.</summary>
        public bool IsLink;
        /// <summary>Earlier names, from [FormerlySerializedAs].</summary>
        public string[] FormerNames;
        /// <summary>serializedVersion of a struct; 0: none. It stands before VersionBefore, or first.</summary>
        public int Version;
        public string VersionBefore;
        /// <summary>Written in braces on one line.</summary>
        public bool IsFlow;
        /// <summary>How deep below the object: its fields are at 0.</summary>
        public int Depth;
        /// <summary>The field is one of a class that is native in Unity.</summary>
        public bool IsNative;
        /// <summary>Of an array.</summary>
        public TypeNode Element;

        /// <summary>
        /// Fields of a struct, in the order of the file; none for a managed reference. Made when first asked
        /// for: a class that holds itself would have no end.
        /// </summary>
        public TypeNode[] Children
        {
            get
            {
                if (children == null)
                    children = HasFields ? TypeBuilder.Fields(this) : none;
                return children;
            }
        }

        bool HasFields
        {
            get
            {
                return Kind == FieldKind.Struct || Kind >= FieldKind.Color;
            }
        }

        public bool IsList { get { return Kind == FieldKind.Array && !Type.IsArray; } }

        /// <summary>A field by its serialized name; null: there is none.</summary>
        public TypeNode Child(string name)
        {
            foreach (TypeNode child in Children)
                if (child.Name == name)
                    return child;
            return null;
        }
    }
}
