using System;
using System.Collections;
using System.Collections.Generic;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>
    /// Converts data to values. Data of the wrong form, or references that do not fit, become the
    /// default value; no file can make it fail.
    /// </summary>
    internal sealed class DataReader
    {
        readonly Object owner;
        readonly Dictionary<long, object> managed = new Dictionary<long, object>();
        readonly FieldPath path = new FieldPath();

        public DataReader(Object owner) { this.owner = owner; }

        public void Root(DataNode data)
        {
            ReadFields(owner, TypeTree.Of(owner.GetType()), data);
            var missing = owner as MissingScript;
            if ((object)missing != null)
                missing.KeepData(data);
        }

        void ReadFields(object into, TypeNode type, DataNode data)
        {
            if (data.Keys == null)
                return;
            foreach (TypeNode field in type.Children)
            {
                DataNode value = Find(data, field);
                if (value == null)
                    continue;
                path.Push(field.Name);
                field.Field.SetValue(into, Value(value, field, field.Field.GetValue(into)));
                path.Pop();
            }
            var receiver = into as UnityEngine.ISerializationCallbackReceiver;
            if (receiver != null)
                receiver.OnAfterDeserialize();
        }

        static DataNode Find(DataNode data, TypeNode field)
        {
            DataNode value = data.Get(field.Name);
            if (value != null || field.FormerNames == null)
                return value;
            foreach (string name in field.FormerNames)
                if ((value = data.Get(name)) != null)
                    return value;
            return null;
        }

        /// <summary>Return the value of a field whose previous value is old.</summary>
        public object Value(DataNode data, TypeNode type, object old)
        {
            switch (type.Kind)
            {
                case FieldKind.Array:
                    return Array(data, type);
                case FieldKind.Reference:
                    return Reference(data, type.Type);
                case FieldKind.Managed:
                    return Managed(data, type.Type);
                case FieldKind.String:
                    return data.Kind == DataKind.Scalar ? data.Text : old ?? "";
                case FieldKind.Boolean:
                case FieldKind.Integer:
                case FieldKind.Float:
                case FieldKind.Character:
                case FieldKind.Enum:
                    return data.Kind == DataKind.Scalar ? Scalar(data.Text, type.Type) : old;
                default:
                    object value = old ?? Instances.New(type.Type);
                    ReadFields(value, type, data);
                    return value;
            }
        }

        /// <summary>Parse a number, bool or character; a number that is too large loses its upper
        /// bits.</summary>
        public static object Scalar(string text, Type type)
        {
            if (type.IsEnum)
                return Enum.ToObject(type, Scalar(text, Enum.GetUnderlyingType(type)));
            unchecked
            {
                switch (Type.GetTypeCode(type))
                {
                    case TypeCode.Boolean: return Scalars.ToBool(text);
                    case TypeCode.Single: return Scalars.ToFloat(text);
                    case TypeCode.Double: return Scalars.ToDouble(text);
                    case TypeCode.Byte: return (byte)Scalars.ToLong(text);
                    case TypeCode.SByte: return (sbyte)Scalars.ToLong(text);
                    case TypeCode.Int16: return (short)Scalars.ToLong(text);
                    case TypeCode.UInt16: return (ushort)Scalars.ToLong(text);
                    case TypeCode.Char: return (char)Scalars.ToLong(text);
                    case TypeCode.Int32: return (int)Scalars.ToLong(text);
                    case TypeCode.UInt32: return (uint)Scalars.ToLong(text);
                    case TypeCode.UInt64: return (ulong)Scalars.ToLong(text);
                    default: return Scalars.ToLong(text);
                }
            }
        }

        object Array(DataNode data, TypeNode type)
        {
            List<DataNode> items = data.Items;
            if (data.Kind == DataKind.Scalar)
                items = Packed.Split(data.Text, FieldKinds.PackedBytes(type.Element));
            int count = data.Kind == DataKind.Map || items == null ? 0 : items.Count;
            IList list = type.Type.IsArray
                ? System.Array.CreateInstance(type.Element.Type, count) : (IList)Instances.New(type.Type);
            for (int i = 0; i < count; i++)
            {
                path.Push(i);
                object value = Value(items[i], type.Element, Zero(type.Element));
                path.Pop();
                if (type.Type.IsArray)
                    list[i] = value;
                else
                    list.Add(value);
            }
            return list;
        }

        static object Zero(TypeNode type)
        {
            return type.Type.IsValueType ? Activator.CreateInstance(type.Type) : null;
        }

        static object Reference(DataNode data, Type type)
        {
            if (data.Kind != DataKind.Reference || data.IsNullReference)
                return null;
            if ((object)data.Target == null)
                return Instances.Missing(type, data);
            return type.IsInstanceOfType(data.Target) ? data.Target : null;
        }

        object Managed(DataNode data, Type type)
        {
            object value;
            ManagedIds.SetLost(owner, path.Text, null);
            if (data.Kind != DataKind.Managed || data.TypeName.Length == 0)
                return null;
            if (managed.TryGetValue(data.Rid, out value))
                return type.IsInstanceOfType(value) ? value : null;
            Type concrete = ManagedTypes.Find(data.TypeName);
            if (concrete == null || !type.IsAssignableFrom(concrete))
            {
                ManagedIds.SetLost(owner, path.Text, data);
                return null;
            }
            value = ManagedIds.Held(owner, data.Rid, concrete) ?? Instances.New(concrete);
            managed.Add(data.Rid, value);
            ManagedIds.Set(owner, value, data.Rid);
            ReadFields(value, TypeTree.Of(concrete), data);
            return value;
        }
    }
}
