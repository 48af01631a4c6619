using System;
using System.Collections.Generic;

namespace Standin
{
    /// <summary>
    /// The serialized fields of a type, by Unity's rules.
    /// <code>
    ///     foreach (TypeNode field in TypeTree.Of(component.GetType()).Children) ...
    /// </code>
    /// </summary>
    internal static class TypeTree
    {
        static readonly Dictionary<Type, TypeNode> known = new Dictionary<Type, TypeNode>();

        /// <summary>The fields of an object's class, or of a managed reference's class.</summary>
        public static TypeNode Of(Type type)
        {
            TypeNode node;
            if (known.TryGetValue(type, out node))
                return node;
            node = TypeBuilder.Root(type);
            known.Add(type, node);
            return node;
        }
    }
}
