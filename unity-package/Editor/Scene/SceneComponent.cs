using System;
using UnityEngine;

namespace Multiverse.Editor
{
    /// <summary>
    /// A component that a call names: by the path of its GameObject and its index.
    /// <code>
    ///     SceneComponent at = SceneComponent.Get(call.Arguments);   // throws what is wrong
    ///     at.Component ...                                          // null only with GetAny
    /// </code>
    /// </summary>
    public sealed class SceneComponent
    {
        /// <summary>What component_type calls a missing script.</summary>
        public const string MissingScript = "Missing Script";

        public ScenePaths Paths { get { throw new NotImplementedException(); } }
        public GameObject GameObject { get { throw new NotImplementedException(); } }
        public int Index { get { throw new NotImplementedException(); } }
        /// <summary>null: its script is missing.</summary>
        public Component Component { get { throw new NotImplementedException(); } }

        /// <summary>game_object_path alone; Index is -1.</summary>
        public static SceneComponent GetOwner(JsonValue arguments) { throw new NotImplementedException(); }
        /// <summary>game_object_path and index; the script may be missing.</summary>
        public static SceneComponent GetAny(JsonValue arguments) { throw new NotImplementedException(); }
        /// <summary>The same; a missing script is ERR_MISSING_SCRIPT.</summary>
        public static SceneComponent Get(JsonValue arguments) { throw new NotImplementedException(); }

        /// <summary>ERR_COMPONENT_INDEX_OUT_OF_RANGE.</summary>
        public static ToolError OutOfRange(GameObject o, int count, long index) { throw new NotImplementedException(); }
        /// <summary>ERR_MISSING_SCRIPT.</summary>
        public static ToolError IsMissing(GameObject o, int index) { throw new NotImplementedException(); }

        /// <summary>game_object_path and game_object_name.</summary>
        public void WriteOwner(JsonWriter w) { throw new NotImplementedException(); }
    }
}
