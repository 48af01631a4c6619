using System;
using System.Reflection;

namespace Standin
{
    /// <summary>The kind of a field, for SerializedProperty.propertyType and for writing.</summary>
    internal enum FieldKind
    {
        Struct, Array, Integer, Boolean, Float, String, Character, Enum, Reference, Managed,
        Color, LayerMask, Vector2, Vector3, Vector4, Rect, Curve, Bounds, Gradient, Quaternion,
        Vector2Int, Vector3Int, RectInt, BoundsInt, Hash128
    }

    /// <summary>
    /// One field of a serialized type; created by <see cref="TypeTree"/>. Vectors, colours, curves
    /// and similar types are structs with their own kind and have Children too.
    /// </summary>
    internal sealed class TypeNode
    {
        static readonly TypeNode[] none = new TypeNode[0];

        TypeNode[] children;

        /// <summary>The serialized name; "data" for array elements, "Base" for an object.</summary>
        public string Name;
        /// <summary>The value of SerializedProperty.type: "int", "Vector3f",
        /// "PPtr&lt;$Enemy&gt;".</summary>
        public string TypeName;
        public Type Type;
        /// <summary>null: an array's element, or the object itself.</summary>
        public FieldInfo Field;
        public FieldKind Kind;
        public bool IsHidden;
        /// <summary>Connects objects: see <see cref="NativeHiddenAttribute"/>.</summary>
        public bool IsLink;
        /// <summary>Earlier names, from [FormerlySerializedAs].</summary>
        public string[] FormerNames;
        /// <summary>The serializedVersion of a struct, before the key VersionBefore or first; 0:
        /// none.</summary>
        public int Version;
        public string VersionBefore;
        /// <summary>Written in braces on one line.</summary>
        public bool IsFlow;
        /// <summary>The depth below the object; its own fields have 0.</summary>
        public int Depth;
        /// <summary>The field belongs to a native class.</summary>
        public bool IsNative;
        /// <summary>The element of an array.</summary>
        public TypeNode Element;

        /// <summary>
        /// The fields of a struct in file order; none for a managed reference. Built on first use,
        /// because a class that contains itself would never end.
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

        /// <summary>Return a field by its serialized name, or null.</summary>
        public TypeNode Child(string name)
        {
            foreach (TypeNode child in Children)
                if (child.Name == name)
                    return child;
            return null;
        }
    }
}
