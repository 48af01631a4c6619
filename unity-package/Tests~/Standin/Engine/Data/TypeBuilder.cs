using System;
using System.Collections.Generic;
using System.Reflection;
using System.Runtime.CompilerServices;
using UnityEngine;
using UnityEngine.Serialization;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>
    /// Decides which fields of a class are serialized and how: all fields of native classes, those
    /// of scripts by Unity's rules.
    /// </summary>
    internal static class TypeBuilder
    {
        /* Unity's limit; deeper fields are omitted. */
        const int MaxDepth = 10;
        const BindingFlags Own = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic
            | BindingFlags.DeclaredOnly;

        public static TypeNode Root(Type type)
        {
            var node = new TypeNode
            {
                Name = "Base", TypeName = TypeNames.OfClass(type), Type = type, Kind = FieldKind.Struct, Depth = -1
            };
            AddVersion(node);
            return node;
        }

        /// <summary>The serialized fields of a struct or class, base class first.</summary>
        public static TypeNode[] Fields(TypeNode of)
        {
            var nodes = new List<TypeNode>();
            if (of.Depth >= MaxDepth)
                return nodes.ToArray();
            foreach (Type type in Lineage(of.Type))
            {
                bool isNative = IsNative(type);
                foreach (FieldInfo field in Declared(type))
                {
                    TypeNode node = isNative ? NativeField(field, of.Depth + 1) : ScriptField(field, of.Depth + 1);
                    if (node != null)
                        nodes.Add(node);
                }
            }
            return nodes.ToArray();
        }

        public static bool IsNative(Type type)
        {
            return type.IsDefined(typeof(NativeClassAttribute), false)
                || type.IsDefined(typeof(NativeStructAttribute), false);
        }

        /* The classes whose fields are serialized. A base class of a [Serializable] class must
           be [Serializable] itself; for objects and managed references every base class counts. */
        static List<Type> Lineage(Type type)
        {
            var types = new List<Type>();
            bool isObject = typeof(Object).IsAssignableFrom(type);
            for (Type t = type; t != null && t != typeof(object) && t != typeof(ValueType); t = t.BaseType)
                if (isObject || t == type || (IsSerializable(t) && !IsOfTheSystem(t)) || IsNative(t))
                    types.Insert(0, t);
            return types;
        }

        static FieldInfo[] Declared(Type type)
        {
            FieldInfo[] fields = type.GetFields(Own);
            Array.Sort(fields, (a, b) => a.MetadataToken.CompareTo(b.MetadataToken));
            return fields;
        }

        static TypeNode NativeField(FieldInfo field, int depth)
        {
            if (field.IsNotSerialized || field.IsDefined(typeof(CompilerGeneratedAttribute), false))
                return null;
            TypeNode node = Make(field.FieldType, depth, true, false);
            if (node == null)
                throw new InvalidOperationException("no serialized form: " + field.DeclaringType + "." + field.Name);
            node.Field = field;
            node.Name = field.Name;
            var name = Attribute<SerializedNameAttribute>(field);
            if (name != null)
                node.Name = name.Name;
            var type = Attribute<NativeTypeAttribute>(field);
            if (type != null)
                node.TypeName = type.Name;
            var hidden = Attribute<NativeHiddenAttribute>(field);
            node.IsHidden = hidden != null;
            node.IsLink = hidden != null && hidden.Link;
            return node;
        }

        static TypeNode ScriptField(FieldInfo field, int depth)
        {
            if (field.IsInitOnly || field.IsLiteral || field.IsNotSerialized)
                return null;
            bool isReference = field.IsDefined(typeof(SerializeReference), false);
            if (!field.IsPublic && !isReference && !field.IsDefined(typeof(SerializeField), false))
                return null;
            TypeNode node = Make(field.FieldType, depth, false, isReference);
            if (node == null)
                return null;
            node.Field = field;
            node.Name = field.Name;
            node.IsHidden = field.IsDefined(typeof(HideInInspector), false);
            node.FormerNames = FormerNames(field);
            return node;
        }

        static string[] FormerNames(FieldInfo field)
        {
            object[] found = field.GetCustomAttributes(typeof(FormerlySerializedAsAttribute), false);
            return found.Length == 0
                ? null : Array.ConvertAll(found, a => ((FormerlySerializedAsAttribute)a).oldName);
        }

        static T Attribute<T>(FieldInfo field) where T : Attribute
        {
            return (T)System.Attribute.GetCustomAttribute(field, typeof(T), false);
        }

        /* Return null if the type is not serialized. */
        static TypeNode Make(Type type, int depth, bool isNative, bool isReference)
        {
            Type element = ElementOf(type);
            if (element == null)
                return MakeOne(type, depth, isNative, isReference);
            /* Only the engine has arrays of arrays (paths of PolygonCollider2D). */
            if (ElementOf(element) != null && !isNative)
                return null;
            TypeNode inner = Make(element, depth, isNative, isReference);
            if (inner == null)
                return null;
            inner.Name = "data";
            return new TypeNode
            {
                Type = type, Kind = FieldKind.Array, TypeName = "vector", Element = inner, Depth = depth,
                IsNative = isNative
            };
        }

        /// <summary>Return the element type of an array or List, or null.</summary>
        public static Type ElementOf(Type type)
        {
            if (type.IsArray)
                return type.GetArrayRank() == 1 ? type.GetElementType() : typeof(Array);
            return type.IsGenericType && type.GetGenericTypeDefinition() == typeof(List<>)
                ? type.GetGenericArguments()[0] : null;
        }

        static TypeNode MakeOne(Type type, int depth, bool isNative, bool isReference)
        {
            FieldKind kind;
            if (!KindOf(type, isReference, out kind))
                return null;
            if (kind == FieldKind.Enum && isNative)
                kind = FieldKind.Integer;
            if (kind == FieldKind.Struct && depth >= MaxDepth)
                return null;
            var node = new TypeNode { Type = type, Kind = kind, Depth = depth, IsNative = isNative };
            node.TypeName = TypeNames.Of(type, kind, isNative);
            AddVersion(node);
            return node;
        }

        static void AddVersion(TypeNode node)
        {
            var flow = (NativeStructAttribute)System.Attribute.GetCustomAttribute(
                node.Type, typeof(NativeStructAttribute), false);
            node.IsFlow = flow != null && flow.Flow;
            var version = (SerializedVersionAttribute)System.Attribute.GetCustomAttribute(
                node.Type, typeof(SerializedVersionAttribute), false);
            if (version == null)
                return;
            node.Version = version.Version;
            node.VersionBefore = version.Before;
        }

        static bool KindOf(Type type, bool isReference, out FieldKind kind)
        {
            if (isReference)
            {
                kind = FieldKind.Managed;
                return !type.IsValueType && type != typeof(string) && !typeof(Object).IsAssignableFrom(type);
            }
            if (FieldKinds.TryGet(type, out kind))
                return true;
            if (typeof(Object).IsAssignableFrom(type))
            {
                kind = FieldKind.Reference;
                return true;
            }
            if (type.IsEnum)
            {
                kind = FieldKind.Enum;
                Type under = Enum.GetUnderlyingType(type);
                return under != typeof(long) && under != typeof(ulong);
            }
            kind = FieldKind.Struct;
            return IsNative(type) || IsSerializableClass(type);
        }

        static bool IsSerializableClass(Type type)
        {
            return IsSerializable(type) && !type.IsAbstract && !type.IsInterface && !type.IsPrimitive
                && !type.IsPointer && !typeof(Delegate).IsAssignableFrom(type) && !IsOfTheSystem(type)
                && !type.ContainsGenericParameters && IsTakenGeneric(type);
        }

        /* Before 2020.1 a generic class had to be closed by inheritance. */
        static bool IsTakenGeneric(Type type)
        {
#if UNITY_2020_1_OR_NEWER
            return true;
#else
            return !type.IsGenericType;
#endif
        }

        static bool IsSerializable(Type type) { return (type.Attributes & TypeAttributes.Serializable) != 0; }

        static bool IsOfTheSystem(Type type)
        {
            string name = type.Assembly.GetName().Name;
            return name == "mscorlib" || name == "netstandard" || name == "System"
                || name.StartsWith("System.", StringComparison.Ordinal);
        }
    }
}
