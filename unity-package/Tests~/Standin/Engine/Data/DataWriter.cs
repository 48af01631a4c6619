using System;
using System.Collections;
using System.Collections.Generic;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>
    /// Converts values to data. As in Unity, null strings become empty and null classes become new
    /// instances; only managed references can be null.
    /// </summary>
    internal sealed class DataWriter
    {
        readonly Object owner;
        readonly Dictionary<object, DataNode> managed = new Dictionary<object, DataNode>(ByIdentity.Comparer);

        readonly FieldPath path = new FieldPath();

        public DataWriter(Object owner) { this.owner = owner; }

        public DataNode Root()
        {
            DataNode data = DataNode.Map();
            AddFields(data, TypeTree.Of(owner.GetType()), owner);
            var missing = owner as MissingScript;
            if ((object)missing != null)
                missing.AddData(data);
            return data;
        }

        public DataNode Value(object value, TypeNode type)
        {
            switch (type.Kind)
            {
                case FieldKind.Array:
                    return Array(value, type);
                case FieldKind.Reference:
                    return Reference((Object)value);
                case FieldKind.Managed:
                    return Managed(value);
                case FieldKind.String:
                    return DataNode.String((string)value);
                case FieldKind.Boolean:
                case FieldKind.Integer:
                case FieldKind.Float:
                case FieldKind.Character:
                case FieldKind.Enum:
                    return DataNode.Scalar(ScalarText(value));
                default:
                    return Struct(value, type);
            }
        }

        public static string ScalarText(object value)
        {
            if (value is float)
                return Scalars.From((float)value);
            if (value is double)
                return Scalars.From((double)value);
            if (value is bool)
                return Scalars.From((bool)value);
            if (value is char)
                return Scalars.From((long)(char)value);
            Type type = value.GetType();
            TypeCode code = Type.GetTypeCode(type);
            return code == TypeCode.UInt64
                ? Scalars.From(Convert.ToUInt64(value)) : Scalars.From(Convert.ToInt64(value));
        }

        DataNode Struct(object value, TypeNode type)
        {
            DataNode data = DataNode.Map();
            data.IsFlow = type.IsFlow;
            AddFields(data, type, value ?? Instances.New(type.Type));
            if (value is Hash128)
                data.Set("Hash", DataNode.String(value.ToString())); /* 32 zeros if it was never set */
            return data;
        }

        void AddFields(DataNode data, TypeNode type, object value)
        {
            var receiver = value as ISerializationCallbackReceiver;
            if (receiver != null)
                receiver.OnBeforeSerialize();
            if (type.Version > 0 && type.VersionBefore == null)
                AddVersion(data, type);
            foreach (TypeNode field in type.Children)
            {
                if (type.Version > 0 && type.VersionBefore == field.Name)
                    AddVersion(data, type);
                path.Push(field.Name);
                data.Add(field.Name, Value(field.Field.GetValue(value), field));
                path.Pop();
            }
        }

        static void AddVersion(DataNode data, TypeNode type)
        {
            data.Add("serializedVersion", DataNode.Scalar(Scalars.From((long)type.Version)));
        }

        DataNode Array(object value, TypeNode type)
        {
            DataNode data = DataNode.List();
            data.PackedBytes = FieldKinds.PackedBytes(type.Element);
            if (value == null)
                return data;
            foreach (object item in (IEnumerable)value)
            {
                path.Push(data.Count);
                data.Add(Value(item, type.Element));
                path.Pop();
            }
            return data;
        }

        static DataNode Reference(Object target)
        {
            if ((object)target != null && target.missingAddress != null)
                return target.missingAddress.Clone();
            return DataNode.Reference(target);
        }

        DataNode Managed(object value)
        {
            DataNode data;
            if (value == null)
                return ManagedIds.Lost(owner, path.Text) ?? DataNode.Managed(DataNode.NullRid, "");
            if (managed.TryGetValue(value, out data))
                return data;
            data = DataNode.Managed(ManagedIds.Of(owner, value), TypeNameOf(value.GetType()));
            managed.Add(value, data);
            AddFields(data, TypeTree.Of(value.GetType()), value);
            return data;
        }

        /// <summary>The format of managedReferenceFullTypename: "Assembly
        /// Namespace.Class/Nested".</summary>
        public static string TypeNameOf(Type type)
        {
            return type.Assembly.GetName().Name + " " + (type.FullName ?? type.Name).Replace('+', '/');
        }
    }
}
