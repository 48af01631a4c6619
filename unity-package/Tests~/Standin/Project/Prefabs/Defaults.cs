using System;
using System.Collections.Generic;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>The fields of a new object of a built-in class.</summary>
    internal static class Defaults
    {
        static readonly Dictionary<int, DataNode> bodies = new Dictionary<int, DataNode>();

        /// <summary>Return a copy; empty for an unknown class.</summary>
        public static DataNode BodyOf(int classId)
        {
            DataNode body;
            if (!bodies.TryGetValue(classId, out body))
                bodies.Add(classId, body = Make(ClassTable.TypeOf(classId)));
            return body.Clone();
        }

        static DataNode Make(Type type)
        {
            if (type == null)
                return DataNode.Map();
            Object created = ObjectLoader.New(type);
            DataNode body = Serializer.Write(created);
            ObjectTable.Remove(created);
            return body;
        }
    }
}
