using System.Collections.Generic;
using System.Globalization;
using UnityEngine;

namespace Multiverse.Editor
{
    /// <summary>
    /// The component of a call's arguments: the path of its GameObject and its index.
    /// <code>
    ///     SceneComponent at = SceneComponent.Get(call.Arguments);   // throws what is wrong
    ///     at.Component ...                                          // null only with GetAny
    /// </code>
    /// </summary>
    public sealed class SceneComponent
    {
        /// <summary>The component_type of a missing script.</summary>
        public const string MissingScript = "Missing Script";

        public ScenePaths Paths { get; private set; }
        public GameObject GameObject { get; private set; }
        public int Index { get; private set; }
        /// <summary>null if its script is missing.</summary>
        public Component Component { get; private set; }

        SceneComponent() { Index = -1; }

        /// <summary>Read game_object_path only; Index is -1.</summary>
        public static SceneComponent GetOwner(JsonValue arguments)
        {
            ScenePaths paths = ScenePaths.OfActiveScene();
            GameObject owner = paths.Get(arguments.GetString("game_object_path", ""));
            return new SceneComponent { Paths = paths, GameObject = owner };
        }

        /// <summary>Read game_object_path and index; the script may be missing.</summary>
        public static SceneComponent GetAny(JsonValue arguments)
        {
            SceneComponent at = GetOwner(arguments);
            long index;
            if (!arguments.Get("index").TryLong(out index))
                throw new ToolError("ERR_INVALID_PARAMS", "index is missing");
            var all = new List<Component>();
            at.GameObject.GetComponents(all);
            if (index < 0 || index >= all.Count)
                throw OutOfRange(at.GameObject, all.Count, index);
            at.Index = (int)index;
            at.Component = all[at.Index];
            return at;
        }

        /// <summary>Like GetAny, but a missing script throws ERR_MISSING_SCRIPT.</summary>
        public static SceneComponent Get(JsonValue arguments)
        {
            SceneComponent at = GetAny(arguments);
            if (at.Component == null)
                throw IsMissing(at.GameObject, at.Index);
            return at;
        }

        /// <summary>ERR_COMPONENT_INDEX_OUT_OF_RANGE.</summary>
        public static ToolError OutOfRange(GameObject o, int count, long index)
        {
            string text = count == 0
                ? o.name + " has no components"
                : string.Format(CultureInfo.InvariantCulture, "{0} has {1} components, 0 to {2}: there is no " +
                  "component {3}",
                                o.name, count, count - 1, index);
            return new ToolError("ERR_COMPONENT_INDEX_OUT_OF_RANGE", text);
        }

        /// <summary>ERR_MISSING_SCRIPT.</summary>
        public static ToolError IsMissing(GameObject o, int index)
        {
            return new ToolError("ERR_MISSING_SCRIPT", string.Format(CultureInfo.InvariantCulture,
                "the script of component {0} of {1} is missing: its fields stay in the file but cannot be shown; " +
                "to remove it, call manage_component with component_type \"" + MissingScript + "\"",
                index, o.name));
        }

        /// <summary>Write game_object_path and game_object_name.</summary>
        public void WriteOwner(JsonWriter w)
        {
            w.Member("game_object_path", Paths.PathOf(GameObject));
            w.Member("game_object_name", GameObject.name);
        }
    }
}
