using System;
using UnityEditor;

namespace Multiverse.Editor
{
    /// <summary>
    /// Writes values of fields as the tools show them: numbers, texts and booleans are plain and a null
    /// reference is null; all else is {type, value, ...}. Elements of an array carry no type.
    /// <code>
    ///     var values = new ValueWriter(call.Out, paths, 16);
    ///     values.Write(field, serialized.FindProperty(field.Key));
    /// </code>
    /// </summary>
    public sealed class ValueWriter
    {
        public const int MaxFields = 512;
        /// <summary>The fields of a component are at depth 0.</summary>
        public const int MaxDepth = 3;

        public ValueWriter(JsonWriter w, ScenePaths paths, int maxArrayElements) { throw new NotImplementedException(); }

        /// <summary>Fields written so far.</summary>
        public int Count { get; private set; }
        /// <summary>MaxFields were not enough.</summary>
        public bool IsCut { get; private set; }

        /// <summary>One member of the object that is being written.</summary>
        public void Write(Field field, SerializedProperty property) { throw new NotImplementedException(); }
    }
}
