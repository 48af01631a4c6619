using System;
using System.Collections.Generic;
using UnityEditor;
using UnityEngine;

namespace Multiverse.Editor
{
    /// <summary>
    /// The remove action of manage_component: whether the component can be removed, and the
    /// references to it.
    /// <code>
    ///     var remover = new ComponentRemover(at, arguments);
    ///     remover.Check();                               // throws what is wrong
    ///     foreach (Pause p in remover.FindReferences())  // may take several updates
    ///         yield return p;
    ///     remover.Remove();                              // inside of an undo group
    /// </code>
    /// </summary>
    public sealed class ComponentRemover
    {
        readonly SceneComponent at;
        readonly bool wantsMissing;
        ReferenceSearch references;

        public int ReferencesCleared { get; private set; }

        public ComponentRemover(SceneComponent at, JsonValue arguments)
        {
            this.at = at;
            wantsMissing = arguments.GetString("component_type", "") == SceneComponent.MissingScript;
        }

        /// <summary>Removing a missing script loses its data, so the request must name it.</summary>
        public void Check()
        {
            if (at.Component == null && !wantsMissing)
                throw SceneComponent.IsMissing(at.GameObject, at.Index);
            if (at.Index == 0)
                throw new ToolError("ERR_INVALID_PARAMS", "component 0 is the Transform, which cannot be removed");
            if (at.Component == null)
                CheckMissing();
            else
                CheckDependencies();
        }

        void CheckMissing()
        {
            int count = GameObjectUtility.GetMonoBehavioursWithMissingScriptCount(at.GameObject);
            if (count > 1)
                throw new ToolError("ERR_INVALID_PARAMS",
                    at.GameObject.name + " has " + count + " missing scripts, and Unity removes all of a GameObject " +
                    "at once: ask the user to remove this one in the Inspector");
        }

        void CheckDependencies()
        {
            Component[] all = at.GameObject.GetComponents<Component>();
            for (int i = 0; i < all.Length; i++)
            {
                if (all[i] == null || all[i] == at.Component)
                    continue;
                foreach (Type required in AddRules.RequiredBy(all[i].GetType()))
                    if (required.IsInstanceOfType(at.Component) && CountOf(all, required) <= 1)
                        throw RequiredBy(i, all[i].GetType(), required);
            }
        }

        static int CountOf(Component[] all, Type type)
        {
            int count = 0;
            foreach (Component c in all)
                count += c != null && type.IsInstanceOfType(c) ? 1 : 0;
            return count;
        }

        static ToolError RequiredBy(int index, Type dependent, Type required)
        {
            string name = FieldTypes.NameOf(dependent);
            var details = new JsonWriter();
            details.BeginObject();
            details.Key("required_by");
            details.BeginArray();
            details.Value(name);
            details.EndArray();
            details.EndObject();
            return new ToolError("ERR_COMPONENT_DEPENDENCY",
                name + " (component " + index + ") requires " + FieldTypes.NameOf(required) + "; remove it first",
                details.ToString());
        }

        /// <summary>Find the references to the component, over as many updates as needed.</summary>
        public IEnumerable<Pause> FindReferences()
        {
            if (at.Component == null)
                yield break;
            references = new ReferenceSearch(at.Component);
            foreach (Pause pause in references.Run())
                yield return pause;
            if (at.Component == null)
                throw new ToolError("ERR_EDIT_FAILED", "the component was removed by someone else meanwhile");
        }

        public void Remove()
        {
            if (at.Component == null)
            {
                RemoveMissing();
                return;
            }
            ReferencesCleared = references.Clear();
            Undo.DestroyObjectImmediate(at.Component);
            if (at.Component != null)
                throw new ToolError("ERR_EDIT_FAILED", "Unity did not remove the component: look at read_console");
        }

        /* Undo cannot destroy a missing script, so record the GameObject, as Unity does. */
        void RemoveMissing()
        {
            Undo.RegisterCompleteObjectUndo(at.GameObject, "manage_component: remove");
            if (GameObjectUtility.RemoveMonoBehavioursWithMissingScript(at.GameObject) == 0)
                throw new ToolError("ERR_EDIT_FAILED",
                    "Unity did not remove the missing script of " + at.GameObject.name +
                    ": if it comes from a prefab, it has to be removed there");
        }
    }
}
