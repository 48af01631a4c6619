using System;
using System.Collections.Generic;
using UnityEditor;
using UnityEditorInternal;
using UnityEngine;

namespace Multiverse.Editor
{
    /// <summary>
    /// The add action of manage_component: the class, Unity's rules, the position, the values, and
    /// required components.
    /// <code>
    ///     var adder = new ComponentAdder(at, arguments);
    ///     adder.Check();       // throws what is wrong; nothing has changed
    ///     adder.Add();         // inside of an undo group
    ///     adder.Index, adder.AlsoAdded ...
    /// </code>
    /// </summary>
    public sealed class ComponentAdder
    {
        readonly SceneComponent at;
        readonly JsonValue arguments;
        readonly JsonValue fields;
        FieldAssigner assigner;
        List<Type> required;
        int place; /* -1: at the end */

        public Type Type { get; private set; }
        /// <summary>The index of the component after it was added.</summary>
        public int Index { get; private set; }
        public List<string> AlsoAdded { get; private set; }

        public ComponentAdder(SceneComponent at, JsonValue arguments)
        {
            this.at = at;
            this.arguments = arguments;
            fields = arguments.Get("fields");
            AlsoAdded = new List<string>();
        }

        public void Check()
        {
            Type = ComponentTypes.Find(arguments.GetString("component_type", ""));
            var rules = new AddRules(at.GameObject);
            rules.Check(Type);
            place = ReadPlace();
            required = rules.Required(Type);
            if (required.Contains(typeof(RectTransform)))
                CheckRect();
            if (place >= 0 && place < Count() && IsInstance() && !Compat.InstancesHavePlaces)
                throw NoPlace(" of an editor before 2022.2, where added components come last");
            if (!fields.IsObject || fields.Count == 0)
                return;
            using (var sample = new ComponentSample(Type))
            {
                assigner = new FieldAssigner(sample.Serialized, at.Paths);
                assigner.Read(fields);
            }
        }

        ToolError NoPlace(string reason)
        {
            if (!IsInstance())
                return new ToolError("ERR_EDIT_FAILED", "Unity did not move the new component: look at read_console");
            return new ToolError("ERR_INVALID_PARAMS",
                at.GameObject.name + " belongs to a prefab instance" + reason + ": leave index out");
        }

        int Count() { return at.GameObject.GetComponents<Component>().Length; }

        bool IsInstance() { return PrefabUtility.IsPartOfPrefabInstance(at.GameObject); }

        int ReadPlace()
        {
            if (!arguments.Has("index"))
                return -1;
            int count = Count();
            long wanted = arguments.GetLong("index", 0);
            if (wanted == 0)
                throw new ToolError("ERR_INVALID_PARAMS",
                    "index 0 belongs to the Transform: a new component can be at 1 to " + count);
            if (wanted < 0 || wanted > count)
                throw new ToolError("ERR_COMPONENT_INDEX_OUT_OF_RANGE",
                    at.GameObject.name + " has " + count + " components: a new one can be at 1 to " + count);
            return (int)wanted;
        }

        /* Unity replaces the Transform by a RectTransform; the Transform of an instance belongs
           to the prefab. */
        void CheckRect()
        {
            if (!IsInstance())
                return;
            string path = PrefabUtility.GetPrefabAssetPathOfNearestInstanceRoot(
                PrefabUtility.GetOutermostPrefabInstanceRoot(at.GameObject));
            throw new ToolError("ERR_INVALID_COMPONENT_TYPE",
                FieldTypes.NameOf(Type) + " needs a RectTransform, and the Transform of " + at.GameObject.name +
                " belongs to its prefab, which is not changed here: add it to " +
                (string.IsNullOrEmpty(path) ? "the prefab" : path) +
                " in Unity, or to a GameObject that is not part of a prefab instance");
        }

        public void Add()
        {
            var before = new List<Component>(at.GameObject.GetComponents<Component>());
            bool wasRect = at.GameObject.transform is RectTransform;
            /* Added here because Unity would use another order; only the RectTransform is left
               to Unity. */
            foreach (Type type in required)
                if (type != typeof(RectTransform) && at.GameObject.GetComponent(type) == null)
                    AddOne(type);
            Component created = AddOne(Type);
            Component[] now = at.GameObject.GetComponents<Component>();
            ListAdded(before, now, created, !wasRect && at.GameObject.transform is RectTransform);
            Index = Array.IndexOf(now, created);
            for (; place >= 0 && Index > place; Index = Array.IndexOf(at.GameObject.GetComponents<Component>(), created))
                if (!ComponentUtility.MoveComponentUp(created))
                    throw NoPlace(", and Unity keeps what the prefab has before what is added");
            if (assigner == null)
                return;
            using (var serialized = new SerializedObject(created))
            {
                assigner.Apply(serialized);
                serialized.ApplyModifiedProperties();
            }
        }

        Component AddOne(Type type)
        {
            Component created = Undo.AddComponent(at.GameObject, type);
            if (created == null)
                throw new ToolError("ERR_EDIT_FAILED",
                    "Unity did not add " + FieldTypes.NameOf(type) + ": look at read_console for what it says");
            return created;
        }

        /* List the required components, then others that were added too (a script's Reset may
           add some). */
        void ListAdded(List<Component> before, Component[] now, Component created, bool becameRect)
        {
            var others = new List<string>();
            if (becameRect)
                others.Add(FieldTypes.NameOf(typeof(RectTransform)));
            foreach (Component c in now)
                if (c != null && c != created && !before.Contains(c) && !(c is Transform))
                    others.Add(FieldTypes.NameOf(c.GetType()));
            foreach (Type type in required)
                if (others.Remove(FieldTypes.NameOf(type)))
                    AlsoAdded.Add(FieldTypes.NameOf(type));
            AlsoAdded.AddRange(others);
        }

        public void WriteNames(JsonWriter w)
        {
            (assigner ?? new FieldAssigner(null, at.Paths)).WriteNames(w);
        }
    }
}
