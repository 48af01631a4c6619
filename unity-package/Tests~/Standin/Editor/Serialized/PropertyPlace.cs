using System;
using System.Globalization;
using Object = UnityEngine.Object;

namespace Standin
{
    internal enum PlaceKind { Root, Field, Array, Size, Element, Letter, Letters, FileId, PathId }

    /// <summary>
    /// The position of a SerializedProperty in an object's tree: a chain up to the root. It holds
    /// no data; the data is looked up from the root each time, so that it stays correct when arrays
    /// change. As in Unity, an array has one child, "Array", with "size" and the elements; a
    /// reference has m_FileID and m_PathID; a string is an array of characters.
    /// </summary>
    internal sealed class PropertyPlace
    {
        public readonly PropertyPlace Parent;
        public readonly PlaceKind Kind;
        public readonly TypeNode Type;
        /// <summary>Its index among the parent's children, or the element's index.</summary>
        public readonly int Index;

        public PropertyPlace(TypeNode root) : this(null, PlaceKind.Root, root, 0) { }

        PropertyPlace(PropertyPlace parent, PlaceKind kind, TypeNode type, int index)
        {
            Parent = parent;
            Kind = kind;
            Type = type;
            Index = index;
        }

        public string Name
        {
            get
            {
                switch (Kind)
                {
                    case PlaceKind.Array: case PlaceKind.Letters: return "Array";
                    case PlaceKind.Size: return "size";
                    case PlaceKind.Element: case PlaceKind.Letter: return "data";
                    case PlaceKind.FileId: return "m_FileID";
                    case PlaceKind.PathId: return "m_PathID";
                    case PlaceKind.Root: return "Base";
                    default: return Type.Name;
                }
            }
        }

        public string Path
        {
            get
            {
                if (Parent == null)
                    return "";
                string name = Name;
                if (Kind == PlaceKind.Element || Kind == PlaceKind.Letter)
                    name += "[" + Index.ToString(CultureInfo.InvariantCulture) + "]";
                return Parent.Parent == null ? name : Parent.Path + "." + name;
            }
        }

        /// <summary>The depth: 0 for the object's fields. Array elements are one level below the
        /// array.</summary>
        public int Depth
        {
            get
            {
                int depth = -1;
                for (PropertyPlace p = this; p.Parent != null; p = p.Parent)
                    if (p.Parent.Kind != PlaceKind.Array && p.Parent.Kind != PlaceKind.Letters)
                        depth++;
                return depth;
            }
        }

        public bool IsArray { get { return IsOwn && (Type.Kind == FieldKind.Array || Type.Kind == FieldKind.String); } }
        public bool IsManaged { get { return IsOwn && Type.Kind == FieldKind.Managed; } }

        /// <summary>Whether it is a field or an element, with a value of its own.</summary>
        public bool IsOwn { get { return Kind == PlaceKind.Field || Kind == PlaceKind.Element; } }

        /// <summary>Whether NextVisible skips it with its children.</summary>
        public bool IsHidden
        {
            get
            {
                return (Kind == PlaceKind.Field && Type.IsHidden) || Kind == PlaceKind.Letters
                    || Kind == PlaceKind.FileId || Kind == PlaceKind.PathId;
            }
        }

        /// <summary>Whether NextVisible skips it but not its children.</summary>
        public bool IsTransparent { get { return Kind == PlaceKind.Array; } }

        public int ChildCount(DataNode root)
        {
            switch (Kind)
            {
                case PlaceKind.Root: return Type.Children.Length;
                case PlaceKind.Array: return 1 + Data(root).Count;
                case PlaceKind.Letters: return 1 + Data(root).Text.Length;
                case PlaceKind.Field: case PlaceKind.Element: break;
                default: return 0;
            }
            switch (Type.Kind)
            {
                case FieldKind.Array: case FieldKind.String: return 1;
                case FieldKind.Reference: return 2;
                case FieldKind.Managed: return ManagedType(root) == null ? 0 : ManagedType(root).Children.Length;
                default: return Type.Children.Length;
            }
        }

        public PropertyPlace Child(DataNode root, int index)
        {
            if (Kind == PlaceKind.Array || Kind == PlaceKind.Letters)
            {
                bool isArray = Kind == PlaceKind.Array;
                if (index == 0)
                    return new PropertyPlace(this, PlaceKind.Size, Type, 0);
                return new PropertyPlace(this, isArray ? PlaceKind.Element : PlaceKind.Letter,
                                         isArray ? Type.Element : Type, index - 1);
            }
            if (Kind != PlaceKind.Root)
            {
                if (Type.Kind == FieldKind.Array)
                    return new PropertyPlace(this, PlaceKind.Array, Type, 0);
                if (Type.Kind == FieldKind.String)
                    return new PropertyPlace(this, PlaceKind.Letters, Type, 0);
                if (Type.Kind == FieldKind.Reference)
                    return new PropertyPlace(this, index == 0 ? PlaceKind.FileId : PlaceKind.PathId, Type, index);
            }
            TypeNode type = IsManaged ? ManagedType(root) : Type;
            return new PropertyPlace(this, PlaceKind.Field, type.Children[index], index);
        }

        /// <summary>Return a child by name, for elements with the index: "data[2]"; null:
        /// none.</summary>
        public PropertyPlace Child(DataNode root, string name)
        {
            int index = ElementIndex(name);
            int count = ChildCount(root);
            if (index >= 0 && (Kind == PlaceKind.Array || Kind == PlaceKind.Letters))
                return index + 1 < count ? Child(root, index + 1) : null;
            for (int i = 0; i < count; i++)
            {
                PropertyPlace child = Child(root, i);
                if (child.Kind == PlaceKind.Element || child.Kind == PlaceKind.Letter)
                    return null;
                if (child.Name == name)
                    return child;
            }
            return null;
        }

        static int ElementIndex(string name)
        {
            int index;
            return name.StartsWith("data[", StringComparison.Ordinal) && name.EndsWith("]", StringComparison.Ordinal)
                && int.TryParse(name.Substring(5, name.Length - 6), NumberStyles.None, CultureInfo.InvariantCulture,
                                out index) ? index : -1;
        }

        /// <summary>Return the place at a path below, or null.</summary>
        public PropertyPlace Find(DataNode root, string path)
        {
            PropertyPlace at = this;
            foreach (string name in path.Split('.'))
                if ((at = at.Child(root, name)) == null)
                    return null;
            return at;
        }

        public PropertyPlace NextSibling(DataNode root)
        {
            if (Parent == null)
                return null;
            bool isElement = Kind == PlaceKind.Element || Kind == PlaceKind.Letter;
            int next = Index + (isElement ? 2 : 1);
            return next < Parent.ChildCount(root) ? Parent.Child(root, next) : null;
        }

        /// <summary>The class of a managed reference's value, or null.</summary>
        TypeNode ManagedType(DataNode root)
        {
            DataNode data = Data(root);
            System.Type type = data == null || data.TypeName.Length == 0 ? null : ManagedTypes.Find(data.TypeName);
            return type == null ? null : TypeTree.Of(type);
        }

        /// <summary>
        /// Return its data: of "Array" and "size" the list, of characters the text, of m_FileID the
        /// reference. Return null if the array became shorter or the managed reference has another
        /// class.
        /// </summary>
        public DataNode Data(DataNode root)
        {
            if (Parent == null)
                return root;
            DataNode above = Parent.Data(root);
            if (above == null)
                return null;
            if (Kind == PlaceKind.Field)
                return above.Get(Type.Name);
            if (Kind == PlaceKind.Element)
                return Index < above.Count ? above[Index] : null;
            return above;
        }

        /// <summary>Replace the data of a field or an element.</summary>
        public void SetData(DataNode root, DataNode value)
        {
            DataNode above = Parent.Data(root);
            if (above == null)
                return;
            if (Kind == PlaceKind.Field)
                above.Set(Type.Name, value);
            else if (Kind == PlaceKind.Element && Index < above.Count)
                above.Items[Index] = value;
        }

        public static int ReferenceId(DataNode reference)
        {
            if (reference == null || reference.Kind != DataKind.Reference || reference.IsNullReference)
                return 0;
            Object target = reference.Target;
            return (object)target != null ? target.instanceId : ObjectTable.MissingId(reference);
        }
    }
}
