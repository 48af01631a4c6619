using System;
using System.Collections.Generic;
using UnityEditor;
using UnityEditorInternal;
using UnityEngine;

namespace Multiverse.Editor
{
    /// <summary>
    /// manage_component: add, update, remove and move. Everything is checked before anything is
    /// changed. Each call is one undo group, or none if nothing changes.
    /// </summary>
    public sealed class ManageComponent : Tool
    {
        public override string Name { get { return "manage_component"; } }

        public override IEnumerator<Pause> Run(ToolCall call)
        {
            EditGuard.Check();
            switch (call.Arguments.GetString("action", ""))
            {
                case "add": AddComponent(call); break;
                case "update": UpdateComponent(call); break;
                case "move": MoveComponent(call); break;
                case "remove":
                    foreach (Pause pause in RemoveComponent(call))
                        yield return pause;
                    break;
                default: throw new ToolError("ERR_INVALID_PARAMS", "action must be add, update, remove or move");
            }
        }

        static void RequireArgument(ToolCall call, string action, string argument)
        {
            if (!call.Arguments.Has(argument))
                throw new ToolError("ERR_INVALID_PARAMS", "the action " + action + " needs " + argument);
        }

        /* component_type given with index protects a caller with an outdated component list from
           changing another component. */
        static void CheckType(ToolCall call, SceneComponent at)
        {
            JsonValue given = call.Arguments.Get("component_type");
            if (!call.Arguments.Has("component_type") || at.Component == null)
                return;
            Type type = at.Component.GetType();
            string name = FieldTypes.NameOf(type), expected = given.AsString;
            if (expected == name || expected == type.Name)
                return;
            string subject = "component " + at.Index + " of " + at.GameObject.name + " is ";
            throw new ToolError("ERR_INVALID_PARAMS", expected == SceneComponent.MissingScript
                ? subject + "not missing, it is a " + name
                : subject + "a " + name + ", not a " + expected + " as in component_type: read the components of the " +
                  "GameObject again");
        }

        void DoStep(string action, SceneComponent at, Action change)
        {
            EditHistory.Do(Name + ": " + action, Name, at.GameObject.scene, change);
        }

        /* path: from before the change, which may replace the Transform that the cached paths
           know. */
        static void BeginAnswer(ToolCall call, string action, string path, SceneComponent at, string type, int index)
        {
            call.Out.BeginObject();
            call.Out.Member("action", action);
            call.Out.Member("game_object_path", path);
            call.Out.Member("game_object_name", at.GameObject.name);
            call.Out.Member("component_type", type);
            call.Out.Member("index", index);
        }

        void AddComponent(ToolCall call)
        {
            RequireArgument(call, "add", "component_type");
            SceneComponent at = SceneComponent.GetOwner(call.Arguments);
            string path = at.Paths.PathOf(at.GameObject);
            var adder = new ComponentAdder(at, call.Arguments);
            adder.Check();
            DoStep("add", at, adder.Add);
            BeginAnswer(call, "add", path, at, FieldTypes.NameOf(adder.Type), adder.Index);
            adder.WriteNames(call.Out);
            if (adder.AlsoAdded.Count > 0)
            {
                call.Out.Key("also_added");
                call.Out.BeginArray();
                foreach (string type in adder.AlsoAdded)
                    call.Out.Value(type);
                call.Out.EndArray();
            }
            call.Out.EndObject();
        }

        void UpdateComponent(ToolCall call)
        {
            RequireArgument(call, "update", "index");
            RequireArgument(call, "update", "fields");
            SceneComponent at = SceneComponent.Get(call.Arguments);
            CheckType(call, at);
            string path = at.Paths.PathOf(at.GameObject);
            using (var draft = new SerializedObject(at.Component))
            using (var original = new SerializedObject(at.Component))
            {
                var assigner = new FieldAssigner(draft, at.Paths);
                assigner.Read(call.Arguments.Get("fields"));
                if (assigner.Changes(original))
                    DoStep("update", at, () =>
                    {
                        draft.ApplyModifiedProperties();
                        PrefabUtility.RecordPrefabInstancePropertyModifications(at.Component);
                    });
                BeginAnswer(call, "update", path, at, FieldTypes.NameOf(at.Component.GetType()), at.Index);
                assigner.WriteNames(call.Out);
                call.Out.EndObject();
            }
        }

        IEnumerable<Pause> RemoveComponent(ToolCall call)
        {
            RequireArgument(call, "remove", "index");
            SceneComponent at = SceneComponent.GetAny(call.Arguments);
            CheckType(call, at);
            string path = at.Paths.PathOf(at.GameObject);
            var remover = new ComponentRemover(at, call.Arguments);
            remover.Check();
            string type = SceneComponent.MissingScript;
            if (at.Component != null)
                type = FieldTypes.NameOf(at.Component.GetType());
            foreach (Pause pause in remover.FindReferences())
                yield return pause;
            EditGuard.Check(); /* editor updates may have passed */
            remover.Check();
            DoStep("remove", at, remover.Remove);
            BeginAnswer(call, "remove", path, at, type, at.Index);
            if (remover.ReferencesCleared > 0)
                call.Out.Member("references_cleared", remover.ReferencesCleared);
            call.Out.EndObject();
        }

        void MoveComponent(ToolCall call)
        {
            RequireArgument(call, "move", "index");
            RequireArgument(call, "move", "new_index");
            SceneComponent at = SceneComponent.Get(call.Arguments);
            CheckType(call, at);
            string path = at.Paths.PathOf(at.GameObject);
            long to = call.Arguments.GetLong("new_index", 0);
            int count = at.GameObject.GetComponents<Component>().Length;
            if (to < 0 || to >= count)
                throw SceneComponent.OutOfRange(at.GameObject, count, to);
            if (at.Index == 0 || to == 0)
                throw new ToolError("ERR_INVALID_PARAMS", "component 0 is the Transform, which cannot be moved");
            if (to != at.Index && PrefabUtility.IsPartOfPrefabInstance(at.GameObject))
                throw new ToolError("ERR_INVALID_PARAMS",
                    at.GameObject.name + " belongs to a prefab instance, whose components have the order of the " +
                    "prefab: move them in the prefab");
            if (to != at.Index)
                DoStep("move", at, () => MoveTo(at, (int)to));
            BeginAnswer(call, "move", path, at, FieldTypes.NameOf(at.Component.GetType()), (int)to);
            call.Out.Member("previous_index", at.Index);
            call.Out.EndObject();
        }

        static void MoveTo(SceneComponent at, int to)
        {
            for (int from = at.Index; from != to; from += from < to ? 1 : -1)
                if (!(from < to ? ComponentUtility.MoveComponentDown(at.Component)
                                : ComponentUtility.MoveComponentUp(at.Component)))
                    throw new ToolError("ERR_EDIT_FAILED", "Unity did not move the component: look at read_console");
        }
    }
}
