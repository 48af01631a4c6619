namespace Standin
{
    /// <summary>Data with all parts zero, empty or null: the first element of an array.</summary>
    internal static class ZeroData
    {
        public static DataNode Of(TypeNode type)
        {
            switch (type.Kind)
            {
                case FieldKind.Array:
                    DataNode list = DataNode.List();
                    list.PackedBytes = FieldKinds.PackedBytes(type.Element);
                    return list;
                case FieldKind.Reference:
                    return DataNode.Reference(null);
                case FieldKind.Managed:
                    return DataNode.Managed(DataNode.NullRid, "");
                case FieldKind.String:
                    return DataNode.String("");
                case FieldKind.Boolean:
                case FieldKind.Integer:
                case FieldKind.Float:
                case FieldKind.Character:
                case FieldKind.Enum:
                    return DataNode.Scalar("0");
            }
            DataNode map = DataNode.Map();
            map.IsFlow = type.IsFlow;
            if (type.Version > 0)
                map.Add("serializedVersion", DataNode.Scalar(Scalars.From((long)type.Version)));
            foreach (TypeNode field in type.Children)
                map.Add(field.Name, Of(field));
            return map;
        }
    }
}
