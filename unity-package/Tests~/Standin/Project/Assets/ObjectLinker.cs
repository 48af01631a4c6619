using System;
using System.Collections.Generic;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>
    /// Resolves the references in a body: to objects of the same file, and of other assets, which
    /// are loaded on demand. An unresolved reference keeps its address.
    /// </summary>
    internal sealed class ObjectLinker
    {
        readonly Dictionary<long, Object> local;
        readonly HashSet<DataNode> seen = new HashSet<DataNode>();

        /// <summary>local: the objects of the file.</summary>
        public ObjectLinker(Dictionary<long, Object> local) { this.local = local; }

        /// <summary>Resolve in place. type: the fields' type; null: unknown.</summary>
        public void Link(DataNode node, TypeNode type)
        {
            switch (node.Kind)
            {
                case DataKind.Reference:
                    if ((object)node.Target == null)
                        node.Target = Find(node, type == null ? null : type.Type);
                    return;
                case DataKind.List:
                    foreach (DataNode item in node.Items)
                        Link(item, type == null ? null : type.Element);
                    return;
                case DataKind.Managed:
                    LinkManaged(node);
                    return;
                case DataKind.Map:
                    for (int i = 0; i < node.Count; i++)
                        Link(node[i], type == null ? null : type.Child(node.Keys[i]));
                    return;
            }
        }

        void LinkManaged(DataNode node)
        {
            if (!seen.Add(node))
                return;
            Type found = node.TypeName.Length == 0 ? null : ManagedTypes.Find(node.TypeName);
            TypeNode type = found == null ? null : TypeTree.Of(found);
            for (int i = 0; i < node.Count; i++)
                Link(node[i], type == null ? null : type.Child(node.Keys[i]));
        }

        Object Find(DataNode reference, Type wanted)
        {
            Object found;
            if (reference.FileId == 0)
                return null;
            if (reference.Guid.Length == 0)
                return local != null && local.TryGetValue(reference.FileId, out found) ? found : null;
            return AssetLoader.Find(reference.Guid, reference.FileId, wanted);
        }
    }
}
